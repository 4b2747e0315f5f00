-- From version 9 to 10: links to other sites.

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
