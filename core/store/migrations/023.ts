/**
 * What a person decided about values that were found before something left: by a digest that only this library can make, never
 * by the value. And the words and expressions that are to be masked besides, in their order.
 */
export const migration023 = `
CREATE TABLE scrub_key (bytes BLOB NOT NULL) STRICT;
INSERT INTO scrub_key (bytes) VALUES (randomblob(32));
CREATE TABLE scrub_decisions (
  digest TEXT PRIMARY KEY,
  decision TEXT NOT NULL,
  made_at TEXT NOT NULL
) STRICT;
CREATE TABLE scrub_rules (
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (kind, text)
) STRICT;
`;
