/**
 * Transcripts that are removed and not yet deleted. 1 = to be deleted; 2 = deleted but for its messages, which hold the
 * texts that records of the same file share with them, until the file's last transcript is removed.
 */
export const migration005 = `
ALTER TABLE transcripts ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX transcripts_removed ON transcripts (removed) WHERE removed > 0;
`;
