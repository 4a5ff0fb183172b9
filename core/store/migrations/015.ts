/**
 * Tokens of what is beside a transcript's messages, system prompt and tools, by what they are: sessions of one tool
 * share them. `key` = tokenizer and image rule, `digest` = SHA-256 of the two JSON texts.
 */
export const migration015 = `
CREATE TABLE beside_counts (
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  system INTEGER NOT NULL,
  tools INTEGER NOT NULL,
  PRIMARY KEY (key, digest)
) STRICT, WITHOUT ROWID;
`;
