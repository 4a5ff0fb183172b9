/**
 * summaries: what people wrote in place of a span of a transcript, [from_seq, to_seq). Like notes they hang on public ids
 * and outlive a new import of the file; `hash` is that of the span's last message, so that a span that moved is found,
 * and one that changed is noticed. Recorded summaries are not here: they are read from the transcript itself.
 */
export const migration013 = `
CREATE TABLE summaries (
  uid TEXT NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  version INTEGER NOT NULL,
  content TEXT NOT NULL,
  origin TEXT NOT NULL,
  hash BLOB NOT NULL,
  written_at TEXT NOT NULL,
  PRIMARY KEY (uid, from_seq, to_seq, version)
) STRICT, WITHOUT ROWID;
`;
