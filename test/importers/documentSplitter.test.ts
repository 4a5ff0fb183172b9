import { describe, expect, it } from 'vitest';
import { DocumentSplitter } from '../../core/importers/reading/documentSplitter.ts';
import type { SourceRecord } from '../../core/model/importSink.ts';
import type { Problem } from '../../core/model/problem.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { chunks } from './support.ts';

const PATTERNS = [['*'], ['messages', '*'], ['request', 'messages', '*']];
const DEAF = { broken: () => {}, filler: () => {}, problem: () => {} };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function split(pieces: readonly Uint8Array[], patterns = PATTERNS): { records: SourceRecord[]; problems: Problem[] } {
  const records: SourceRecord[] = [];
  const problems: Problem[] = [];
  const splitter = new DocumentSplitter(patterns, {
    record: (r) => records.push(r),
    ...DEAF,
    problem: (p) => problems.push(p),
  });
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return { records, problems };
}

const show = (record: SourceRecord): string =>
  `${record.path.join('.')} ${record.line} [${record.byteStart},${record.byteEnd}) ${record.text}`;

describe('DocumentSplitter', () => {
  it.each([
    [
      'a bare array',
      '[ {"a":1}, 2, "x]" ,null]',
      ['0 1 [2,9) {"a":1}', '1 1 [11,12) 2', '2 1 [14,18) "x]"', '3 1 [20,24) null', ' 1 [0,25) []'],
    ],
    [
      'a list inside, on several lines',
      '{\n "model": "m",\n "messages": [\n  {"role":"user"},\n  {"r":[1,{}]}\n ], "n": 1}\n',
      [
        'messages.0 4 [34,49) {"role":"user"}',
        'messages.1 5 [53,65) {"r":[1,{}]}',
        ' 1 [0,78) {\n "model": "m",\n "messages": [], "n": 1}',
      ],
    ],
    [
      'deeper',
      '{"request":{"messages":[1],"x":[2]}}',
      ['request.messages.0 1 [24,25) 1', ' 1 [0,36) {"request":{"messages":[],"x":[2]}}'],
    ],
    ['a list of another name', '{"other":[{"messages":[1]}]}', [' 1 [0,28) {"other":[{"messages":[1]}]}']],
    ['an escaped key', '{"mess\\u0061ges":[1]}', ['messages.0 1 [18,19) 1', ' 1 [0,21) {"mess\\u0061ges":[]}']],
    [
      'quotes and brackets in strings',
      '{"s":"]}\\"[","messages":["\\\\","[\\""]}',
      ['messages.0 1 [25,29) "\\\\"', 'messages.1 1 [30,35) "[\\""', ' 1 [0,37) {"s":"]}\\"[","messages":[]}'],
    ],
    ['an empty list', '{"messages":[ ]}', [' 1 [0,16) {"messages":[]}']],
    ['messages that is no list', '{"messages":{"a":[1]}}', [' 1 [0,22) {"messages":{"a":[1]}}']],
    ['a byte order mark', '\ufeff[1]', ['0 1 [4,5) 1', ' 1 [0,6) []']],
  ])('%s', (_name, text, expected) => {
    const { records, problems } = split([encode(text)]);
    expect(records.map(show)).toEqual(expected);
    expect(problems).toEqual([]);
  });

  it('takes a nesting deeper than any stack', () => {
    const deep = `${'['.repeat(200_000)}1${']'.repeat(200_000)}`;
    const { records, problems } = split([encode(`{"x":${deep},"messages":[{"y":${deep}}]}`)]);
    expect(records.map((record) => record.path.join('.'))).toEqual(['messages.0', '']);
    expect(problems).toEqual([]);
  });

  it.each([
    ['inside an element', '{"m":1,\n"messages":[{"a":1},\n{"b', ['messages.0', ''], 3, '{"m":1,\n"messages":[]}'],
    ['between elements', '[{"a":1},', ['0', ''], 1, '[]'],
    ['after the list', '{"messages":[1],"x":2', ['messages.0', ''], 1, '{"messages":[],"x":2}'],
  ])('delivers what is whole of a document cut off %s', (_name, text, paths, line, remainder) => {
    const { records, problems } = split([encode(text)]);
    expect(records.map((record) => record.path.join('.'))).toEqual(paths);
    expect(records.at(-1)?.text).toBe(remainder);
    expect(problems).toMatchObject([{ code: 'import.truncated', where: { line } }]);
  });

  it('gives a broken element with its error and goes on', () => {
    const { records } = split([encode('[{"a":},{"b":1}]')]);
    expect(records.map((record) => [record.text, record.error !== undefined])).toEqual([
      ['{"a":}', true],
      ['{"b":1}', false],
      ['[]', false],
    ]);
  });

  it('gives an element beyond the limit as a record with an error', () => {
    const records: SourceRecord[] = [];
    const splitter = new DocumentSplitter([['*']], { record: (r) => records.push(r), ...DEAF }, { limit: 8 });
    for (const piece of ['["12345', '67890123"', ',"ab"]']) splitter.push(encode(piece));
    splitter.end();
    expect(
      records.map((record) => [record.text, record.error !== undefined, record.byteStart, record.byteEnd]),
    ).toEqual([
      ['', true, 1, 16],
      ['"ab"', false, 17, 21],
      ['[]', false, 0, 22],
    ]);
  });

  it('points out text after the document', () => {
    expect(split([encode('[1]\n[2]')]).problems).toMatchObject([
      { code: 'import.trailing_text', where: { line: 2, byteStart: 4 } },
    ]);
  });

  // The oracle: JSON.parse of the whole. Elements must equal the lists', the remainder the document without them.
  it('agrees with JSON.parse on random documents in random chunks', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const rng = seededRng(seed);
      const messages = Array.from({ length: Math.floor(rng.next() * 5) }, () => randomValue(rng, 3));
      const extra = randomValue(rng, 3);
      const doc = { a: extra, messages, request: { messages: [randomValue(rng, 2)], k: 1 }, z: null };
      const text = JSON.stringify(doc, null, rng.next() < 0.5 ? 2 : 0);
      const { records, problems } = split(chunks(encode(text), rng));
      const note = `seed ${seed}: ${text}`;
      expect(problems, note).toEqual([]);
      const elements = records.filter((record) => record.path.length > 0);
      expect(
        elements.map((record) => record.value),
        note,
      ).toEqual([...messages, ...doc.request.messages]);
      expect(records.at(-1)?.value, note).toEqual({ ...doc, messages: [], request: { messages: [], k: 1 } });
      for (const record of elements) {
        expect(new TextDecoder().decode(encode(text).subarray(record.byteStart, record.byteEnd)), note).toBe(
          record.text,
        );
        expect(record.line, note).toBe(
          new TextDecoder().decode(encode(text).subarray(0, record.byteStart)).split('\n').length,
        );
      }
    }
  });
});

function randomValue(rng: Rng, depth: number): unknown {
  const pick = Math.floor(rng.next() * (depth > 0 ? 8 : 5));
  const strings = ['', 'a"b', '\\', ']}', 'é😀', 'line\nline', '{"messages":[1]}'];
  switch (pick) {
    case 0:
      return null;
    case 1:
      return Math.floor(rng.next() * 1000) / 8;
    case 2:
      return rng.next() < 0.5;
    case 3:
    case 4:
      return strings[Math.floor(rng.next() * strings.length)];
    case 5:
      return Array.from({ length: Math.floor(rng.next() * 4) }, () => randomValue(rng, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: Math.floor(rng.next() * 4) }, (_, i) => [`k${i}"`, randomValue(rng, depth - 1)]),
      );
  }
}
