-- From version 16 to 17: faults that only the whole site shows, by page; pages are not read twice.

CREATE TABLE link_fault (
    key INTEGER PRIMARY KEY,
    is_dead_end INTEGER NOT NULL,
    hreflang INTEGER NOT NULL
);

CREATE TABLE sitemap_date_fault (
    key INTEGER PRIMARY KEY,
    fault TEXT NOT NULL
);

ALTER TABLE pattern DROP COLUMN noise;
ALTER TABLE suspect_page DROP COLUMN is_sample;
