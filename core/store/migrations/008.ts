/**
 * - feeds: how far the file of a source was read, so that reading can continue (see Feeds).
 * - follows: paths that the program follows, taken up again at its start.
 */
export const migration008 = `
CREATE TABLE feeds (
  source_id INTEGER PRIMARY KEY REFERENCES sources (id) ON DELETE CASCADE,
  bytes_done INTEGER NOT NULL,
  settled_at INTEGER,
  format TEXT NOT NULL,
  head_bytes INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  held_bytes INTEGER NOT NULL,
  records_from INTEGER NOT NULL,
  tail TEXT,
  turn INTEGER NOT NULL
) STRICT;
CREATE INDEX files_by_path ON files (path);

CREATE TABLE follows (
  path TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('file', 'folder')),
  since TEXT NOT NULL
) STRICT;
`;
