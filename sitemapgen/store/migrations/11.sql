-- From version 10 to 11: depth counts links, and not lists; URLs in several forms.

ALTER TABLE url DROP COLUMN steps;
ALTER TABLE link DROP COLUMN same_list;
ALTER TABLE earlier_link DROP COLUMN same_list;

CREATE TABLE form (
    key INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    target INTEGER NOT NULL,
    is_named INTEGER NOT NULL,
    run INTEGER NOT NULL
);

CREATE INDEX target ON form (target);
