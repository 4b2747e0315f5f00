-- One database: queue, dedupe filter, link graph and crawl state.
-- A URL's key is the 64-bit hash of its normalised form (core.urls.key).
-- Tables of which the previous run has one as well: two_runs.sql.

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    arguments TEXT NOT NULL,     -- JSON: the arguments that determine what is in scope
    start TEXT NOT NULL,         -- the start URL after redirects; empty until it has answered
    started REAL NOT NULL,       -- seconds since the epoch
    ended REAL,                  -- NULL: interrupted
    reason TEXT,                 -- why it ended: 'finished', 'max_pages' or an error's name
    options TEXT NOT NULL DEFAULT '{}', -- JSON: the options of conclusions and output
    plan TEXT NOT NULL DEFAULT '{}', -- JSON: the plan of frontier.planner.Planner
    round INTEGER NOT NULL DEFAULT 0, -- number of releases of suspects
    version TEXT NOT NULL,       -- version of the crawler
    reader INTEGER NOT NULL,     -- READER_VERSION
    is_complete INTEGER,         -- 0: a cap left URLs unfetched; NULL: not concluded
    stated TEXT NOT NULL DEFAULT '', -- hash of all source_entry, or 'incomplete'; empty: not read
    stated_since REAL,           -- when the first of the runs in a row with that hash had read it
    systems TEXT                 -- JSON: [name, URL, part, state] of the first request to each system
                                 -- that the start page names; NULL: the page was not examined
);

CREATE TABLE url (
    key INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    number INTEGER,              -- order of the first discovery, from 1; NULL: made up as a probe
    state INTEGER NOT NULL,      -- 0 known, 1 pending, 2 in flight, 3 done
    sources INTEGER NOT NULL,    -- bits: 1 start, 2 followed link, 4 sitemap, 8 nofollow link,
                                 -- 16 made up, 32 system
    depth INTEGER,               -- links from the start URL; NULL: not reached by links
    hops INTEGER NOT NULL,       -- redirects in a row that led here
    position INTEGER NOT NULL,   -- order of discovery
    verdict TEXT,                -- NULL: none yet
    evidence TEXT,
    reason TEXT NOT NULL DEFAULT '', -- verdicts.Reason
    other_url TEXT NOT NULL DEFAULT '', -- the URL that the verdict is about: items.Judgement
    parent INTEGER,
    in_degree INTEGER,
    pagerank REAL,               -- NULL: not computed, or not a page
    reached INTEGER,             -- 1: followed links lead from the start URL to this one
    pattern INTEGER,             -- the pattern of a suspicious URL; NULL: not suspicious
    generation INTEGER,          -- the round in which it was first found: run.round
    draw INTEGER,                -- order of suspects within a generation, by path and query
    hint INTEGER,                -- the shape of a URL that ends like a file: file_hint
    first_link REAL,             -- when a link to it was first seen, over all runs
    first_sitemap REAL           -- when a sitemap first named it, over all runs
);

CREATE UNIQUE INDEX numbered ON url (number);

CREATE INDEX frontier ON url (depth, position) WHERE state = 1;

CREATE INDEX suspect ON url (pattern, state, generation, draw) WHERE pattern IS NOT NULL;

CREATE INDEX revealed ON url (generation) WHERE generation > 0;

CREATE TABLE pattern (           -- URLs of possibly endless spaces: analysis.kinds.patterns.Pattern
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    pattern TEXT UNIQUE,         -- NULL: the row holds unassigned URLs of a family
    family TEXT NOT NULL,
    space TEXT NOT NULL,
    doubt REAL NOT NULL DEFAULT 0, -- URLs that its pages were expected to reveal, in doubt
    reason TEXT NOT NULL DEFAULT '', -- why it is a trap
    is_endless INTEGER NOT NULL DEFAULT 0, -- it still revealed new URLs when it was left
    constants TEXT NOT NULL DEFAULT '[]', -- JSON, of a family: values that separate its patterns
    size INTEGER NOT NULL DEFAULT 0, -- of a family: number of URLs when that was decided
    is_probed INTEGER NOT NULL DEFAULT 0
);

