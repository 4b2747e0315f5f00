-- From version 21 to 22: sketches begin with the wording of their page, which is not known of these.

UPDATE sketch SET sketch = CAST(x'00000000' || sketch AS BLOB) WHERE length(sketch) > 0;
UPDATE made_up SET sketch = CAST(x'00000000' || sketch AS BLOB) WHERE length(sketch) > 0;
