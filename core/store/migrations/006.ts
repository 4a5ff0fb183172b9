/**
 * Transcripts may go back and be amended: `revision` rises when messages that were there have changed or are gone.
 * `stats` = a page's share of the numbers in its transcript's row (PageStats as JSON), null in pages written before.
 * - spawns: tool calls that started other transcripts. The indexes find what names a session or an agent.
 */
export const migration006 = `
ALTER TABLE transcripts ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE message_pages ADD COLUMN stats TEXT;

CREATE TABLE spawns (
  transcript_id INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  call_id TEXT NOT NULL,
  agent_id TEXT,
  session_id TEXT,
  PRIMARY KEY (transcript_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX spawns_by_agent ON spawns (agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX spawns_by_session ON spawns (session_id) WHERE session_id IS NOT NULL;

CREATE INDEX transcripts_by_session ON transcripts (json_extract(meta, '$.sessionId'));
CREATE INDEX transcripts_by_parent_session ON transcripts (json_extract(meta, '$.parentSessionId'));
CREATE INDEX transcripts_by_continued ON transcripts (json_extract(meta, '$.continuesSessionId'));
`;
