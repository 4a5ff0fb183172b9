/**
 * The first schema. What every table is for:
 * - sources: one content of a file; files: the paths it was seen at; imports: marks of imports under way.
 * - transcripts: one row each; counts and meta are refreshed with every batch of an import. `request` is the part of
 *   meta that may be large: system prompt and tool definitions.
 * - contents: exact texts of messages, once per content, without their binary payloads; content_assets puts those back.
 * - messages: which content stands where; message_pages: everything small about a run of messages, packed.
 * - records: the file's records; what a record shares with a message is cut out of it (`slices`), payloads too.
 * - token_counts: counts by content, so nothing is counted twice; token_pages and token_totals: the same by transcript.
 */
export const migration001 = `
CREATE TABLE sources (
  id INTEGER PRIMARY KEY,
  probe BLOB NOT NULL,
  uid_base BLOB NOT NULL,
  sha256 BLOB,
  bytes INTEGER NOT NULL,
  incomplete INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sources_by_probe ON sources (probe);

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  mtime_ms INTEGER NOT NULL,
  added_at TEXT NOT NULL,
  UNIQUE (source_id, path)
) STRICT;

CREATE TABLE imports (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  owner TEXT NOT NULL UNIQUE,
  started_at TEXT NOT NULL,
  bytes_done INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX imports_by_source ON imports (source_id);

CREATE TABLE transcripts (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  source_id INTEGER NOT NULL REFERENCES sources (id),
  key TEXT NOT NULL,
  format TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('importing', 'ready', 'failed')),
  imported_at TEXT NOT NULL,
  meta TEXT NOT NULL,
  request TEXT,
  models TEXT NOT NULL DEFAULT '[]',
  started_at TEXT,
  ended_at TEXT,
  failure TEXT,
  messages INTEGER NOT NULL DEFAULT 0,
  parts INTEGER NOT NULL DEFAULT 0,
  turns INTEGER NOT NULL DEFAULT 0,
  call_points INTEGER NOT NULL DEFAULT 0,
  events INTEGER NOT NULL DEFAULT 0,
  compactions INTEGER NOT NULL DEFAULT 0,
  problems INTEGER NOT NULL DEFAULT 0,
  assets INTEGER NOT NULL DEFAULT 0,
  UNIQUE (source_id, key)
) STRICT;

CREATE TABLE contents (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  payloads INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE assets (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  mime TEXT NOT NULL,
  size INTEGER NOT NULL,
  width INTEGER,
  height INTEGER,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE content_assets (
  content_id INTEGER NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  encoding TEXT NOT NULL CHECK (encoding IN ('base64', 'base64url', 'raw')),
  asset_id INTEGER NOT NULL REFERENCES assets (id),
  PRIMARY KEY (content_id, start)
) STRICT, WITHOUT ROWID;
CREATE INDEX content_assets_by_asset ON content_assets (asset_id);

CREATE TABLE messages (
  transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  content_id INTEGER NOT NULL REFERENCES contents (id),
  PRIMARY KEY (transcript_id, idx)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_by_content ON messages (content_id);

CREATE TABLE message_pages (
  id INTEGER PRIMARY KEY,
  transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  part_counts BLOB NOT NULL,
  facts TEXT NOT NULL,
  meta TEXT NOT NULL,
  origins TEXT NOT NULL,
  UNIQUE (transcript_id, first)
) STRICT;

CREATE TABLE records (
  source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  byte_start INTEGER NOT NULL,
  byte_end INTEGER NOT NULL,
  line INTEGER NOT NULL,
  ignored TEXT,
  payloads INTEGER NOT NULL,
  slices TEXT,
  text TEXT NOT NULL,
  PRIMARY KEY (source_id, byte_start)
) STRICT, WITHOUT ROWID;

CREATE TABLE record_assets (
  source_id INTEGER NOT NULL,
  byte_start INTEGER NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  encoding TEXT NOT NULL CHECK (encoding IN ('base64', 'base64url', 'raw')),
  asset_id INTEGER NOT NULL REFERENCES assets (id),
  PRIMARY KEY (source_id, byte_start, start),
  FOREIGN KEY (source_id, byte_start) REFERENCES records (source_id, byte_start) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX record_assets_by_asset ON record_assets (asset_id);

CREATE TABLE events (
  transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  visibility TEXT NOT NULL,
  timestamp TEXT,
  text TEXT NOT NULL,
  line INTEGER NOT NULL,
  byte_start INTEGER NOT NULL,
  byte_end INTEGER NOT NULL,
  json_start INTEGER NOT NULL,
  json_length INTEGER NOT NULL,
  json TEXT,
  PRIMARY KEY (transcript_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE compactions (
  transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  label TEXT NOT NULL,
  trigger_kind TEXT,
  pre_tokens INTEGER,
  post_tokens INTEGER,
  summary_index INTEGER,
  PRIMARY KEY (transcript_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE problems (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  transcript_id INTEGER REFERENCES transcripts (id) ON DELETE CASCADE,
  code TEXT NOT NULL,
  severity TEXT NOT NULL,
  text TEXT NOT NULL,
  place TEXT
) STRICT;
CREATE INDEX problems_by_transcript ON problems (transcript_id);
CREATE INDEX problems_by_source ON problems (source_id);

CREATE TABLE token_counts (
  tokenizer TEXT NOT NULL,
  content_id INTEGER NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
  counts BLOB NOT NULL,
  PRIMARY KEY (tokenizer, content_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX token_counts_by_content ON token_counts (content_id);

CREATE TABLE token_pages (
  transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  tokenizer TEXT NOT NULL,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  counts BLOB NOT NULL,
  PRIMARY KEY (transcript_id, tokenizer, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE token_totals (
  transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  tokenizer TEXT NOT NULL,
  messages INTEGER NOT NULL,
  by_category TEXT NOT NULL,
  PRIMARY KEY (transcript_id, tokenizer)
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
