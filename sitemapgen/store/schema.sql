-- One database: queue, dedupe filter, link graph and crawl state.
-- A URL's key is the 64-bit hash of its normalised form (core.urls.key).

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    arguments TEXT NOT NULL,     -- JSON: the spider arguments that decide what is in scope
    start TEXT NOT NULL,         -- where the start URL led; empty until it has answered
    started REAL NOT NULL,       -- seconds since the epoch
    ended REAL,                  -- NULL: interrupted
    reason TEXT                  -- why it ended: 'finished', 'max_pages' or an error's name
);

CREATE TABLE url (
    key INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    state INTEGER NOT NULL,      -- 0 known, 1 pending, 2 in flight, 3 done
    sources INTEGER NOT NULL,    -- bits: 1 start, 2 followed link, 4 sitemap, 8 nofollow link
    depth INTEGER,               -- links from the start URL; NULL: not reached by links
    hops INTEGER NOT NULL,       -- redirects in a row that led here
    position INTEGER NOT NULL,   -- order of discovery
    verdict TEXT,                -- NULL: still open
    evidence TEXT,
    parent INTEGER,
    in_degree INTEGER,
    first_link REAL,             -- when a link to it was first seen, over all runs
    first_sitemap REAL           -- when a sitemap first named it, over all runs
);

CREATE INDEX frontier ON url (depth, position) WHERE state = 1;

CREATE TABLE page (
    key INTEGER PRIMARY KEY,
    status INTEGER,
    title TEXT NOT NULL,
    text_hash INTEGER,
    content_hash INTEGER,        -- of all that has to agree in two pages with the same content
    language TEXT NOT NULL,
    canonical TEXT NOT NULL,     -- several, separated by spaces, contradict each other
    alternates BLOB NOT NULL,    -- keys of its versions in other languages, packed as in link
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    answered INTEGER NOT NULL,   -- seconds since the epoch; 0 for what is no document
    claims TEXT NOT NULL,        -- when it says that it changed: core.lastmod.pack
    lastmod TEXT NOT NULL,       -- what is published: by the page alone, then by the whole site
    lastmod_source TEXT NOT NULL,
    lastmod_evidence TEXT NOT NULL,
    excerpt TEXT NOT NULL        -- last: nobody reads it on the way to a shorter column
);

CREATE TABLE link (
    source INTEGER PRIMARY KEY,
    followed BLOB NOT NULL,      -- keys of the targets, 8 bytes each, native byte order
    nofollow BLOB NOT NULL
);

CREATE TABLE sitemap (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    parent TEXT NOT NULL,
    format TEXT NOT NULL,
    error TEXT NOT NULL,
    entries INTEGER NOT NULL,
    children INTEGER NOT NULL,
    with_lastmod INTEGER NOT NULL,
    with_changefreq INTEGER NOT NULL,
    with_priority INTEGER NOT NULL
);

CREATE TABLE sitemap_entry (
    key INTEGER NOT NULL,
    sitemap INTEGER NOT NULL,
    lastmod TEXT NOT NULL,
    changefreq TEXT NOT NULL,
    priority TEXT NOT NULL,
    PRIMARY KEY (key, sitemap)
) WITHOUT ROWID;
