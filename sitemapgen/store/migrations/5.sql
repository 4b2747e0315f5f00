-- From version 4 to 5: suspicious URLs are judged by patterns and spaces, dates by tests of trust.
-- The suspicious URLs of the old run are kept for its report only.

ALTER TABLE run ADD COLUMN round INTEGER NOT NULL DEFAULT 0;

-- The mark by which 6.sql finds runs whose pages were read by another reader version.
UPDATE run SET round = -1;

UPDATE run SET options = json_insert(options, '$.near_rule', 'page', '$.traps', 'stop')
WHERE options <> '{}';

ALTER TABLE url ADD COLUMN steps INTEGER;

ALTER TABLE url ADD COLUMN generation INTEGER;

ALTER TABLE url ADD COLUMN draw INTEGER;

ALTER TABLE url ADD COLUMN hint INTEGER;

DROP INDEX suspect;

CREATE INDEX suspect ON url (pattern, state, generation, draw) WHERE pattern IS NOT NULL;

CREATE INDEX revealed ON url (generation) WHERE generation > 0;

CREATE INDEX hinted ON url (hint, length(url), url) WHERE hint IS NOT NULL;

ALTER TABLE pattern RENAME TO old_pattern;

CREATE TABLE pattern (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    pattern TEXT NOT NULL UNIQUE,
    family TEXT NOT NULL,
    space TEXT NOT NULL,
    depth INTEGER NOT NULL DEFAULT 0,
    burst INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    is_endless INTEGER NOT NULL DEFAULT 0,
    constants TEXT NOT NULL DEFAULT '[]',
    size INTEGER NOT NULL DEFAULT 0,
    noise TEXT,
    is_probed INTEGER NOT NULL DEFAULT 0
);

INSERT INTO pattern (id, kind, pattern, family, space, reason)
SELECT id, kind, pattern, family, family,
       iif(is_trap, useful || ' of ' || released || ' fetched pages say something new', '')
FROM old_pattern;

DROP TABLE old_pattern;

CREATE TABLE made_up (
    url TEXT PRIMARY KEY,
    pattern INTEGER NOT NULL,
    sketch BLOB NOT NULL,
    reveals INTEGER NOT NULL,
    length INTEGER NOT NULL,
    title TEXT NOT NULL
);

CREATE TABLE crowd (
    directory TEXT PRIMARY KEY,
    pattern INTEGER NOT NULL,
    asked INTEGER NOT NULL,
    is_held INTEGER NOT NULL
);

CREATE TABLE feed (
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    round INTEGER NOT NULL,
    PRIMARY KEY (source, target)
) WITHOUT ROWID;

CREATE TABLE suspect_page (
    key INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    use INTEGER,
    settled INTEGER,
    is_sample INTEGER NOT NULL DEFAULT 0,
    items BLOB NOT NULL DEFAULT x''
);

CREATE INDEX unjudged ON suspect_page (key) WHERE use IS NULL OR use = 4;

CREATE TABLE file_hint (
    id INTEGER PRIMARY KEY,
    directory TEXT NOT NULL,
    extension TEXT NOT NULL,
    UNIQUE (directory, extension)
);

CREATE TABLE late_try (
    key INTEGER PRIMARY KEY,
    tries INTEGER NOT NULL,
    round INTEGER NOT NULL,
    batch INTEGER NOT NULL
);

ALTER TABLE render ADD COLUMN signature TEXT NOT NULL DEFAULT '';

ALTER TABLE render ADD COLUMN waiting TEXT NOT NULL DEFAULT '';

ALTER TABLE render ADD COLUMN empty TEXT;

CREATE INDEX waiting ON render (signature, waiting, key) WHERE waiting <> '';

ALTER TABLE page ADD COLUMN pictures BLOB NOT NULL DEFAULT x'';

ALTER TABLE page ADD COLUMN text_length INTEGER NOT NULL DEFAULT 0;

UPDATE page SET text_length = length(excerpt);

ALTER TABLE earlier_page ADD COLUMN pictures BLOB NOT NULL DEFAULT x'';

ALTER TABLE earlier_page ADD COLUMN text_length INTEGER NOT NULL DEFAULT 0;

UPDATE earlier_page SET text_length = length(excerpt);

ALTER TABLE trust ADD COLUMN alarm REAL NOT NULL DEFAULT 0;

ALTER TABLE trust ADD COLUMN silence REAL NOT NULL DEFAULT 0;

ALTER TABLE trust ADD COLUMN proof REAL NOT NULL DEFAULT 0;

ALTER TABLE trust ADD COLUMN is_own REAL NOT NULL DEFAULT 0;

CREATE TABLE trust_change (
    run INTEGER NOT NULL,
    source TEXT NOT NULL,
    section INTEGER NOT NULL,
    name TEXT NOT NULL,
    is_trusted INTEGER NOT NULL,
    reason TEXT NOT NULL,
    evidence TEXT NOT NULL,
    PRIMARY KEY (run, source, section)
) WITHOUT ROWID;

ALTER TABLE settled ADD COLUMN disproved INTEGER NOT NULL DEFAULT 0;

ALTER TABLE settled ADD COLUMN is_trusted INTEGER NOT NULL DEFAULT 1;

ALTER TABLE earlier_settled ADD COLUMN disproved INTEGER NOT NULL DEFAULT 0;

ALTER TABLE earlier_settled ADD COLUMN is_trusted INTEGER NOT NULL DEFAULT 1;

ALTER TABLE link ADD COLUMN same_list BLOB NOT NULL DEFAULT x'';

ALTER TABLE earlier_link ADD COLUMN same_list BLOB NOT NULL DEFAULT x'';

CREATE TABLE label (
    key INTEGER PRIMARY KEY,
    said BLOB NOT NULL
);

CREATE TABLE earlier_label (
    key INTEGER PRIMARY KEY,
    said BLOB NOT NULL
);
