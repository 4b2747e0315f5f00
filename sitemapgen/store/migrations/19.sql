-- From version 18 to 19: templates that an earlier run rendered without a gain.

ALTER TABLE rendering ADD COLUMN static_since INTEGER;
