-- From version 12 to 13: possibly endless spaces are released by their expected yield.

ALTER TABLE pattern DROP COLUMN depth;
ALTER TABLE pattern DROP COLUMN burst;
ALTER TABLE pattern ADD COLUMN doubt REAL NOT NULL DEFAULT 0;

ALTER TABLE feed DROP COLUMN round;
