-- From version 19 to 20: pages that a refresh does not request.

CREATE TABLE resting (
    key INTEGER PRIMARY KEY,
    is_turn INTEGER NOT NULL
);
CREATE TABLE earlier_resting (
    key INTEGER PRIMARY KEY,
    is_turn INTEGER NOT NULL
);