CREATE UNIQUE INDEX family ON pattern (family) WHERE pattern IS NULL;

CREATE TABLE form (              -- forms of URLs beside those that are requested first
    key INTEGER PRIMARY KEY,     -- of the URL with single slashes
    url TEXT NOT NULL,           -- with all slashes, or its parameters in another order
    target INTEGER NOT NULL,     -- the key of that
    is_named INTEGER NOT NULL,   -- 1: the page itself names it; 0: links do
    run INTEGER NOT NULL         -- the run in which it was first requested; 0: not yet
);

CREATE INDEX target ON form (target);

CREATE TABLE made_up (           -- responses to made-up URLs, which no page links to
    url TEXT PRIMARY KEY,
    pattern INTEGER NOT NULL,
    sketch BLOB NOT NULL,
    reveals INTEGER NOT NULL,
    length INTEGER NOT NULL,
    title TEXT NOT NULL
);

CREATE TABLE crowd (             -- directories of plain URLs: analysis.kinds.crowds.Crowd
    directory TEXT PRIMARY KEY,
    pattern INTEGER NOT NULL,
    asked INTEGER NOT NULL,      -- number of its listed pages when made-up URLs were requested
    is_held INTEGER NOT NULL     -- 1: its URLs wait
);

CREATE TABLE feed (              -- a page of one pattern revealed a URL of another
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    PRIMARY KEY (source, target)
) WITHOUT ROWID;

CREATE TABLE suspect_page (      -- the fetched pages of patterns
    key INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,      -- the round in which it was read
    use INTEGER,                 -- analysis.kinds.usefulness.Use, 4: OPEN; NULL: not judged yet
    settled INTEGER,             -- the round in which it was judged
    items BLOB NOT NULL DEFAULT x'' -- hashes of its links to listed pages outside of its space
);

CREATE INDEX unjudged ON suspect_page (key) WHERE use IS NULL OR use = 4;
CREATE INDEX hinted ON url (hint, length(url), url) WHERE hint IS NOT NULL;

CREATE TABLE file_hint (         -- shapes of URLs that end like files: core.file_hints
    id INTEGER PRIMARY KEY,
    directory TEXT NOT NULL,
    extension TEXT NOT NULL,
    UNIQUE (directory, extension)
);

CREATE TABLE late_try (          -- failed pages that were requested again: frontier.batches.LateRetry
    key INTEGER PRIMARY KEY,
    tries INTEGER NOT NULL,
    round INTEGER NOT NULL,      -- the last round of the page
    batch INTEGER NOT NULL       -- its batch in that round
);

CREATE TABLE sighting (          -- repaired and unfollowed links: items.Sighting
    kind TEXT NOT NULL,
    pattern TEXT NOT NULL,
    links INTEGER NOT NULL,
    example TEXT NOT NULL,
    PRIMARY KEY (kind, pattern)
);

CREATE TABLE rendering (         -- counts by core.rendering.detect.RenderSignature
    family TEXT NOT NULL,        -- empty: the whole site
    template TEXT NOT NULL,      -- empty: all of the family
    seen INTEGER NOT NULL,
    rendered INTEGER NOT NULL,
    gained INTEGER NOT NULL,
    dry INTEGER NOT NULL,        -- renderings in a row without a gain
    static_since INTEGER,        -- the run after the one that rendered it without a gain
    PRIMARY KEY (family, template)
) WITHOUT ROWID;

