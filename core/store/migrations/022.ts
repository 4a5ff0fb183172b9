/** Statements that note a change of a transcript's line in the list. */
const touch = (id: string) => `
  DELETE FROM library_changes WHERE uid IN (SELECT uid FROM transcripts WHERE id = ${id});
  INSERT INTO library_changes (uid) SELECT uid FROM transcripts WHERE id = ${id};`;

/**
 * What was found when transcripts were looked through. `key` = what it was made of and by which rules: of another one it is
 * made again. `sums` = what the list shows, `figures` = requests by time and model, and calls by tool; both JSON.
 */
export const migration022 = `
CREATE TABLE surveys (
  transcript_id INTEGER PRIMARY KEY REFERENCES transcripts (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  sums TEXT NOT NULL,
  figures TEXT NOT NULL
) STRICT;
CREATE TRIGGER surveys_listed_insert AFTER INSERT ON surveys BEGIN${touch('new.transcript_id')}
END;
CREATE TRIGGER surveys_listed_update AFTER UPDATE ON surveys BEGIN${touch('new.transcript_id')}
END;
`;
