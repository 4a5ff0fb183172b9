/** Statements that note a change of the transcripts that `uids` selects. Not `INSERT OR …`: an outer one overrules it. */
const touch = (uids: string) => `
  DELETE FROM library_changes WHERE uid IN (${uids});
  INSERT INTO library_changes (uid) ${uids};`;

const touchRow = (id: string) => touch(`SELECT uid FROM transcripts WHERE id = ${id}`);

/** A trigger for each of these events. */
const onEach = (table: string, events: readonly string[], statements: (row: 'new' | 'old') => string) =>
  events
    .map((event) => {
      const name = `${table}_listed_${event.split(' ')[0]!.toLowerCase()}`;
      return `CREATE TRIGGER ${name} AFTER ${event} ON ${table} BEGIN${statements(event === 'DELETE' ? 'old' : 'new')}\nEND;`;
    })
    .join('\n');

/**
 * The library as people keep it. Own titles, tags and marks hang on public ids: they outlive a new import of the file.
 * - transcripts.errors: results marked as errors (null = not counted yet); purge_at: when a removed one is deleted, as
 *   milliseconds since 1970; until then it can be brought back.
 * - message_marks: notes and bookmarks; `hash` is that of the message's exact text, so that one that moved is found and
 *   one that changed is noticed.
 * - derived: what is worked out after an import, as of `messages` and `revision`: first words, and the transcript
 *   (`base_id`) whose first `shared` messages it begins with.
 * - library_changes: which transcripts look different in the list since when, kept by triggers.
 */
export const migration010 = `
ALTER TABLE transcripts ADD COLUMN errors INTEGER;
ALTER TABLE transcripts ADD COLUMN purge_at INTEGER;

CREATE TABLE own_titles (
  uid TEXT PRIMARY KEY,
  title TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tags (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  color INTEGER NOT NULL
) STRICT;

CREATE TABLE transcript_tags (
  uid TEXT NOT NULL,
  tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  PRIMARY KEY (uid, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX transcript_tags_by_tag ON transcript_tags (tag_id);

CREATE TABLE message_marks (
  uid TEXT NOT NULL,
  idx INTEGER NOT NULL,
  hash BLOB NOT NULL,
  bookmarked_at TEXT,
  note TEXT,
  noted_at TEXT,
  PRIMARY KEY (uid, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE derived (
  transcript_id INTEGER PRIMARY KEY REFERENCES transcripts (id) ON DELETE CASCADE,
  messages INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  first_text TEXT,
  base_id INTEGER REFERENCES transcripts (id) ON DELETE SET NULL,
  shared INTEGER NOT NULL
) STRICT;
CREATE INDEX derived_by_base ON derived (base_id);

CREATE TABLE library_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE
) STRICT;
${onEach('transcripts', ['INSERT', 'DELETE'], (row) => touch(`SELECT ${row}.uid`))}
CREATE TRIGGER transcripts_listed_update AFTER UPDATE ON transcripts BEGIN${touch(`SELECT old.uid UNION SELECT new.uid
  UNION SELECT t.uid FROM derived d JOIN transcripts t ON t.id = d.transcript_id WHERE d.base_id = new.id`)}
END;
${onEach('token_totals', ['INSERT', 'UPDATE', 'DELETE'], (row) => touchRow(`${row}.transcript_id`))}
${onEach('files', ['INSERT'], () => touch('SELECT uid FROM transcripts WHERE source_id = new.source_id'))}
${onEach('own_titles', ['INSERT', 'UPDATE', 'DELETE'], (row) => touch(`SELECT ${row}.uid`))}
${onEach('transcript_tags', ['INSERT', 'DELETE'], (row) => touch(`SELECT ${row}.uid`))}
${onEach('message_marks', ['INSERT', 'UPDATE', 'DELETE'], (row) => touch(`SELECT ${row}.uid`))}
${onEach('derived', ['INSERT', 'UPDATE'], (row) => touchRow(`${row}.transcript_id`))}
`;