CREATE TABLE render_candidate (  -- the pages counted in rendering, each once
    key INTEGER PRIMARY KEY,
    family TEXT NOT NULL,
    template TEXT NOT NULL,
    rendered INTEGER NOT NULL,
    is_sample INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE render (            -- the rendered pages
    key INTEGER PRIMARY KEY,
    reason TEXT NOT NULL,        -- a reason of core.rendering.detect, learned, sampled, always
    outcome TEXT NOT NULL,       -- gained, nothing or failed
    seconds REAL NOT NULL,
    family TEXT NOT NULL,
    template TEXT NOT NULL,
    waiting TEXT NOT NULL,       -- core.rendering.learn.Waiting
    empty TEXT                   -- store.rendering.Render.empty
);

CREATE INDEX waiting ON render (family, template, waiting, key) WHERE waiting <> '';

CREATE INDEX unrendered ON render_candidate (family, template, key)
WHERE NOT rendered AND NOT is_sample;

CREATE TABLE added_link (        -- links that only scripts show, of rendered pages
    source INTEGER PRIMARY KEY,
    targets BLOB NOT NULL        -- keys, 8 bytes each
);

CREATE TABLE visit (             -- the visits of pages in all runs
    key INTEGER NOT NULL,
    run INTEGER NOT NULL,
    visited INTEGER NOT NULL,    -- seconds since the epoch
    changed INTEGER,             -- bits: 1 main text, 2 links, 4 directives, 8 the start
                                 -- page has all new links too; NULL: the first visit
    claims TEXT NOT NULL,        -- its dates of change: core.lastmod.pack_claims
    PRIMARY KEY (key, run)
) WITHOUT ROWID;

CREATE TABLE trust (             -- records of sources: analysis.freshness.trust.Record
    run INTEGER NOT NULL,
    source TEXT NOT NULL,
    section INTEGER NOT NULL,    -- CRC-32 of its name; -1: all small sections
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

CREATE TABLE trust_change (      -- sources that lost or regained trust in a section
    run INTEGER NOT NULL,
    source TEXT NOT NULL,
    section INTEGER NOT NULL,
    name TEXT NOT NULL,          -- the first segment of the path
    is_trusted INTEGER NOT NULL,
    reason TEXT NOT NULL,        -- analysis.freshness.trust.REASONS
    evidence TEXT NOT NULL,
    PRIMARY KEY (run, source, section)
) WITHOUT ROWID;

CREATE TABLE due (               -- sections visited in turn: analysis.freshness.due.SectionTest
    run INTEGER NOT NULL,
    section INTEGER NOT NULL,    -- CRC-32 of its name; -1: all small sections
    name TEXT NOT NULL,          -- the first segment of the path
    left_out INTEGER NOT NULL,
    stale REAL NOT NULL,
    visited INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    expected REAL NOT NULL,
    evidence REAL NOT NULL,
    ended INTEGER NOT NULL,      -- a run; 0: none
    PRIMARY KEY (run, section)
) WITHOUT ROWID;

CREATE TABLE changefreq (        -- published changefreqs
    key INTEGER PRIMARY KEY,
    word TEXT NOT NULL
);

CREATE TABLE verdict_history (   -- outcomes of URLs, for runs in which they changed
    key INTEGER NOT NULL,
    run INTEGER NOT NULL,
    verdict TEXT,                -- NULL: no longer named anywhere
    lastmod TEXT,                -- of a listed page
    PRIMARY KEY (key, run)
) WITHOUT ROWID;

CREATE TABLE edition (           -- runs whose report differs from the one before
    run INTEGER PRIMARY KEY,
    digest TEXT NOT NULL,        -- of the report; empty: unknown
    crawled REAL NOT NULL,       -- seconds since the epoch
    version TEXT NOT NULL,       -- version of the crawler
    changes TEXT NOT NULL,       -- JSON: the section of report.json
    seen INTEGER,                -- counts of URLs; NULL: unknown
    listed INTEGER,
    in_sitemap INTEGER           -- of those listed; NULL: unknown, or no sitemap
);

CREATE TABLE external_url (      -- URLs of other sites, over all runs that pages are kept of
    number INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    outcome TEXT NOT NULL DEFAULT '', -- of its check in this run, core.external.LinkStatus; empty: none
    evidence TEXT NOT NULL DEFAULT ''
);

CREATE TABLE transfer (          -- the last complete responses of pages
    key INTEGER PRIMARY KEY,
    seconds REAL NOT NULL,       -- to the last byte; 0: below store.results.NOTICED
    bytes INTEGER NOT NULL       -- of the body, as sent
);

CREATE TABLE near_duplicate (    -- near-duplicates of the pages that are listed instead
                                 -- (of noindex pages also exact copies)
    key INTEGER PRIMARY KEY,
    listed INTEGER NOT NULL,
    similarity REAL NOT NULL
);

CREATE TABLE view (              -- listed pages, or those of the verdict view: analysis.kinds.views
    key INTEGER PRIMARY KEY,
    pages INTEGER NOT NULL,      -- number of pages of which it shows parts
    example INTEGER NOT NULL     -- key of the page that it shows most of
);

CREATE TABLE link_fault (        -- listed pages whose links have faults, and redirects
    key INTEGER PRIMARY KEY,
    is_dead_end INTEGER NOT NULL, -- 1: no followed link leads to another page
    hreflang INTEGER NOT NULL,   -- number of its versions in other languages that do not name it, or
                                 -- are not listed
    hops INTEGER NOT NULL,       -- redirects in a row from here on; 0 in a circle, -1 for a page
    links INTEGER NOT NULL       -- of a redirect: number of pages that link to it
);

CREATE TABLE date_fault (        -- listed pages with dates that are not trusted
    key INTEGER PRIMARY KEY,
    sitemap TEXT NOT NULL,       -- verdicts.DateFault of that in the site's own sitemaps, or empty
    others INTEGER NOT NULL      -- number of its other such dates
);

CREATE TABLE sitemap (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    found TEXT NOT NULL,         -- 'robots', 'argument', 'usual_path', 'index'
    parent TEXT NOT NULL,
    format TEXT NOT NULL,
    error TEXT NOT NULL,
    reason TEXT NOT NULL,        -- verdicts.Reason: 'lost' or nothing
    entries INTEGER NOT NULL,
    children INTEGER NOT NULL,
    unread INTEGER NOT NULL,     -- children that were not requested
    malformed INTEGER NOT NULL,
    offsite INTEGER NOT NULL,    -- entries of other sites: only counted
    outside_location INTEGER NOT NULL,
    with_lastmod INTEGER NOT NULL,
    with_changefreq INTEGER NOT NULL,
    with_priority INTEGER NOT NULL,
    with_images INTEGER NOT NULL,
    with_video INTEGER NOT NULL,
    with_news INTEGER NOT NULL,
    with_hreflang INTEGER NOT NULL,
    offsite_examples TEXT NOT NULL  -- JSON: the first ones
);

CREATE TABLE sitemap_document (  -- sitemap files with validators, unmodified
    url TEXT PRIMARY KEY,        -- as named, before redirects
    location TEXT NOT NULL,      -- the URL after redirects
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    body BLOB NOT NULL           -- compressed
);

CREATE TABLE source (            -- parts of the systems behind the site: items.SourcePart
    id INTEGER PRIMARY KEY,      -- core.urls.key of the URL
    url TEXT NOT NULL UNIQUE,    -- of the first request
    system TEXT NOT NULL,
    part TEXT NOT NULL,
    error TEXT NOT NULL,
    requests INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    with_date INTEGER NOT NULL,
    malformed INTEGER NOT NULL,
    offsite INTEGER NOT NULL
);

-- A table of its own: entries are read at every publication, these kilobytes are not.
CREATE TABLE sitemap_extension (
    key INTEGER NOT NULL,
    sitemap INTEGER NOT NULL,
    said TEXT NOT NULL,          -- JSON without empty fields: images, videos, news, alternates
    PRIMARY KEY (key, sitemap)
);
