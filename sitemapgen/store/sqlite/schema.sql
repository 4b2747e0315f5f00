-- One database: queue, dedupe filter, link graph and crawl state.
-- A URL's key is the 64-bit hash of its normalised form (core.urls.key).

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    arguments TEXT NOT NULL,     -- JSON: the spider arguments that decide what is in scope
    start TEXT NOT NULL,         -- where the start URL led; empty until it has answered
    started REAL NOT NULL,       -- seconds since the epoch
    ended REAL,                  -- NULL: interrupted
    reason TEXT,                 -- why it ended: 'finished', 'max_pages' or an error's name
    options TEXT NOT NULL DEFAULT '{}', -- JSON: the arguments that decide what is concluded
    plan TEXT NOT NULL DEFAULT '{}', -- JSON: what is fetched next, and why: planning.Planner
    version TEXT NOT NULL,       -- of the crawler: another one may read pages otherwise
    is_complete INTEGER          -- 0: a cap left URLs unfetched; NULL: it was not concluded
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
    pagerank REAL,               -- NULL: not computed, or no page
    reached INTEGER,             -- 1: followed links lead here from the start URL
    pattern INTEGER,             -- why it is suspicious; NULL: it is not
    first_link REAL,             -- when a link to it was first seen, over all runs
    first_sitemap REAL           -- when a sitemap first named it, over all runs
);

CREATE INDEX frontier ON url (depth, position) WHERE state = 1;

CREATE INDEX suspect ON url (pattern, length(url), url) WHERE pattern IS NOT NULL;

