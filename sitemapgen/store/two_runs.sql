-- Tables of pages and of what sites state, two of each: page for this run, earlier_page for the
-- previous one.

CREATE TABLE {run}sketch (       -- core.document.novelty.sketch_page of suspects
    key INTEGER PRIMARY KEY,
    sketch BLOB NOT NULL
);

CREATE TABLE {run}rendered (     -- the pages that show more in a browser
    key INTEGER PRIMARY KEY,
    reason TEXT NOT NULL,        -- as in render
    gained INTEGER NOT NULL      -- bits: 1 text, 2 links, 4 metadata
);

CREATE TABLE {run}page (
    key INTEGER PRIMARY KEY,
    status INTEGER,
    title TEXT NOT NULL,
    text_hash INTEGER,
    content_hash INTEGER,        -- hash of everything that is equal in duplicates
    subject INTEGER,             -- hash of title, heading, language; NULL: not comparable
    signature_id INTEGER,        -- its row in signature; NULL: none
    pictures BLOB NOT NULL,      -- without a signature: core.document.shingles.signed_media
    text_length INTEGER NOT NULL, -- characters of the main text, without white space
    language TEXT NOT NULL,
    canonical TEXT NOT NULL,     -- contradictory ones are separated by spaces
    alternates BLOB NOT NULL,    -- keys of its language versions, 8 bytes each, native byte order
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    answered INTEGER NOT NULL,   -- seconds since the epoch; 0: not a document
    claims TEXT NOT NULL,        -- its dates of change: core.lastmod.pack_claims
    lastmod TEXT NOT NULL,       -- from the page alone; see final_lastmod
    lastmod_source TEXT NOT NULL,
    lastmod_evidence TEXT NOT NULL,
    own_verdict TEXT NOT NULL,   -- from its response alone; the final verdict is in url
    own_evidence TEXT NOT NULL,
    own_reason TEXT NOT NULL,
    own_other_url TEXT NOT NULL,
    run INTEGER NOT NULL,
    visited INTEGER NOT NULL,    -- seconds since the epoch; answered: time of the last reading
    changed INTEGER,             -- see visit
    is_lasting INTEGER NOT NULL, -- 1: valid as long as the server answers 304
    revisit INTEGER NOT NULL,    -- items.Revisit
    validation INTEGER NOT NULL, -- items.Validation
    failures INTEGER NOT NULL,   -- failed runs in a row; the rest is from the last reading
    excerpt_id INTEGER,          -- its row in excerpt; NULL: none
    excerpt TEXT NOT NULL,       -- without text_hash, to be compared; else it is in excerpt
    title_length INTEGER,        -- characters of the title, the site's name included
    description_length INTEGER,  -- of the meta description; both are NULL in pages of readers up to 2
    description_hash INTEGER,    -- 64-bit hash of the meta description; NULL: none
    h1 TEXT,                     -- of the first <h1>; NULL in pages of readers up to 7
    on_page TEXT NOT NULL DEFAULT '' -- items.OnPage.pack; empty: no document, or the same
);

-- Tables of their own, filled in the order of recording: their pages stay full, and those of the
-- table page, which are filled in the order of keys, small.
CREATE TABLE {run}excerpt (
    id INTEGER PRIMARY KEY,
    packed BLOB NOT NULL         -- store/packing.py
);

CREATE TABLE {run}signature (
    id INTEGER PRIMARY KEY,
    signature BLOB NOT NULL,     -- core.document.shingles.signature_of_parts
    unbroken BLOB NOT NULL DEFAULT x'' -- items.Page.unbroken; empty of readers up to 3
);

CREATE TABLE {run}sitemap_dates_at_visit ( -- dates at the last visit of unvisited pages, if changed since
    key INTEGER PRIMARY KEY,
    sitemaps TEXT NOT NULL,      -- of the site's sitemaps, one a line
    systems TEXT NOT NULL        -- of the systems behind the site, one a line
);

-- A table of its own: it is rewritten for most pages at each conclusion, a page is not.
CREATE TABLE {run}final_lastmod (-- dates of pages, where the whole site changes them
    key INTEGER PRIMARY KEY,
    lastmod TEXT NOT NULL,
    source TEXT NOT NULL,
    evidence TEXT NOT NULL,
    disproved INTEGER NOT NULL,  -- core.lastmod.BITS of sources that were wrong
    is_trusted INTEGER NOT NULL  -- 0: published before its source lost trust
);

CREATE TABLE {run}extension (    -- data of pages for sitemap extensions
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL           -- JSON without empty fields: images, videos, news, alternates
);

CREATE TABLE {run}label (        -- texts and attributes of links, if requested
    key INTEGER PRIMARY KEY,
    said BLOB NOT NULL           -- zlib of JSON: target, kind, text, nofollow of each
);

CREATE TABLE {run}markdown (     -- whole texts of pages, if requested
    key INTEGER PRIMARY KEY,
    said BLOB NOT NULL           -- pack_text of core.document.markdown
);

CREATE TABLE {run}description (  -- meta descriptions of pages, if requested
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL
);

CREATE TABLE {run}external (     -- the pages that link to other sites
    key INTEGER PRIMARY KEY,
    targets BLOB NOT NULL,       -- numbers of external_url: store/packing.py
    unkept INTEGER NOT NULL      -- number of further targets, beyond store.external.MAX_CHARACTERS
);

CREATE TABLE {run}comparison (   -- pages that were read again: download.second_readings
    key INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,      -- the page that it was compared with
    is_same INTEGER NOT NULL
);

CREATE TABLE {run}resting (      -- pages that the next run need not request: analysis.freshness.rest
    key INTEGER PRIMARY KEY,
    is_turn INTEGER NOT NULL,    -- 1: that run requests it all the same
    base INTEGER                 -- key of the page beside which its kind shows nothing of its own
);

CREATE TABLE {run}link (
    source INTEGER PRIMARY KEY,
    followed BLOB NOT NULL,      -- numbers of the targets: store/packing.py
    nofollow BLOB NOT NULL
);

CREATE TABLE {run}sitemap_entry (
    key INTEGER NOT NULL,
    sitemap INTEGER NOT NULL,
    lastmod TEXT NOT NULL,
    changefreq TEXT NOT NULL,
    priority TEXT NOT NULL,
    times INTEGER NOT NULL,      -- number of entries; -n: kept for n runs, as the file fails
    PRIMARY KEY (key, sitemap)
) WITHOUT ROWID;

CREATE TABLE {run}source_entry ( -- pages as a system states them
    key INTEGER NOT NULL,
    source INTEGER NOT NULL,
    changed TEXT NOT NULL,       -- the date as written; empty: none
    is_page INTEGER NOT NULL,    -- 0: it only dates a page that is found elsewhere
    kept INTEGER NOT NULL,       -- number of runs for which it is kept, as the part fails
    PRIMARY KEY (key, source)
) WITHOUT ROWID;
