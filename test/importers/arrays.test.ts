// Lines of a format saved as one JSON array give the same transcripts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ImportedFile, importText } from '../../core/importers/memory.ts';
import { addsUp, codes } from './support.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));

/** What does not depend on where a record stands. */
function saidIn(file: ImportedFile) {
  return file.transcripts.map(({ messages, compactions, spawns, meta }) => ({
    messages: messages.map(({ text, meta: facts }) => ({ text, facts })),
    compactions,
    spawns,
    title: meta.title,
    sessionId: meta.sessionId,
  }));
}

test.each(files)('%s', (name) => {
  const lines = readFileSync(join(FIXTURES, name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const isJson = lines.every((line) => {
    try {
      JSON.parse(line);
      return true;
    } catch {
      return false;
    }
  });
  if (!isJson) return;
  const plain = importText(lines.join('\n'));
  const array = importText(`[\n${lines.join(',\n')}\n]`);
  expect([array.format, addsUp(array)]).toEqual([plain.format, true]);
  expect(saidIn(array)).toEqual(saidIn(plain));
});

test('an array that is cut off gives what is whole', () => {
  const event = (id: string, role: string) => ({
    type: 'message.updated',
    properties: { info: { id, sessionID: 'ses_1', role } },
  });
  const part = (id: string, text: string) => ({
    type: 'message.part.updated',
    properties: { part: { id: `p${id}`, messageID: id, sessionID: 'ses_1', type: 'text', text } },
  });
  const events = [event('m1', 'user'), part('m1', 'hi'), event('m2', 'assistant'), part('m2', 'hello')];
  const whole = JSON.stringify(events, null, 1);
  expect(importText(whole).counts.messages).toBe(2);
  const cut = importText(whole.slice(0, whole.lastIndexOf('"hello"')));
  expect([cut.format, codes(cut)]).toEqual(['opencode', expect.arrayContaining(['import.truncated'])]);
  expect(addsUp(cut)).toBe(true);
});
