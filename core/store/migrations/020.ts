/**
 * Sweeps of policies: what was asked and what came of it (`sweeps`), and the figures of each spec on each transcript
 * (`sweep_results`), which a later sweep does not compute again. `key` = hash of the transcript's content, the version that
 * read it, how it was counted and priced, and the spec; `totals` = tokens of each request, 64-bit floats, little-endian.
 */
export const migration020 = `
CREATE TABLE sweeps (
  id TEXT PRIMARY KEY,
  asked TEXT NOT NULL,
  found TEXT NOT NULL,
  made_at TEXT NOT NULL
) STRICT;
CREATE TABLE sweep_results (
  key TEXT PRIMARY KEY,
  uid TEXT NOT NULL,
  figures TEXT NOT NULL,
  totals BLOB NOT NULL,
  made_at TEXT NOT NULL
) STRICT;
CREATE INDEX sweep_results_by_transcript ON sweep_results (uid);
CREATE INDEX sweep_results_by_age ON sweep_results (made_at);
CREATE TRIGGER sweep_results_gone AFTER DELETE ON transcripts BEGIN
  DELETE FROM sweep_results WHERE uid = old.uid;
END;
`;
