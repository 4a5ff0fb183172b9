/**
 * Which transcripts the counts of beside_counts belong to, so that they go with the last of them, or when a transcript
 * comes to record something else. What was counted before is counted again.
 */
export const migration016 = `
CREATE TABLE beside_uses (
  transcript_id INTEGER PRIMARY KEY REFERENCES transcripts (id) ON DELETE CASCADE,
  digest TEXT NOT NULL
) STRICT;
CREATE INDEX beside_uses_by_digest ON beside_uses (digest);
CREATE TRIGGER beside_use_ended AFTER DELETE ON beside_uses BEGIN
  DELETE FROM beside_counts WHERE digest = old.digest
    AND NOT EXISTS (SELECT 1 FROM beside_uses WHERE digest = old.digest);
END;
CREATE TRIGGER beside_use_changed AFTER UPDATE ON beside_uses WHEN new.digest <> old.digest BEGIN
  DELETE FROM beside_counts WHERE digest = old.digest
    AND NOT EXISTS (SELECT 1 FROM beside_uses WHERE digest = old.digest);
END;
DELETE FROM beside_counts;
`;
