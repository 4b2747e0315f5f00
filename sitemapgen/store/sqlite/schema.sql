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
    round INTEGER NOT NULL DEFAULT 0, -- how often suspects were released
    version TEXT NOT NULL,       -- of the crawler
    reader INTEGER NOT NULL,     -- core.pages.READER_VERSION
    is_complete INTEGER          -- 0: a cap left URLs unfetched; NULL: it was not concluded
);

CREATE TABLE url (
    key INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    state INTEGER NOT NULL,      -- 0 known, 1 pending, 2 in flight, 3 done
    sources INTEGER NOT NULL,    -- bits: 1 start, 2 followed link, 4 sitemap, 8 nofollow link
    depth INTEGER,               -- links from the start URL; NULL: not reached by links
    steps INTEGER,               -- as depth, a list's pages being one step; 0 without max_depth
    hops INTEGER NOT NULL,       -- redirects in a row that led here
    position INTEGER NOT NULL,   -- order of discovery
    verdict TEXT,                -- NULL: still open
    evidence TEXT,
    reason TEXT NOT NULL DEFAULT '', -- verdicts.Reason
    other_url TEXT NOT NULL DEFAULT '', -- that the verdict is about: items.Judgement
    parent INTEGER,
    in_degree INTEGER,
    pagerank REAL,               -- NULL: not computed, or no page
    reached INTEGER,             -- 1: followed links lead here from the start URL
    pattern INTEGER,             -- why it is suspicious; NULL: it is not
    generation INTEGER,          -- the round in which a page first led here: run.round
    draw INTEGER,                -- of suspects: the order within a generation, by path and query
    hint INTEGER,                -- the form of a URL that ends like a file: file_hint
    first_link REAL,             -- when a link to it was first seen, over all runs
    first_sitemap REAL           -- when a sitemap first named it, over all runs
);

CREATE INDEX frontier ON url (depth, position) WHERE state = 1;

CREATE INDEX suspect ON url (pattern, state, generation, draw) WHERE pattern IS NOT NULL;

CREATE INDEX revealed ON url (generation) WHERE generation > 0;

