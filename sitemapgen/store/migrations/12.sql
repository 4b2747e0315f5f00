-- From version 11 to 12: links that only scripts show.

CREATE TABLE added_link (
    source INTEGER PRIMARY KEY,
    targets BLOB NOT NULL
);
