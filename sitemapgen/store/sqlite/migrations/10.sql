-- From version 9 to 10: views, the pages that show only what other pages show.

ALTER TABLE signature ADD COLUMN unbroken BLOB NOT NULL DEFAULT x'';
ALTER TABLE earlier_signature ADD COLUMN unbroken BLOB NOT NULL DEFAULT x'';

CREATE TABLE view (
    key INTEGER PRIMARY KEY,
    pages INTEGER NOT NULL,
    example INTEGER NOT NULL
);