CREATE TABLE pattern (           -- of URLs that may be endlessly many: analysis.traps.Pattern
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    pattern TEXT NOT NULL UNIQUE,
    family TEXT NOT NULL,        -- empty: the URLs of a family that are in no pattern yet
    space TEXT NOT NULL,
    depth INTEGER NOT NULL DEFAULT 0,
    burst INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '', -- why it is a trap
    is_endless INTEGER NOT NULL DEFAULT 0, -- it was still revealing itself then
    constants TEXT NOT NULL DEFAULT '[]', -- JSON, of a family: what separates its patterns
    size INTEGER NOT NULL DEFAULT 0, -- of a family: its URLs when that was decided
    noise TEXT,                  -- JSON: what a second reading of its pages brings
    is_probed INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE made_up (           -- what URLs answered that no page links to
    url TEXT PRIMARY KEY,
    pattern INTEGER NOT NULL,
    sketch BLOB NOT NULL,
    reveals INTEGER NOT NULL,
    length INTEGER NOT NULL,
    title TEXT NOT NULL
);

CREATE TABLE crowd (             -- of plain URLs: analysis.crowds.Crowd
    directory TEXT PRIMARY KEY,
    pattern INTEGER NOT NULL,
    asked INTEGER NOT NULL,      -- its listed pages when URLs were asked for that no page links to
    is_held INTEGER NOT NULL     -- its URLs wait
);

CREATE TABLE feed (              -- a page of one pattern revealed a URL of another
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    round INTEGER NOT NULL,      -- in which that happened last
    PRIMARY KEY (source, target)
) WITHOUT ROWID;

CREATE TABLE suspect_page (      -- the fetched pages of patterns
    key INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,      -- in which it was read
    use INTEGER,                 -- analysis.traps.Use; NULL: not judged yet
    settled INTEGER,             -- in which round that was decided
    is_sample INTEGER NOT NULL DEFAULT 0, -- it is being read again
    items BLOB NOT NULL DEFAULT x'' -- hashes of its links to listed pages outside of its space
);

CREATE INDEX unjudged ON suspect_page (key) WHERE use IS NULL OR use = 4;
CREATE INDEX hinted ON url (hint, length(url), url) WHERE hint IS NOT NULL;

CREATE TABLE file_hint (         -- forms of URLs that end like files: core.file_hints
    id INTEGER PRIMARY KEY,
    directory TEXT NOT NULL,
    extension TEXT NOT NULL,
    UNIQUE (directory, extension)
);

CREATE TABLE late_try (          -- failed pages that were asked for again: late_retry.LateRetry
    key INTEGER PRIMARY KEY,
    tries INTEGER NOT NULL,
    round INTEGER NOT NULL,      -- the last one that it was in
    batch INTEGER NOT NULL       -- of that round
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

CREATE TABLE render_candidate (  -- the pages that rendering counts, each once
    key INTEGER PRIMARY KEY,
    signature TEXT NOT NULL,
    rendered INTEGER NOT NULL,
    is_sample INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE render (            -- the pages that the browser was asked for
    key INTEGER PRIMARY KEY,
    reason TEXT NOT NULL,        -- why: a word of core.rendering.judge, learned, sampled, always
    outcome TEXT NOT NULL,       -- gained, nothing or failed
    seconds REAL NOT NULL,
    signature TEXT NOT NULL,
    waiting TEXT NOT NULL,       -- core.learning.Waiting: for content that was still to come
    empty TEXT                   -- of a page without a link and with hardly a word: what kept it so
);

CREATE INDEX waiting ON render (signature, waiting, key) WHERE waiting <> '';

CREATE INDEX unrendered ON render_candidate (signature, key) WHERE NOT rendered AND NOT is_sample;

CREATE TABLE page (
    key INTEGER PRIMARY KEY,
    status INTEGER,
    title TEXT NOT NULL,
    text_hash INTEGER,
    content_hash INTEGER,        -- of all that has to agree in two pages with the same content
    subject INTEGER,             -- of what nearly the same pages have in common; NULL: compare none
    signature BLOB NOT NULL,     -- core.shingles.signature
    pictures BLOB NOT NULL,      -- without one: core.shingles.signed_media
    text_length INTEGER NOT NULL, -- characters of the main text, white space not counted
    language TEXT NOT NULL,
    canonical TEXT NOT NULL,     -- several, separated by spaces, contradict each other
    alternates BLOB NOT NULL,    -- keys of its versions in other languages, packed as in link
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    answered INTEGER NOT NULL,   -- seconds since the epoch; 0 for what is no document
    claims TEXT NOT NULL,        -- when it says that it changed: core.lastmod.pack
    lastmod TEXT NOT NULL,       -- by the page alone; see final_lastmod
    lastmod_source TEXT NOT NULL,
    lastmod_evidence TEXT NOT NULL,
    own_verdict TEXT NOT NULL,   -- by its answer alone: what the whole site says is in url
    own_evidence TEXT NOT NULL,
    own_reason TEXT NOT NULL,
    own_other_url TEXT NOT NULL,
    run INTEGER NOT NULL,
    visited INTEGER NOT NULL,    -- seconds since the epoch; answered is when it was read last
    changed INTEGER,             -- see visit
    is_lasting INTEGER NOT NULL, -- it holds for as long as the server says that nothing changed
    revisit INTEGER NOT NULL,    -- items.Revisit
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
    section INTEGER NOT NULL,    -- CRC-32 of its name; -1: the small ones together
    hits REAL NOT NULL,
    false_alarms REAL NOT NULL,
    misses REAL NOT NULL,
    quiet REAL NOT NULL,
    alarm REAL NOT NULL,
    silence REAL NOT NULL,
    proof REAL NOT NULL,
    is_own REAL NOT NULL,
    PRIMARY KEY (run, source, section)
) WITHOUT ROWID;

CREATE TABLE trust_change (      -- sources that lost or regained a section
    run INTEGER NOT NULL,
    source TEXT NOT NULL,
    section INTEGER NOT NULL,
    name TEXT NOT NULL,          -- the first segment of the path
    is_trusted INTEGER NOT NULL,
    reason TEXT NOT NULL,        -- analysis.freshness.trust.REASONS
    evidence TEXT NOT NULL,
    PRIMARY KEY (run, source, section)
) WITHOUT ROWID;

CREATE TABLE changefreq (        -- how often pages were seen to change, where that is published
    key INTEGER PRIMARY KEY,
    word TEXT NOT NULL
);

CREATE TABLE verdict_history (   -- what became of each URL, run after run: only where that is news
    key INTEGER NOT NULL,
    run INTEGER NOT NULL,
    verdict TEXT,                -- NULL: nothing named it any more
    lastmod TEXT,                -- of a listed page
    PRIMARY KEY (key, run)
) WITHOUT ROWID;

CREATE TABLE sitemap_dates_at_visit ( -- what sitemaps said of dates when a postponed page was visited
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL           -- where they say something else now; one date a line
);

-- By itself, since a page is written with all that it says, and this of most pages again.
CREATE TABLE final_lastmod (     -- dates of pages where the whole site says another one
    key INTEGER PRIMARY KEY,
    lastmod TEXT NOT NULL,
    source TEXT NOT NULL,
    evidence TEXT NOT NULL,
    disproved INTEGER NOT NULL,  -- bits: the sources that were wrong about this page
    is_trusted INTEGER NOT NULL  -- 0: published before its source lost trust
);

CREATE TABLE extension (         -- what the entries of pages say beyond the protocol
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL           -- JSON: images, videos, news, alternates; only what there is
);

CREATE TABLE label (             -- what pages say of their links, where that was asked for
    key INTEGER PRIMARY KEY,
    said BLOB NOT NULL           -- zlib of JSON: target, kind, text, nofollow of each
);

CREATE TABLE near_duplicate (    -- pages that are nearly the same as one that is listed instead
                                 -- (of those that are noindex: also wholly the same)
    key INTEGER PRIMARY KEY,
    listed INTEGER NOT NULL,
    similarity REAL NOT NULL
);

CREATE TABLE link (
    source INTEGER PRIMARY KEY,
    followed BLOB NOT NULL,      -- keys of the targets, 8 bytes each, native byte order
    nofollow BLOB NOT NULL,
    same_list BLOB NOT NULL      -- those of followed that are pages of one list with the source
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
    times INTEGER NOT NULL,      -- how often the file lists it; -n: kept, since it fails for n runs
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
