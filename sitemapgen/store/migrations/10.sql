-- From version 9 to 10: what systems behind the site state about its pages; meta descriptions of
-- pages; sections whose pages are visited in turn; links to other sites; views.

ALTER TABLE run ADD COLUMN stated TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN stated_since REAL;
ALTER TABLE run ADD COLUMN systems TEXT;

CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    system TEXT NOT NULL,
    part TEXT NOT NULL,
    error TEXT NOT NULL,
    requests INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    with_date INTEGER NOT NULL,
    malformed INTEGER NOT NULL,
    offsite INTEGER NOT NULL
);

CREATE TABLE source_entry (
    key INTEGER NOT NULL,
    source INTEGER NOT NULL,
    changed TEXT NOT NULL,
    is_page INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    PRIMARY KEY (key, source)
) WITHOUT ROWID;

CREATE TABLE earlier_source_entry (
    key INTEGER NOT NULL,
    source INTEGER NOT NULL,
    changed TEXT NOT NULL,
    is_page INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    PRIMARY KEY (key, source)
) WITHOUT ROWID;

CREATE TABLE description (
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL
);
CREATE TABLE earlier_description (
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL
);

CREATE TABLE due (
    run INTEGER NOT NULL,
    section INTEGER NOT NULL,
    name TEXT NOT NULL,
    left_out INTEGER NOT NULL,
    stale REAL NOT NULL,
    visited INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    expected REAL NOT NULL,
    evidence REAL NOT NULL,
    ended INTEGER NOT NULL,
    PRIMARY KEY (run, section)
) WITHOUT ROWID;

CREATE TABLE external (
    key INTEGER PRIMARY KEY,
    targets BLOB NOT NULL,
    unkept INTEGER NOT NULL
);
CREATE TABLE earlier_external (
    key INTEGER PRIMARY KEY,
    targets BLOB NOT NULL,
    unkept INTEGER NOT NULL
);
CREATE TABLE external_url (
    number INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    outcome TEXT NOT NULL DEFAULT '',
    evidence TEXT NOT NULL DEFAULT ''
);

ALTER TABLE signature ADD COLUMN unbroken BLOB NOT NULL DEFAULT x'';
ALTER TABLE earlier_signature ADD COLUMN unbroken BLOB NOT NULL DEFAULT x'';

CREATE TABLE view (
    key INTEGER PRIMARY KEY,
    pages INTEGER NOT NULL,
    example INTEGER NOT NULL
);
