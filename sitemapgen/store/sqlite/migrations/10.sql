-- From version 9 to 10: meta descriptions of pages.

CREATE TABLE description (
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL
);
CREATE TABLE earlier_description (
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL
);
