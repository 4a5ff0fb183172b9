/**
 * Full-text search. search: the words of every content (rowid = contents.id), without the texts; see SearchIndex.
 * - search_pages: pages of messages whose contents are all indexed, with what is asked of messages beside their content.
 *   A page that changes is taken out by triggers and indexed again.
 * - search_cut: contents too long to be indexed whole. search_state: which version of the program made the index.
 */
export const migration007 = `
CREATE VIRTUAL TABLE search USING fts5(text, content='', contentless_delete=1, tokenize='ascii', detail='full');

CREATE TABLE search_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version TEXT NOT NULL
) STRICT;

CREATE TABLE search_pages (
  page_id INTEGER PRIMARY KEY REFERENCES message_pages (id) ON DELETE CASCADE,
  transcript_id INTEGER NOT NULL,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  models TEXT NOT NULL,
  marks BLOB NOT NULL
) STRICT;
CREATE INDEX search_pages_by_transcript ON search_pages (transcript_id, first, count);

CREATE TABLE search_cut (
  content_id INTEGER PRIMARY KEY REFERENCES contents (id) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER search_page_changed AFTER UPDATE OF first, count, facts, meta ON message_pages BEGIN
  DELETE FROM search_pages WHERE page_id = old.id;
END;
CREATE TRIGGER search_message_changed AFTER UPDATE OF content_id ON messages BEGIN
  DELETE FROM search_pages WHERE transcript_id = old.transcript_id AND first <= old.idx AND first + count > old.idx;
END;
CREATE TRIGGER search_content_deleted AFTER DELETE ON contents BEGIN
  DELETE FROM search WHERE rowid = old.id;
END;
`;
