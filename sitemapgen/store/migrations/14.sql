-- From version 13 to 14: parts of signatures of rendering, families without a pattern, and dates of
-- systems in columns of their own.

ALTER TABLE rendering RENAME TO old_rendering;

CREATE TABLE rendering (
    family TEXT NOT NULL,
    template TEXT NOT NULL,
    seen INTEGER NOT NULL,
    rendered INTEGER NOT NULL,
    gained INTEGER NOT NULL,
    dry INTEGER NOT NULL,
    PRIMARY KEY (family, template)
) WITHOUT ROWID;

INSERT INTO rendering (family, template, seen, rendered, gained, dry)
SELECT substr(signature, 1, instr(signature || ' ', ' ') - 1),
       substr(signature, instr(signature || ' ', ' ') + 1), seen, rendered, gained, dry
FROM old_rendering;

DROP TABLE old_rendering;

DROP INDEX waiting;
ALTER TABLE render RENAME COLUMN signature TO family;
ALTER TABLE render ADD COLUMN template TEXT NOT NULL DEFAULT '';
UPDATE render SET family = substr(family, 1, instr(family || ' ', ' ') - 1),
                  template = substr(family, instr(family || ' ', ' ') + 1);
CREATE INDEX waiting ON render (family, template, waiting, key) WHERE waiting <> '';

DROP INDEX unrendered;
ALTER TABLE render_candidate RENAME COLUMN signature TO family;
ALTER TABLE render_candidate ADD COLUMN template TEXT NOT NULL DEFAULT '';
UPDATE render_candidate SET family = substr(family, 1, instr(family || ' ', ' ') - 1),
                            template = substr(family, instr(family || ' ', ' ') + 1);
CREATE INDEX unrendered ON render_candidate (family, template, key)
WHERE NOT rendered AND NOT is_sample;

ALTER TABLE pattern RENAME TO old_pattern;

CREATE TABLE pattern (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    pattern TEXT UNIQUE,
    family TEXT NOT NULL,
    space TEXT NOT NULL,
    doubt REAL NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    is_endless INTEGER NOT NULL DEFAULT 0,
    constants TEXT NOT NULL DEFAULT '[]',
    size INTEGER NOT NULL DEFAULT 0,
    noise TEXT,
    is_probed INTEGER NOT NULL DEFAULT 0
);

INSERT INTO pattern (id, kind, pattern, family, space, doubt, reason, is_endless, constants, size,
                     noise, is_probed)
SELECT id, kind, iif(family = '', NULL, pattern), iif(family = '', substr(pattern, 8), family),
       space, doubt, reason, is_endless, constants, size, noise, is_probed
FROM old_pattern;

DROP TABLE old_pattern;

CREATE UNIQUE INDEX family ON pattern (family) WHERE pattern IS NULL;

ALTER TABLE sitemap_dates_at_visit RENAME COLUMN said TO sitemaps;
ALTER TABLE sitemap_dates_at_visit ADD COLUMN systems TEXT NOT NULL DEFAULT '';
UPDATE sitemap_dates_at_visit SET
    sitemaps = substr(sitemaps, 1, instr(sitemaps, char(10) || 'api ') - 1),
    systems = replace(substr(sitemaps, instr(sitemaps, char(10) || 'api ') + 5),
                      char(10) || 'api ', char(10))
WHERE instr(sitemaps, char(10) || 'api ');

ALTER TABLE earlier_sitemap_dates_at_visit RENAME COLUMN said TO sitemaps;
ALTER TABLE earlier_sitemap_dates_at_visit ADD COLUMN systems TEXT NOT NULL DEFAULT '';
UPDATE earlier_sitemap_dates_at_visit SET
    sitemaps = substr(sitemaps, 1, instr(sitemaps, char(10) || 'api ') - 1),
    systems = replace(substr(sitemaps, instr(sitemaps, char(10) || 'api ') + 5),
                      char(10) || 'api ', char(10))
WHERE instr(sitemaps, char(10) || 'api ');
