/**
 * Mappings of files that no format knows. `name` null: not among the saved ones, but files were read by it.
 * sources.mapping: the hash of the mapping a file was read by; the same file read by another is another source.
 */
export const migration011 = `
CREATE TABLE mappings (
  hash TEXT PRIMARY KEY,
  name TEXT UNIQUE,
  json TEXT NOT NULL,
  saved_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE sources ADD COLUMN mapping TEXT;
`;
