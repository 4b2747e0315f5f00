-- From version 20 to 21: results of second readings.

CREATE TABLE comparison (
    key INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    is_same INTEGER NOT NULL
);
CREATE TABLE earlier_comparison (
    key INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    is_same INTEGER NOT NULL
);
