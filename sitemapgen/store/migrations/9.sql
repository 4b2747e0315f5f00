-- From version 8 to 9: editions, the pages that show more in a browser, lengths of titles and
-- descriptions, whole texts of pages. The last published run becomes an edition whose figures are unknown.

CREATE TABLE edition (
    run INTEGER PRIMARY KEY,
    digest TEXT NOT NULL,
    crawled REAL NOT NULL,
    version TEXT NOT NULL,
    changes TEXT NOT NULL,
    seen INTEGER,
    listed INTEGER,
    in_sitemap INTEGER
);

INSERT INTO edition (run, digest, crawled, version, changes)
SELECT id, '', ended, version, 'null' FROM run
WHERE is_complete NOT NULL AND reason = 'finished' ORDER BY id DESC LIMIT 1;

CREATE TABLE rendered (
    key INTEGER PRIMARY KEY,
    reason TEXT NOT NULL,
    gained INTEGER NOT NULL
);

CREATE TABLE earlier_rendered (
    key INTEGER PRIMARY KEY,
    reason TEXT NOT NULL,
    gained INTEGER NOT NULL
);

ALTER TABLE page ADD COLUMN title_length INTEGER;
ALTER TABLE page ADD COLUMN description_length INTEGER;
ALTER TABLE page ADD COLUMN description_hash INTEGER;
ALTER TABLE earlier_page ADD COLUMN title_length INTEGER;
ALTER TABLE earlier_page ADD COLUMN description_length INTEGER;
ALTER TABLE earlier_page ADD COLUMN description_hash INTEGER;

CREATE TABLE markdown (
    key INTEGER PRIMARY KEY,
    said BLOB NOT NULL
);
CREATE TABLE earlier_markdown (
    key INTEGER PRIMARY KEY,
    said BLOB NOT NULL
);
