-- From version 14 to 15: times and sizes of responses.

CREATE TABLE transfer (
    key INTEGER PRIMARY KEY,
    seconds REAL NOT NULL,
    bytes INTEGER NOT NULL
);
