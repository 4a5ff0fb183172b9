/**
 * What-ifs made here, and context policies that a transcript has for itself.
 * - A what-if is a transcript of a source without files; its meta says what it was forked from (`whatIf`), which is
 *   found by the index.
 * - context_policies: options by public id; they outlive a new import of the file.
 */
export const migration014 = `
CREATE INDEX transcripts_by_fork ON transcripts (json_extract(meta, '$.whatIf.parentId'));

CREATE TABLE context_policies (
  uid TEXT PRIMARY KEY,
  options TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
