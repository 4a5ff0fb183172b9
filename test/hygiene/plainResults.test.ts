// What is said of a message of results without reading it is what reading it says.
import { describe, expect, it } from 'vitest';
import { readMessage } from '../../core/model/readMessage.ts';
import { inspectMessage, plainResults } from '../../core/stages/hygiene/traits.ts';
import { hygieneCase } from '../support/hygieneCases.ts';

function compare(text: string): boolean {
  const message = JSON.parse(text);
  const facts = readMessage(message);
  const plain = plainResults(text, facts);
  if (plain !== null) expect(plain, text).toEqual(inspectMessage(message, facts));
  return plain !== null;
}

const result = (more: object) => ({ type: 'tool_result', tool_use_id: 'a', content: 'here', ...more });
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };

const READ: readonly object[] = [
  { role: 'user', content: [result({})], details: {} },
  { role: 'user', content: [result({})], provenance: { kind: 'inter_session' } },
  { role: 'user', content: [result({})], stopReason: 'error' },
  { role: 'user', content: [result({ thoughtSignature: 'x' })] },
  { role: 'user', content: [result({ thought_signature: 'x' })] },
  { role: 'user', content: [result({ content: [image] })] },
];

describe('traits of plain results', () => {
  it('are those that reading finds, in random histories', () => {
    let plain = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const { source } = hygieneCase(seed);
      for (let index = 0; index < source.length; index++) if (compare(source.text(index))) plain++;
    }
    expect(plain).toBeGreaterThan(200);
  });

  it('are read where something else may be there, in whatever way its key is written', () => {
    for (const message of READ) {
      const text = JSON.stringify(message);
      expect(compare(text), text).toBe(false);
      const escaped = text.replace(/"(details|provenance|stopReason|thought\w+|image)"/g, (key) => escapedKey(key));
      expect(escaped, text).not.toBe(text);
      expect(compare(escaped), escaped).toBe(false);
    }
    expect(compare(JSON.stringify({ role: 'user', content: [result({})] }))).toBe(true);
  });
});

// The same string with its first letter as an escape.
function escapedKey(key: string): string {
  return `"\\u00${key.charCodeAt(1).toString(16)}${key.slice(2)}`;
}
