import { describe, expect, it, test } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { memberNames } from '../../core/importers/zip/headers.ts';
import { type ZipLimits, ZipSplitter } from '../../core/importers/zip/zipSplitter.ts';
import type { SourceRecord } from '../../core/model/importSink.ts';
import type { Problem } from '../../core/model/problem.ts';
import { seededRng } from '../../core/util/rng.ts';
import { type ZipMember, zipFile } from '../support/zipFile.ts';
import { chunks } from './support.ts';

interface Read {
  readonly records: SourceRecord[];
  readonly broken: SourceRecord[];
  readonly problems: Problem[];
  /** The file put together again of records and fillers. */
  readonly file: Uint8Array;
}

function read(bytes: Uint8Array, pieces: readonly Uint8Array[] = [bytes], limits?: ZipLimits): Read {
  const found: Read = { records: [], broken: [], problems: [], file: new Uint8Array(bytes.length).fill(0xee) };
  const put = ({ bytes: own, text, byteStart, byteEnd }: SourceRecord) => {
    const exact = own ?? new TextEncoder().encode(text);
    expect(exact.length).toBe(byteEnd - byteStart);
    found.file.set(exact, byteStart);
  };
  const splitter = new ZipSplitter(
    {
      record: (record) => found.records.push(record) && put(record),
      broken: (record) => found.broken.push(record) && put(record),
      filler: (filler) => found.file.set(filler.bytes, filler.byteStart),
      problem: (problem) => found.problems.push(problem),
    },
    { unpack: unpackZlib, ...(limits ? { limits } : {}) },
  );
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return found;
}

const codes = ({ problems }: Read) => problems.map(({ code }) => code);
const values = ({ records }: Read) => records.map(({ path, value }) => [path[0], value]);

const PLAIN: readonly ZipMember[] = [
  { name: 'a.json', data: '{"a":"é\\n"}' },
  { name: 'dir/b_epoch_1.json', data: `[${'1,'.repeat(500)}2]` },
];

describe('members are read', () => {
  const cases: readonly [name: string, change: Partial<ZipMember>][] = [
    ['stored', { method: 0 }],
    ['deflated', { method: 8 }],
    ['zstd', { method: 93 }],
    ['stored, sizes after the data', { method: 0, streamed: true }],
    ['deflated, sizes after the data', { method: 8, streamed: true }],
    ['zstd, sizes of 64 bits after the data', { method: 93, streamed: true, zip64: true }],
    ['sizes of 64 bits', { zip64: true }],
  ];

  test.each(cases)('%s', (_name, change) => {
    const bytes = zipFile(PLAIN.map((member) => ({ ...member, ...change })));
    const whole = read(bytes);
    expect(whole.problems).toEqual([]);
    expect(values(whole)).toEqual([
      ['a.json', { a: 'é\n' }],
      ['dir/b_epoch_1.json', [...Array(500).fill(1), 2]],
    ]);
    expect(whole.file).toEqual(bytes);
    for (let seed = 1; seed <= 5; seed++) {
      const again = read(bytes, chunks(bytes, seededRng(seed)));
      expect({ ...again, file: null }, `seed ${seed}`).toEqual({ ...whole, file: null });
      expect(again.file).toEqual(bytes);
    }
  });

  it('names them from the head', () => {
    expect(memberNames(zipFile(PLAIN))).toEqual(['a.json', 'dir/b_epoch_1.json']);
    expect(memberNames(zipFile(PLAIN).subarray(0, 60))).toEqual(['a.json']);
    expect(memberNames(new Uint8Array(0))).toEqual([]);
  });

  it('passes over folders, and parses nothing but .json', () => {
    const found = read(
      zipFile([
        { name: 'dir/', data: '', method: 0 },
        { name: 'readme.txt', data: 'hello' },
      ]),
    );
    expect(found.records).toMatchObject([{ path: ['readme.txt'], text: 'hello', value: undefined }]);
    expect(found.problems).toEqual([]);
  });

  it('reads NaN as null, and keeps the bytes', () => {
    const data = '{"value":NaN,"says":"NaN, \\"Infinity","low":-Infinity}';
    const found = read(zipFile([{ name: 'a.json', data }]));
    expect(values(found)).toEqual([['a.json', { value: null, says: 'NaN, "Infinity', low: null }]]);
    expect(codes(found)).toEqual(['import.not_a_number']);
    expect(found.problems[0]?.text).toContain('2 numbers');
  });
});

