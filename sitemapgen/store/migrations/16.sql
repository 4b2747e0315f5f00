-- From version 15 to 16: headings, and what SEO tools audit in a page.

ALTER TABLE page ADD COLUMN h1 TEXT;
ALTER TABLE page ADD COLUMN on_page TEXT NOT NULL DEFAULT '';
ALTER TABLE earlier_page ADD COLUMN h1 TEXT;
ALTER TABLE earlier_page ADD COLUMN on_page TEXT NOT NULL DEFAULT '';
