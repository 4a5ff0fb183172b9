/** What a compaction kept beside its summary: a JSON list of source indices, null if the tool recorded none. */
export const migration003 = `
ALTER TABLE compactions ADD COLUMN preserved TEXT;
`;
