-- From version 7 to 8: excerpts are compressed and, like signatures, in tables of their own; links
-- are numbers of URLs (store/packing.py writes them).

ALTER TABLE url ADD COLUMN number INTEGER;

UPDATE url SET number = ordered.number FROM (
    SELECT key, row_number() OVER (ORDER BY position, key) AS number FROM url WHERE sources <> 16
) AS ordered WHERE ordered.key = url.key;

CREATE UNIQUE INDEX numbered ON url (number);

ALTER TABLE page RENAME TO old_page;

CREATE TABLE page (
    key INTEGER PRIMARY KEY,
    status INTEGER,
    title TEXT NOT NULL,
    text_hash INTEGER,
    content_hash INTEGER,
    subject INTEGER,
    signature_id INTEGER,
    pictures BLOB NOT NULL,
    text_length INTEGER NOT NULL,
    language TEXT NOT NULL,
    canonical TEXT NOT NULL,
    alternates BLOB NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    answered INTEGER NOT NULL,
    claims TEXT NOT NULL,
    lastmod TEXT NOT NULL,
    lastmod_source TEXT NOT NULL,
    lastmod_evidence TEXT NOT NULL,
    own_verdict TEXT NOT NULL,
    own_evidence TEXT NOT NULL,
    own_reason TEXT NOT NULL,
    own_other_url TEXT NOT NULL,
    run INTEGER NOT NULL,
    visited INTEGER NOT NULL,
    changed INTEGER,
    is_lasting INTEGER NOT NULL,
    revisit INTEGER NOT NULL,
    validation INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    excerpt_id INTEGER,
    excerpt TEXT NOT NULL
);

CREATE TABLE excerpt (
    id INTEGER PRIMARY KEY,
    packed BLOB NOT NULL
);

CREATE TABLE signature (
    id INTEGER PRIMARY KEY,
    signature BLOB NOT NULL
);

INSERT INTO page (
    key, status, title, text_hash, content_hash, subject, signature_id, pictures, text_length,
    language, canonical, alternates, etag, last_modified, answered, claims, lastmod,
    lastmod_source, lastmod_evidence, own_verdict, own_evidence, own_reason, own_other_url, run,
    visited, changed, is_lasting, revisit, validation, failures, excerpt_id, excerpt
)
SELECT
    key, status, title, text_hash, content_hash, subject,
    iif(signature <> x'', row_number() OVER (ORDER BY key), NULL), pictures, text_length,
    language, canonical, alternates, etag, last_modified, answered, claims, lastmod,
    lastmod_source, lastmod_evidence, own_verdict, own_evidence, own_reason, own_other_url, run,
    visited, changed, is_lasting, revisit, validation, failures,
    iif(text_hash NOT NULL, row_number() OVER (ORDER BY key), NULL),
    iif(text_hash NOT NULL, '', excerpt)
FROM old_page ORDER BY key;

INSERT INTO excerpt (id, packed)
SELECT new.excerpt_id, pack_text(old.excerpt)
FROM page AS new JOIN old_page AS old USING (key)
WHERE new.excerpt_id NOT NULL ORDER BY key;

INSERT INTO signature (id, signature)
SELECT new.signature_id, old.signature
FROM page AS new JOIN old_page AS old USING (key)
WHERE new.signature_id NOT NULL ORDER BY key;

DROP TABLE old_page;

ALTER TABLE earlier_page RENAME TO old_earlier_page;

CREATE TABLE earlier_page (
    key INTEGER PRIMARY KEY,
    status INTEGER,
    title TEXT NOT NULL,
    text_hash INTEGER,
    content_hash INTEGER,
    subject INTEGER,
    signature_id INTEGER,
    pictures BLOB NOT NULL,
    text_length INTEGER NOT NULL,
    language TEXT NOT NULL,
    canonical TEXT NOT NULL,
    alternates BLOB NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    answered INTEGER NOT NULL,
    claims TEXT NOT NULL,
    lastmod TEXT NOT NULL,
    lastmod_source TEXT NOT NULL,
    lastmod_evidence TEXT NOT NULL,
    own_verdict TEXT NOT NULL,
    own_evidence TEXT NOT NULL,
    own_reason TEXT NOT NULL,
    own_other_url TEXT NOT NULL,
    run INTEGER NOT NULL,
    visited INTEGER NOT NULL,
    changed INTEGER,
    is_lasting INTEGER NOT NULL,
    revisit INTEGER NOT NULL,
    validation INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    excerpt_id INTEGER,
    excerpt TEXT NOT NULL
);

CREATE TABLE earlier_excerpt (
    id INTEGER PRIMARY KEY,
    packed BLOB NOT NULL
);

CREATE TABLE earlier_signature (
    id INTEGER PRIMARY KEY,
    signature BLOB NOT NULL
);

INSERT INTO earlier_page (
    key, status, title, text_hash, content_hash, subject, signature_id, pictures, text_length,
    language, canonical, alternates, etag, last_modified, answered, claims, lastmod,
    lastmod_source, lastmod_evidence, own_verdict, own_evidence, own_reason, own_other_url, run,
    visited, changed, is_lasting, revisit, validation, failures, excerpt_id, excerpt
)
SELECT
    key, status, title, text_hash, content_hash, subject,
    iif(signature <> x'', row_number() OVER (ORDER BY key), NULL), pictures, text_length,
    language, canonical, alternates, etag, last_modified, answered, claims, lastmod,
    lastmod_source, lastmod_evidence, own_verdict, own_evidence, own_reason, own_other_url, run,
    visited, changed, is_lasting, revisit, validation, failures,
    iif(text_hash NOT NULL, row_number() OVER (ORDER BY key), NULL),
    iif(text_hash NOT NULL, '', excerpt)
FROM old_earlier_page ORDER BY key;

INSERT INTO earlier_excerpt (id, packed)
SELECT new.excerpt_id, pack_text(old.excerpt)
FROM earlier_page AS new JOIN old_earlier_page AS old USING (key)
WHERE new.excerpt_id NOT NULL ORDER BY key;

INSERT INTO earlier_signature (id, signature)
SELECT new.signature_id, old.signature
FROM earlier_page AS new JOIN old_earlier_page AS old USING (key)
WHERE new.signature_id NOT NULL ORDER BY key;

DROP TABLE old_earlier_page;

ALTER TABLE link RENAME TO old_link;

CREATE TABLE link (
    source INTEGER PRIMARY KEY,
    followed BLOB NOT NULL,
    nofollow BLOB NOT NULL,
    same_list BLOB NOT NULL
);

ALTER TABLE earlier_link RENAME TO old_earlier_link;

CREATE TABLE earlier_link (
    source INTEGER PRIMARY KEY,
    followed BLOB NOT NULL,
    nofollow BLOB NOT NULL,
    same_list BLOB NOT NULL
);
