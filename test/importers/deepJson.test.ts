// JSON that nests deeper than any tool writes: told with its place, nothing thrown, all else read.
import { describe, expect, test } from 'vitest';
import { formats } from '../../core/importers/formats/index.ts';
import { importText } from '../../core/importers/memory.ts';
import { sniff } from '../../core/importers/sniff.ts';
import { MAX_NESTING, tooDeepAt } from '../../core/util/json/index.ts';
import { codes } from './support.ts';

const DEEP = 20_000;
const arrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const said = (content: string): string => `{"role":"user","content":${content}}`;
const HELLO = said('"hello"');

describe('tooDeepAt', () => {
  test.each([
    ['flat', '[1,2,3]', 2, -1],
    ['at the limit', '[[1]]', 2, -1],
    ['above it', '[[[1]]]', 2, 2],
    ['brackets in strings', '["[[[[", "\\"{{{{"]', 2, -1],
    ['many brackets, none within another', `[${'{},'.repeat(20)}{}]`, 2, -1],
    ['deep at the end', '[[],[],{"a":[1]}]', 2, 12],
  ])('%s', (_name, text, limit, at) => {
    expect(tooDeepAt(text, limit)).toBe(at);
  });
});

test.each([
  ['a document of arrays', arrays(DEEP)],
  ['a document of objects', objects(DEEP)],
  ['an open document', '['.repeat(DEEP)],
  ['open objects', '{"a":'.repeat(DEEP)],
  ['lines', `${arrays(DEEP)}\n${arrays(DEEP)}\n`],
  ['a list of deep values', `[${arrays(DEEP)},${objects(DEEP)}]`],
  ['messages in a document', `{"messages":${arrays(DEEP)}}`],
])('%s: refused, and every format was asked', (_name, text) => {
  const bytes = new TextEncoder().encode(text);
  const found = formats.detect(sniff(bytes, true));
  expect(found.ok ? found.value.faults : found.error.text).not.toContain('failed');
  expect(codes(importText(text))).not.toContain('import.reader_failed');
});

// Every format's reader is given the values, whatever its detection says.
test.each(formats.all.map(({ id }) => id))('%s reads what stands around a deep value', (format) => {
  for (const deep of [arrays(DEEP), objects(DEEP)]) {
    for (const text of [
      `${HELLO}\n${said(deep)}\n${HELLO}\n`,
      `[${HELLO},${said(deep)},${HELLO}]`,
      `{"messages":[${HELLO},${said(deep)},${HELLO}],"input":[${said(deep)}],"x":1}`,
      `{"messages":[${HELLO}],"x":${deep}}`,
    ]) {
      expect(codes(importText(text, { format }))).not.toContain('import.reader_failed');
    }
  }
});

test('the line is told with its place, and the lines around it are read', () => {
  const read = importText(`${HELLO}\n${said(arrays(DEEP))}\n${HELLO}\n`);
  expect(read.transcripts[0]?.messages).toHaveLength(2);
  expect(read.problems).toMatchObject([
    { code: 'import.too_deep', severity: 'error', where: { line: 2, column: said('').length - 1 + MAX_NESTING } },
  ]);
});

test('an element of a document is told with its path', () => {
  const read = importText(`{"messages":[${HELLO},${said(arrays(DEEP))}]}`);
  expect(read.transcripts[0]?.messages).toHaveLength(1);
  expect(read.problems).toMatchObject([{ code: 'import.too_deep', text: expect.stringContaining('messages.1') }]);
});

test('what is as deep as the limit is read', () => {
  const read = importText(`${said(arrays(MAX_NESTING - 1))}\n${HELLO}\n`);
  expect([read.transcripts[0]?.messages.length, codes(read)]).toEqual([2, []]);
});