CREATE TABLE pattern (           -- of URLs that may be endlessly many: analysis.traps.Ledger
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    pattern TEXT NOT NULL UNIQUE,
    family TEXT NOT NULL,
    released INTEGER NOT NULL DEFAULT 0,
    batch INTEGER NOT NULL DEFAULT 0,
    useful INTEGER NOT NULL DEFAULT 0,
    fruitless INTEGER NOT NULL DEFAULT 0,
    is_trap INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE sketch (            -- what the suspects among the pages say
    key INTEGER PRIMARY KEY,
    sketch BLOB NOT NULL
);

CREATE TABLE sighting (          -- links whose form was repaired, or to another name of the site
    kind TEXT NOT NULL,
    pattern TEXT NOT NULL,
    links INTEGER NOT NULL,
    example TEXT NOT NULL,
    PRIMARY KEY (kind, pattern)
);

CREATE TABLE rendering (         -- what rendering brought: of the site, a family, a signature
    signature TEXT PRIMARY KEY,
    seen INTEGER NOT NULL,
    rendered INTEGER NOT NULL,
    gained INTEGER NOT NULL,
    dry INTEGER NOT NULL         -- in a row
) WITHOUT ROWID;

CREATE TABLE judged (            -- the pages that rendering counts, each once
    key INTEGER PRIMARY KEY,
    signature TEXT NOT NULL,
    rendered INTEGER NOT NULL,
    is_sample INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE render (            -- the pages that the browser was asked for
    key INTEGER PRIMARY KEY,
    reason TEXT NOT NULL,        -- why: a word of core.rendering.judge, learned, sampled, always
    outcome TEXT NOT NULL,       -- gained, nothing or failed
    seconds REAL NOT NULL
);

CREATE INDEX unrendered ON judged (signature, key) WHERE NOT rendered AND NOT is_sample;

CREATE TABLE page (
    key INTEGER PRIMARY KEY,
    status INTEGER,
    title TEXT NOT NULL,
    text_hash INTEGER,
    content_hash INTEGER,        -- of all that has to agree in two pages with the same content
    subject INTEGER,             -- of what nearly the same pages have in common; NULL: compare none
    signature BLOB NOT NULL,     -- core.shingles.signature
    language TEXT NOT NULL,
    canonical TEXT NOT NULL,     -- several, separated by spaces, contradict each other
    alternates BLOB NOT NULL,    -- keys of its versions in other languages, packed as in link
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    answered INTEGER NOT NULL,   -- seconds since the epoch; 0 for what is no document
    claims TEXT NOT NULL,        -- when it says that it changed: core.lastmod.pack
    lastmod TEXT NOT NULL,       -- by the page alone; see settled
    lastmod_source TEXT NOT NULL,
    lastmod_evidence TEXT NOT NULL,
    own_verdict TEXT NOT NULL,   -- by its answer alone: what the whole site says is in url
    own_evidence TEXT NOT NULL,
    run INTEGER NOT NULL,
    visited INTEGER NOT NULL,    -- seconds since the epoch; answered is when it was read last
    changed INTEGER,             -- see visit
    is_lasting INTEGER NOT NULL, -- it holds for as long as the server says that nothing changed
    spared INTEGER NOT NULL,     -- items.Spared
    validation INTEGER NOT NULL, -- items.Validation
    failures INTEGER NOT NULL,   -- runs in a row without an answer; the rest is what it said before
    excerpt TEXT NOT NULL        -- last: nobody reads it on the way to a shorter column
);

-- Of some tables there is a second one for the run before, earlier_page and so on:
-- store/sqlite/database.py, OF_TWO_RUNS.

CREATE TABLE visit (             -- what each fetch of a page brought, run after run
    key INTEGER NOT NULL,
    run INTEGER NOT NULL,
    visited INTEGER NOT NULL,    -- seconds since the epoch
    changed INTEGER,             -- bits: 1 main text, 2 links, 4 directives; NULL: the first visit
    claims TEXT NOT NULL,        -- when it said that it changed: core.lastmod.pack
    PRIMARY KEY (key, run)
) WITHOUT ROWID;

CREATE TABLE trust (             -- how often dates have been right: analysis.freshness.trust.Record
    run INTEGER NOT NULL,
    source TEXT NOT NULL,
    section INTEGER NOT NULL,    -- CRC-32 of its name
    hits REAL NOT NULL,
    false_alarms REAL NOT NULL,
    misses REAL NOT NULL,
    quiet REAL NOT NULL,
    PRIMARY KEY (run, source, section)
) WITHOUT ROWID;

CREATE TABLE changefreq (        -- how often pages were seen to change, where that is published
    key INTEGER PRIMARY KEY,
    word TEXT NOT NULL
);

CREATE TABLE outcome (           -- what became of each URL, run after run: only where that is news
    key INTEGER NOT NULL,
    run INTEGER NOT NULL,
    verdict TEXT,                -- NULL: nothing named it any more
    lastmod TEXT,                -- of a listed page
    PRIMARY KEY (key, run)
) WITHOUT ROWID;

CREATE TABLE said (              -- what sitemaps said of dates when a postponed page was visited
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL           -- where they say something else now; one date a line
);

-- By itself, since a page is written with all that it says, and this of most pages again.
CREATE TABLE settled (           -- dates of pages where the whole site says another one
    key INTEGER PRIMARY KEY,
    lastmod TEXT NOT NULL,
    source TEXT NOT NULL,
    evidence TEXT NOT NULL
);

CREATE TABLE extension (         -- what the entries of pages say beyond the protocol
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL           -- JSON: images, videos, news, alternates; only what there is
);

CREATE TABLE near_duplicate (    -- pages that are nearly the same as one that is listed instead
    key INTEGER PRIMARY KEY,
    listed INTEGER NOT NULL,
    similarity REAL NOT NULL
);

CREATE TABLE link (
    source INTEGER PRIMARY KEY,
    followed BLOB NOT NULL,      -- keys of the targets, 8 bytes each, native byte order
    nofollow BLOB NOT NULL
);

CREATE TABLE sitemap (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    found TEXT NOT NULL,         -- 'robots', 'argument', 'usual_path', 'index'
    parent TEXT NOT NULL,
    format TEXT NOT NULL,
    error TEXT NOT NULL,
    entries INTEGER NOT NULL,
    children INTEGER NOT NULL,
    unread INTEGER NOT NULL,     -- children that were not asked for
    malformed INTEGER NOT NULL,
    offsite INTEGER NOT NULL,    -- entries of another site: counted, not kept
    outside_location INTEGER NOT NULL,
    with_lastmod INTEGER NOT NULL,
    with_changefreq INTEGER NOT NULL,
    with_priority INTEGER NOT NULL,
    with_images INTEGER NOT NULL,
    with_video INTEGER NOT NULL,
    with_news INTEGER NOT NULL,
    with_hreflang INTEGER NOT NULL,
    offsite_examples TEXT NOT NULL  -- JSON: the first few
);

CREATE TABLE sitemap_entry (
    key INTEGER NOT NULL,
    sitemap INTEGER NOT NULL,
    lastmod TEXT NOT NULL,
    changefreq TEXT NOT NULL,
    priority TEXT NOT NULL,
    times INTEGER NOT NULL,      -- how often the file lists it
    PRIMARY KEY (key, sitemap)
) WITHOUT ROWID;

CREATE TABLE sitemap_document (  -- sitemap files that can be asked for conditionally, as they came
    url TEXT PRIMARY KEY,        -- as it was named
    location TEXT NOT NULL,      -- where redirects led
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    body BLOB NOT NULL           -- compressed
);

-- By itself, since an entry is read at every publication, these kilobytes of it are not.
CREATE TABLE sitemap_extension (
    key INTEGER NOT NULL,
    sitemap INTEGER NOT NULL,
    said TEXT NOT NULL,          -- JSON: images, videos, news, alternates; only what there is
    PRIMARY KEY (key, sitemap)
);
