-- From version 8 to 9: whole texts of pages.

CREATE TABLE markdown (
    key INTEGER PRIMARY KEY,
    said BLOB NOT NULL
);
CREATE TABLE earlier_markdown (
    key INTEGER PRIMARY KEY,
    said BLOB NOT NULL
);
