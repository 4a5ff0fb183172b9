// Contents of files that no tool writes: each a name and its bytes. Whatever a reader makes of them, it ends, and says so.
import { gzipSync } from 'node:zlib';
import { zipFile } from '../support/zipFile.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const lines = (records: readonly unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth);

const chat = (extra: object = {}) => [
  { role: 'user', content: 'hi', ...extra },
  { role: 'assistant', content: 'hey' },
];

/** A session of Claude Code whose lines hang together as told. */
function session(
  count: number,
  tie: (n: number) => { readonly uuid: string; readonly parentUuid: string | null },
): string {
  const own = { sessionId: 's', cwd: '/x', version: '2.0.0', isSidechain: false, userType: 'external' };
  return lines(
    Array.from({ length: count }, (_, n) => {
      const role = n % 2 === 0 ? 'user' : 'assistant';
      return {
        ...own,
        ...tie(n),
        type: role,
        message: { role, content: `${n}` },
        timestamp: '2026-01-01T00:00:00.000Z',
      };
    }),
  );
}

export const HOSTILE_CONTENTS: Readonly<Record<string, () => Uint8Array>> = {
  nothing: () => utf8(''),
  'white space': () => utf8(' \n\t\n '),
  'a byte order mark alone': () => utf8('\ufeff'),
  'UTF-16': () => Buffer.from(`\ufeff${JSON.stringify(chat())}`, 'utf16le'),
  'UTF-32': () => new Uint8Array(new Uint32Array([0xfeff, 0x5b, 0x5d]).buffer),
  'Latin-1': () => Buffer.from('[{"role":"user","content":"caf\xe9"}]', 'latin1'),
  zeros: () => new Uint8Array(100_000),
  'all bytes': () => Uint8Array.from({ length: 65_536 }, (_, n) => n % 256),
  'a zero in a text': () => utf8('[{"role":"user","content":"a\u0000b"}]'),
  'raw controls in a string': () => utf8('[{"role":"user","content":"a\u0001\u001b[2J\tb"}]'),
  'halves of pairs, escaped': () => utf8('[{"role":"user","content":"\\ud800 \\udc00 \\ud800\\ud800"}]'),
  'halves of pairs, raw': () =>
    Buffer.concat([utf8('[{"role":"user","content":"'), Buffer.from([0xed, 0xa0, 0x80]), utf8('"}]')]),
  'carriage returns for lines': () =>
    utf8(session(6, (n) => ({ uuid: `${n}`, parentUuid: null })).replaceAll('\n', '\r')),
  'a deep list': () => utf8(nested('[', '', ']', 20_000)),
  'a very deep list': () => utf8(nested('[', '', ']', 1_000_000)),
  'a deep object': () => utf8(nested('{"a":', '1', '}', 100_000)),
  'a deep content': () => utf8(`[{"role":"user","content":${nested('[', '', ']', 50_000)}}]`),
  'a deep argument': () =>
    utf8(
      JSON.stringify([
        {
          role: 'assistant',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: nested('[', '', ']', 50_000) } }],
        },
        ...chat(),
      ]),
    ),
  'brackets that never close': () => utf8('['.repeat(1_000_000)),
  'quotes that never close': () => utf8(`[{"role":"user","content":"${'\\'.repeat(999_999)}`),
  'a number of 100,000 digits': () => utf8(`[{"role":"user","content":"x","n":${'9'.repeat(100_000)}}]`),
  'a number without an end': () => utf8('[{"role":"user","content":"x","usage":{"input_tokens":1e999999}}]'),
  'usage beyond all numbers': () =>
    utf8(
      lines([
        {
          type: 'assistant',
          sessionId: 's',
          uuid: 'a',
          message: {
            role: 'assistant',
            content: 'x',
            usage: { input_tokens: 1e308, output_tokens: -5, cache_read_input_tokens: 'x' },
          },
        },
      ]),
    ),
  'keys of the prototype': () =>
    utf8('[{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"role":"user","content":"x"}]'),
  'roles of the prototype': () =>
    utf8(
      JSON.stringify([
        { role: '__proto__', content: 'a' },
        { role: 'constructor', content: 'b' },
        { role: 'toString', content: 'c' },
      ]),
    ),
  'ids of the prototype': () =>
    utf8(
      session(4, (n) => ({
        uuid: ['__proto__', 'constructor', 'toString', 'valueOf'][n] ?? '',
        parentUuid: n === 0 ? null : '__proto__',
      })),
    ),
  'tools of the prototype': () =>
    utf8(
      JSON.stringify([
        ...chat(),
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: '__proto__', type: 'function', function: { name: 'constructor', arguments: '{"__proto__":1}' } },
          ],
        },
        { role: 'tool', tool_call_id: '__proto__', content: 'x' },
      ]),
    ),
  'ids that are objects': () =>
    utf8(JSON.stringify([{ id: { toString: 1 }, role: 'user', parts: [{ type: 'text', text: 'x' }] }])),
  'the same key many times': () => utf8(`[{${'"role":"user",'.repeat(50_000)}"content":"x"}]`),
  'half a million keys': () =>
    utf8(`[{"role":"user","content":"x",${Array.from({ length: 200_000 }, (_, n) => `"k${n}":1`).join()}}]`),
  'a key of a megabyte': () => utf8(JSON.stringify([{ role: 'user', content: 'x', ['k'.repeat(1_000_000)]: 1 }])),
  'a cycle of parents': () => utf8(session(4, (n) => ({ uuid: `${n}`, parentUuid: `${(n + 1) % 4}` }))),
  'each its own parent': () => utf8(session(4, (n) => ({ uuid: `${n}`, parentUuid: `${n}` }))),
  'two thousand of one id': () => utf8(session(2_000, () => ({ uuid: 'same', parentUuid: 'same' }))),
  'a chain told from its end': () =>
    utf8(session(10_000, (n) => ({ uuid: `${n}`, parentUuid: n === 9_999 ? null : `${n + 1}` }))),
  'ten thousand branches': () => utf8(session(10_000, (n) => ({ uuid: `${n}`, parentUuid: n === 0 ? null : '0' }))),
  'parents that are not there': () => utf8(session(1_000, (n) => ({ uuid: `${n}`, parentUuid: `gone ${n}` }))),
  'ten thousand calls of one id': () =>
    utf8(
      JSON.stringify([
        { role: 'user', content: 'x' },
        ...Array.from({ length: 5_000 }, () => [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'one', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'one', content: 'r' },
        ]).flat(),
      ]),
    ),
  'a hundred thousand empty records': () => utf8('{}\n'.repeat(100_000)),
  'a hundred thousand empty lists': () => utf8(`[${'[],'.repeat(100_000)}[]]`),
  'empty lines': () => utf8('\n'.repeat(1_000_000)),
  'a line of 20 MB': () =>
    utf8(
      session(2, (n) => ({ uuid: `${n}`, parentUuid: null })).replace(
        '"content":"0"',
        `"content":"${'x'.repeat(20_000_000)}"`,
      ),
    ),
  'dates beyond the calendar': () =>
    utf8(session(2, (n) => ({ uuid: `${n}`, parentUuid: null })).replaceAll('2026-01-01', '+9999999-99-99')),
  'dates that are numbers': () =>
    utf8(session(2, (n) => ({ uuid: `${n}`, parentUuid: null })).replaceAll('"2026-01-01T00:00:00.000Z"', '1e300')),
  'a role that is a list': () =>
    utf8('[{"role":["user"],"content":"x"},{"role":null,"content":null},{"role":{},"content":{}}]'),
  'half of a file': () => utf8(session(20, (n) => ({ uuid: `${n}`, parentUuid: null })).slice(0, 1_501)),
  gzip: () => gzipSync(utf8(JSON.stringify(chat()))),
  'a zip that leads out': () =>
    zipFile([
      { name: '../../etc/passwd', data: '{}' },
      { name: '/abs', data: '{}' },
      { name: 'header.json', data: '{}' },
    ]),
  'a zip bomb': () => zipFile([{ name: 'header.json', data: '0'.repeat(64 * 1024 * 1024) }]),
  'a zip without its end': () => zipFile([{ name: 'header.json', data: '{}' }], { directory: false }),
  'a zip of another method': () => zipFile([{ name: 'header.json', data: '{}', method: 12 }]),
  'a zip with a wrong sum': () => zipFile([{ name: 'header.json', data: '{}', crc: 1 }]),
  'a zip under a password': () => zipFile([{ name: 'header.json', data: '{}', encrypted: true }]),
  'a zip of ten thousand names': () =>
    zipFile(Array.from({ length: 10_000 }, (_, n) => ({ name: `samples/${n}.json`, data: '' }))),
  'a zip of one name': () => zipFile(Array.from({ length: 2_000 }, () => ({ name: 'samples/a.json', data: '{}' }))),
};
