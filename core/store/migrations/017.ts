/**
 * What the requests of a transcript hold apart from its messages that it does not record, as a person said: tokens by
 * public id, so that they outlive a new import of the file. 0 = said to be nothing.
 */
export const migration017 = `
CREATE TABLE overheads (
  uid TEXT PRIMARY KEY,
  tokens INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
