/**
 * What the job that indexes has to do is in separate tables, so that finding it takes no time in a large library.
 * - search_todo: pages to be indexed, noted by triggers when they come or change.
 * - search_gone: contents that are deleted while their words are still in the index; taking them out at once would make
 *   every removal slow. Their numbers may be given to new contents.
 */
export const migration012 = `
CREATE TABLE search_todo (
  page_id INTEGER PRIMARY KEY REFERENCES message_pages (id) ON DELETE CASCADE
) STRICT;
INSERT INTO search_todo (page_id)
SELECT id FROM message_pages WHERE id NOT IN (SELECT page_id FROM search_pages);

CREATE TABLE search_gone (
  content_id INTEGER PRIMARY KEY
) STRICT;

DROP TRIGGER search_page_changed;
DROP TRIGGER search_message_changed;
DROP TRIGGER search_content_deleted;

CREATE TRIGGER search_page_added AFTER INSERT ON message_pages BEGIN
  INSERT OR IGNORE INTO search_todo (page_id) VALUES (new.id);
END;
CREATE TRIGGER search_page_changed AFTER UPDATE OF first, count, facts, meta ON message_pages BEGIN
  DELETE FROM search_pages WHERE page_id = old.id;
  INSERT OR IGNORE INTO search_todo (page_id) VALUES (old.id);
END;
CREATE TRIGGER search_message_changed AFTER UPDATE OF content_id ON messages BEGIN
  INSERT OR IGNORE INTO search_todo (page_id) SELECT page_id FROM search_pages
  WHERE transcript_id = old.transcript_id AND first <= old.idx AND first + count > old.idx;
  DELETE FROM search_pages WHERE transcript_id = old.transcript_id AND first <= old.idx AND first + count > old.idx;
END;
CREATE TRIGGER search_content_deleted AFTER DELETE ON contents BEGIN
  INSERT OR IGNORE INTO search_gone (content_id)
  SELECT old.id WHERE EXISTS (SELECT 1 FROM search_docsize WHERE id = old.id);
END;
`;
