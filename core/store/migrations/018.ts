/**
 * The policy, window and tokenizer that a person chose for a transcript: JSON by public id, so that they outlive a new
 * import of the file. No row = nothing was chosen.
 */
export const migration018 = `
CREATE TABLE choices (
  uid TEXT PRIMARY KEY,
  json TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