describe('what cannot be read has a problem', () => {
  const good: ZipMember = { name: 'good.json', data: '{"good":1}' };
  const cases: readonly [name: string, bad: ZipMember, code: string, says: RegExp][] = [
    ['an unknown packing', { name: 'b.json', data: 'x', method: 14 }, 'import.zip_packing', /method 14 \(LZMA\)/],
    ['encryption', { name: 'b.json', data: '{}', encrypted: true }, 'import.zip_packing', /encrypted/],
    [
      'a bomb',
      { name: 'b.json', data: new Uint8Array(3_000_000) },
      'import.zip_too_large',
      /more than the [\d,]+ bytes/,
    ],
    [
      'a bomb of zstd that hides its size',
      { name: 'b.json', data: new Uint8Array(3_000_000), method: 93, streamed: true },
      'import.zip_too_large',
      /more than the/,
    ],
  ];
  const limits = { member: 1_000_000, slack: 1_500_000, ratio: 10 };

  test.each(cases)('%s', (_name, bad, code, says) => {
    const bytes = zipFile([bad, good]);
    const found = read(bytes, [bytes], limits);
    expect(codes(found)).toEqual([code]);
    expect(found.problems[0]?.text).toMatch(says);
    expect(found.problems[0]?.where?.byteStart).toBe(found.broken[0]?.byteStart);
    expect(values(found)).toEqual([['good.json', { good: 1 }]]);
    expect(found.file).toEqual(bytes);
  });

  it('many members that are too much together', () => {
    const members = Array.from({ length: 8 }, (_, i) => ({ name: `${i}.json`, data: ' '.repeat(400_000) }));
    const found = read(zipFile(members), undefined, limits);
    expect(found.records.length).toBe(3);
    expect(new Set(codes(found))).toEqual(new Set(['import.zip_too_large']));
    expect(found.broken.length).toBe(5);
  });

  it('bytes that do not unpack', () => {
    const bytes = zipFile([good, { name: 'b.json', data: new Uint8Array([7, 7, 7, 7]), method: 0 }]);
    bytes[bytes.indexOf(0x62, 40) - 22] = 8;
    const found = read(bytes);
    expect(codes(found)).toEqual(['import.zip_damaged']);
    expect(found.file).toEqual(bytes);
  });

  it('a checksum that is another', () => {
    const found = read(zipFile([{ ...good, crc: 1 }]));
    expect(codes(found)).toEqual(['import.zip_damaged']);
    expect(values(found)).toEqual([['good.json', { good: 1 }]]);
  });

  it('garbage between members', () => {
    const [one, two] = [zipFile([good], { directory: false }), zipFile(PLAIN)];
    const bytes = new Uint8Array(Buffer.concat([one, Buffer.from('PKgarbage PPK\x03'), two]));
    const found = read(bytes);
    expect(codes(found)).toEqual(['import.zip_damaged']);
    expect(found.records.map(({ path }) => path[0])).toEqual(['good.json', 'a.json', 'dir/b_epoch_1.json']);
    expect(found.file).toEqual(bytes);
  });

  it('an archive cut anywhere', () => {
    const bytes = zipFile(PLAIN.map((member, i) => ({ ...member, streamed: i === 0 })));
    for (let length = 4; length < bytes.length; length++) {
      const cut = bytes.slice(0, length);
      const found = read(cut);
      expect(codes(found), `cut to ${length}`).toEqual(['import.truncated']);
      expect(found.file, `cut to ${length}`).toEqual(cut);
    }
  });

  it('no host to unpack', () => {
    const problems: Problem[] = [];
    const sink = { record() {}, broken() {}, filler() {}, problem: (problem: Problem) => problems.push(problem) };
    new ZipSplitter(sink).push(zipFile([good]));
    expect(problems.map(({ text }) => text)).toEqual([
      expect.stringContaining('packed by deflate, which is not unpacked here'),
    ]);
  });

  it('bytes changed anywhere: nothing is lost, nothing throws', () => {
    const bytes = zipFile(PLAIN.map((member, i) => ({ ...member, method: i === 0 ? 93 : 8 })));
    for (let seed = 1; seed <= 400; seed++) {
      const rng = seededRng(seed);
      const changed = bytes.slice();
      for (let i = 0; i < 3; i++) changed[rng.below(changed.length)] = rng.below(256);
      expect(read(changed).file, `seed ${seed}`).toEqual(changed);
    }
  });
});
