import { describe, expect, it } from 'vitest';
import { LineSplitter, type RawLine } from '../../core/importers/reading/lineSplitter.ts';
import { readLine } from '../../core/importers/reading/record.ts';
import { seededRng } from '../../core/util/rng.ts';
import { chunks } from './support.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function split(pieces: readonly Uint8Array[], limit?: number): RawLine[] {
  const lines: RawLine[] = [];
  const splitter = new LineSplitter((line) => lines.push({ ...line, bytes: line.bytes.slice() }), undefined, limit);
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return lines;
}

function summary(line: RawLine): string {
  const mark = line.unterminated ? ' unterminated' : '';
  return `${line.line} [${line.byteStart},${line.byteEnd}) ${JSON.stringify(new TextDecoder().decode(line.bytes))}${mark}`;
}

describe('LineSplitter', () => {
  it.each([
    ['nothing', '', []],
    ['one line', 'a\n', ['1 [0,1) "a"']],
    ['no final line end', 'a\nbc', ['1 [0,1) "a"', '2 [2,4) "bc" unterminated']],
    ['CRLF', 'a\r\nb\r\n', ['1 [0,1) "a"', '2 [3,4) "b"']],
    ['blank lines', '\n\na\n', ['1 [0,0) ""', '2 [1,1) ""', '3 [2,3) "a"']],
    ['a byte order mark at the start', '\ufeffa\nb\n', ['1 [3,4) "a"', '2 [5,6) "b"']],
    ['characters of several bytes', 'é\n😀\n', ['1 [0,2) "é"', '2 [3,7) "😀"']],
    ['a lone CR is no line end', 'a\rb\n', ['1 [0,3) "a\\rb"']],
  ])('%s', (_name, text, expected) => {
    expect(split([encode(text)]).map(summary)).toEqual(expected);
  });

  it('gives the same lines whatever the chunks', () => {
    const text = '\ufeff{"a":"é😀"}\r\n\n{"b":[1,2]}\n\0\0\n{"c":"x"}{"d":1}\nlast 😀';
    const whole = split([encode(text)]).map(summary);
    expect(whole).toHaveLength(6);
    for (let seed = 1; seed <= 200; seed++) {
      expect(split(chunks(encode(text), seededRng(seed))).map(summary), `seed ${seed}`).toEqual(whole);
    }
  });

  it('keeps its own copy: the caller may reuse the buffer', () => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(new TextDecoder().decode(line.bytes)));
    const buffer = encode('abc');
    splitter.push(buffer);
    buffer.set(encode('de\n'));
    splitter.push(buffer);
    expect(lines).toEqual(['abcde']);
  });

  it('passes over a line beyond the limit and knows its range', () => {
    const lines = split([encode('ab'), encode('cdefgh'), encode('ij\nkl\n')], 5);
    expect(lines.map((line) => [line.tooLong, line.byteStart, line.byteEnd])).toEqual([
      [true, 0, 10],
      [false, 11, 13],
    ]);
  });

  it('joins a line of many chunks once', () => {
    const piece = encode('x'.repeat(64 * 1024));
    const lines = split([...Array.from({ length: 800 }, () => piece), encode('\nend\n')]);
    expect(lines.map((line) => line.bytes.length)).toEqual([800 * 64 * 1024, 3]);
  });
});

describe('readLine', () => {
  const lineOf = (bytes: Uint8Array, unterminated = false): RawLine => ({
    bytes,
    line: 7,
    byteStart: 100,
    byteEnd: 100 + bytes.length,
    unterminated,
    tooLong: false,
  });

  it.each([
    ['a record', '{"a":1}', ['{"a":1} @100-107'], []],
    [
      'two glued records',
      '{"a":"é"}{"type":"b"}',
      ['{"a":"é"} @100-110', '{"type":"b"} @110-122'],
      ['import.glued_records'],
    ],
    [
      'three glued, with spaces',
      '{"a":1} {"b":2}\t{"c":3}',
      ['{"a":1} @100-107', '{"b":2} @108-115', '{"c":3} @116-123'],
      ['import.glued_records'],
    ],
    ['a record and garbage', '{"a":1}oops', ['{"a":1} @100-107'], ['import.broken_line']],
    ['garbage', 'oops', [], ['import.broken_line']],
    ['a number and garbage', '12 oops', [], ['import.broken_line']],
    ['NUL bytes before a record', '\0\0{"a":1}', ['{"a":1} @102-109'], ['import.glued_records']],
    ['nothing but NUL bytes', '\0\0\0', [], ['import.nul_bytes']],
    ['blank', ' \t ', [], []],
  ])('%s', (_name, text, records, codes) => {
    const reading = readLine(lineOf(encode(text)));
    expect(reading.records.map((r) => `${r.text} @${r.byteStart}-${r.byteEnd}`)).toEqual(records);
    expect(reading.problems.map((p) => p.code)).toEqual(codes);
  });

  it('says where a line breaks', () => {
    const [problem] = readLine(lineOf(encode('{"a":1,}'))).problems;
    expect(problem).toMatchObject({
      code: 'import.broken_line',
      severity: 'error',
      where: { line: 7, column: 8, byteStart: 100, byteEnd: 108 },
    });
  });

  it('calls a last line that stops in the middle cut off, not broken', () => {
    expect(readLine(lineOf(encode('{"a":"b'), true)).problems[0]?.code).toBe('import.truncated');
    expect(readLine(lineOf(encode('{"a":"b'), false)).problems[0]?.code).toBe('import.broken_line');
  });

  it('reads invalid UTF-8 as U+FFFD and notes the bytes', () => {
    const bytes = new Uint8Array([...encode('{"a":"'), 0xff, 0xc3, ...encode('"}')]);
    const reading = readLine(lineOf(bytes));
    expect(reading.records[0]?.text).toBe('{"a":"\ufffd\ufffd"}');
    expect(reading.problems[0]).toMatchObject({ code: 'import.invalid_utf8', where: { line: 7 } });
    expect(reading.problems[0]?.text).toContain('byte 106 (ff c3');
  });
});
