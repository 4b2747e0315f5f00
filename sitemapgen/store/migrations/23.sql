-- From version 22 to 23: what resting pages repeat.

ALTER TABLE resting ADD COLUMN base INTEGER;
ALTER TABLE earlier_resting ADD COLUMN base INTEGER;
