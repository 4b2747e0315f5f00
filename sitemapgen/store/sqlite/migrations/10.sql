-- From version 9 to 10: sections of the site whose pages are visited in turn.

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
