/**
 * Every byte of a file: exact bytes of records whose text is not them (invalid UTF-8, documents that were cut off), and
 * fillers, which belong to no record. A byte in neither is a line feed, or the next one of a document's remainder.
 */
export const migration002 = `
ALTER TABLE records ADD COLUMN bytes BLOB;

CREATE TABLE fillers (
  source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  byte_start INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (source_id, byte_start)
) STRICT, WITHOUT ROWID;
`;
