-- From version 17 to 18: redirects of redirects, and wrong dates of pages.

ALTER TABLE link_fault ADD COLUMN hops INTEGER NOT NULL DEFAULT -1;
ALTER TABLE link_fault ADD COLUMN links INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sitemap_date_fault RENAME TO date_fault;
ALTER TABLE date_fault RENAME COLUMN fault TO sitemap;
ALTER TABLE date_fault ADD COLUMN others INTEGER NOT NULL DEFAULT 0;
