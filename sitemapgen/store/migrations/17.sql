-- From version 16 to 17: pages of patterns are not read twice any more.

ALTER TABLE pattern DROP COLUMN noise;
ALTER TABLE suspect_page DROP COLUMN is_sample;
