-- From version 5 to 6: the URL that a verdict is about and its reason are columns; the version of
-- the reader determines which pages are carried over.

ALTER TABLE run ADD COLUMN reader INTEGER NOT NULL DEFAULT 0;

UPDATE run SET reader = iif(round < 0, 0, 1), round = max(round, 0);

ALTER TABLE url ADD COLUMN reason TEXT NOT NULL DEFAULT '';

ALTER TABLE url ADD COLUMN other_url TEXT NOT NULL DEFAULT '';

ALTER TABLE page ADD COLUMN own_reason TEXT NOT NULL DEFAULT '';

ALTER TABLE page ADD COLUMN own_other_url TEXT NOT NULL DEFAULT '';

ALTER TABLE earlier_page ADD COLUMN own_reason TEXT NOT NULL DEFAULT '';

ALTER TABLE earlier_page ADD COLUMN own_other_url TEXT NOT NULL DEFAULT '';

-- Before, the last word of the evidence was the other URL.
UPDATE url SET other_url = substr(evidence, length(rtrim(evidence, replace(evidence, ' ', ''))) + 1)
WHERE verdict IN ('redirect', 'offsite_redirect', 'canonicalised', 'duplicate')
OR verdict = 'listed' AND evidence GLOB '*same content * http*://*';

UPDATE url SET other_url = substr(evidence, 14, instr(evidence, ', which') - 14)
WHERE verdict = 'soft_404';

UPDATE page SET own_other_url =
    substr(own_evidence, length(rtrim(own_evidence, replace(own_evidence, ' ', ''))) + 1)
WHERE own_verdict IN ('redirect', 'offsite_redirect', 'canonicalised');

UPDATE earlier_page SET own_other_url =
    substr(own_evidence, length(rtrim(own_evidence, replace(own_evidence, ' ', ''))) + 1)
WHERE own_verdict IN ('redirect', 'offsite_redirect', 'canonicalised');

UPDATE url SET reason = 'same_content'
WHERE verdict IN ('duplicate', 'listed') AND evidence GLOB 'same content *http*://*';

UPDATE url SET reason = 'near_duplicate'
WHERE verdict IN ('duplicate', 'listed') AND evidence GLOB 'nearly the same content *';

UPDATE url SET reason = 'crashed'
WHERE verdict = 'fetch_error' AND evidence = 'the crawler crashed twice while reading it';

UPDATE url SET reason = 'lost'
WHERE verdict = 'fetch_error' AND evidence = 'lost inside the crawler; its log says why';

UPDATE url SET reason = 'permanent'
WHERE verdict IN ('fetch_error', 'unrenderable') AND (
    evidence GLOB 'the answer is too large*' OR evidence GLOB 'the answer is not in the encoding*'
    OR evidence GLOB 'TLS failed*' OR evidence GLOB 'needs a browser*'
    OR evidence GLOB 'a private address*' OR evidence GLOB 'DOWNLOAD_HANDLERS has no*'
);

UPDATE page SET own_reason = (SELECT reason FROM url WHERE url.key = page.key)
WHERE own_verdict IN ('fetch_error', 'unrenderable');

ALTER TABLE page RENAME COLUMN spared TO revisit;

ALTER TABLE earlier_page RENAME COLUMN spared TO revisit;

ALTER TABLE settled RENAME TO final_lastmod;

ALTER TABLE earlier_settled RENAME TO earlier_final_lastmod;

ALTER TABLE judged RENAME TO render_candidate;

ALTER TABLE outcome RENAME TO verdict_history;

ALTER TABLE said RENAME TO sitemap_dates_at_visit;

ALTER TABLE earlier_said RENAME TO earlier_sitemap_dates_at_visit;
