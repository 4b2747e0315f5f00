-- From version 6 to 7: why a sitemap file was not read is a column.

ALTER TABLE sitemap ADD COLUMN reason TEXT NOT NULL DEFAULT '';

UPDATE sitemap SET reason = 'lost' WHERE error GLOB 'lost inside the crawler; *';
