/** Which reader of messages a page's facts come from (FACTS_VERSION of core/model); 0 = before it was noted. */
export const migration004 = `
ALTER TABLE message_pages ADD COLUMN facts_version INTEGER NOT NULL DEFAULT 0;
CREATE INDEX message_pages_by_version ON message_pages (facts_version, transcript_id);
`;
