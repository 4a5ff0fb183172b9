/**
 * Watchpoints: texts that a person watches in a transcript, by its public id. `name` null = it is called by its text;
 * `color` as named colours have them, 0 to 5; `position` = their order, which need not be without gaps.
 */
export const migration021 = `
CREATE TABLE watchpoints (
  id TEXT PRIMARY KEY,
  uid TEXT NOT NULL,
  text TEXT NOT NULL,
  match_case INTEGER NOT NULL,
  whole_word INTEGER NOT NULL,
  name TEXT,
  color INTEGER NOT NULL,
  position INTEGER NOT NULL,
  made_at TEXT NOT NULL
) STRICT;
CREATE INDEX watchpoints_by_transcript ON watchpoints (uid, position);
`;
