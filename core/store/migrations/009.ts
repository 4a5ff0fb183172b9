/**
 * What a compaction did: its kind (null = a summary in place of what came before), when, and as JSON what only some kinds
 * have: the history it put in place, the calls whose results it emptied, the size of what cannot be read.
 */
export const migration009 = `
ALTER TABLE compactions ADD COLUMN kind TEXT;
ALTER TABLE compactions ADD COLUMN timestamp TEXT;
ALTER TABLE compactions ADD COLUMN detail TEXT;
`;
