import { describe, expect, it } from 'vitest';
import { searchMessage } from '../../core/insight/text/search.ts';
import { decodedFields, parseMessage } from '../../core/model/decode.ts';
import { partText } from '../../core/model/partText.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { textPattern } from '../../core/util/textPattern.ts';

function fieldsOf(message: unknown): readonly (readonly string[])[] {
  return readMessage(message).parts.map((part) => decodedFields(message, part));
}

const openaiCall = (args: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: args } }],
});

describe('what a part says, as a person reads it', () => {
  it.each<[string, unknown, readonly (readonly string[])[]]>([
    ['a text', { role: 'user', content: 'a\n"b"' }, [['a\n"b"']]],
    [
      'a Windows path in arguments',
      openaiCall(JSON.stringify({ path: 'references\\analyze.md' })),
      [['read', 'path', 'references\\analyze.md']],
    ],
    [
      'code of several lines, nested, with numbers',
      openaiCall(JSON.stringify({ edits: [{ old: 'if (a) {\n\treturn "x";\n}' }], port: 8080, all: true, no: null })),
      [['read', 'edits', 'old', 'if (a) {\n\treturn "x";\n}', 'port', '8080', 'all', 'true', 'no']],
    ],
    ['broken arguments as they stand', openaiCall('{"path": "a\\\\b'), [['read', '{"path": "a\\\\b']]],
    ['arguments that are a script', openaiCall('*** Begin Patch\n+x'), [['read', '*** Begin Patch\n+x']]],
    ['a string of JSON in arguments', openaiCall('"x"'), [['read', '"x"']]],
    [
      'arguments that are an object',
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'C:\\a' } }] },
      [['Read', 'file_path', 'C:\\a']],
    ],
    [
      'thinking that can be read, and that cannot',
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'plan', signature: 's' },
          { type: 'redacted_thinking', data: 'zzz' },
        ],
      },
      [['plan'], []],
    ],
    [
      'blocks of a result, joined',
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't',
            content: [
              { type: 'text', text: 'one' },
              { type: 'text', text: 'two' },
            ],
          },
        ],
      },
      [['one\ntwo']],
    ],
    [
      'a result that is an object',
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'a\\b' } } }] },
      [['a\\b']],
    ],
    [
      'a picture has a name and an address at most',
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.example/x.png' } }] },
      [['https://a.example/x.png']],
    ],
    [
      'a payload says nothing',
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
      [[]],
    ],
  ])('%s', (_what, message, expected) => {
    expect(fieldsOf(message)).toEqual(expected);
  });
});

describe('numbers', () => {
  const args = '{"id":1234567890123456789,"ratio":1.0,"n":[-0,1e3,2.50],"port":8080}';
  const read = ['1234567890123456789', '1.0', '-0', '1e3', '2.50', '8080'];
  const messages = [
    `{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"get","input":${args}}]}`,
    JSON.stringify(openaiCall(args)),
    `{"role":"model","parts":[{"functionCall":{"name":"get","args":${args}}}]}`,
    `{"role":"user","parts":[{"functionResponse":{"name":"get","response":${args}}}]}`,
    `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"json","value":${args}}]}]}`,
  ];

  it.each(messages)('are found by the digits they are shown with: %.40s', (json) => {
    const [fields = []] = fieldsOf(parseMessage(json));
    expect(fields).toEqual(expect.arrayContaining(read));
    const message = parseMessage(json);
    expect(readMessage(message).parts.map((part) => partText(message, part))[0]).toContain('1234567890123456789');
    for (const text of [
      ...read,
      '"id": 1234567890123456789',
      '"ratio":1.0',
      '"n": [-0, 1e3',
      '{"id": 1234567890123456789, "ratio": 1.0, "n": [-0, 1e3, 2.50], "port": 8080}',
    ]) {
      const pattern = textPattern(text) ?? expect.fail();
      expect(searchMessage(json, null, { pattern, finder: null }).parts, text).toHaveLength(1);
    }
    const other = textPattern('1234567890123456788') ?? expect.fail();
    expect(searchMessage(json, null, { pattern: other, finder: null }).parts).toEqual([]);
  });
});

describe('how a text is looked for', () => {
  const where = (text: string, within: string, switches = {}) =>
    textPattern(text, switches)
      ?.find(within)
      .map(({ from, to }) => within.slice(from, to));

  it.each<[string, string, object, readonly string[]]>([
    ['a b', 'a  \n\tb', {}, ['a  \n\tb']],
    [' a b ', 'xa b', {}, ['a b']],
    ['a b', 'a\u00a0b a\u3000b', {}, ['a\u00a0b', 'a\u3000b']],
    ['Fable', 'diffable', {}, ['fable']],
    ['Fable', 'diffable Fable', { wholeWord: true }, ['Fable']],
    ['fable', 'Fable', { matchCase: true }, []],
    ['--flag', 'x--flag', { wholeWord: true }, ['--flag']],
    ['flag', 'x_flag flags flag-1', { wholeWord: true }, ['flag']],
    ['größe', 'Größe GRÖSSE', { wholeWord: true }, ['Größe']],
    ['ЖУК', 'жук', {}, ['жук']],
    ['😀 ok', 'a😀  ok', {}, ['😀  ok']],
    ['a.*[b](c)|$', 'A.*[B](C)|$', {}, ['A.*[B](C)|$']],
    ['C:\\new', 'C:\\new', {}, ['C:\\new']],
    ['İ', 'i İ', {}, ['İ']],
  ])('%j in %j %j', (text, within, switches, expected) => {
    expect(where(text, within, switches)).toEqual(expected);
  });

  it('however long it is', () => {
    for (const long of [
      'word '.repeat(20_000),
      'a'.repeat(100_000),
      'x\ny '.repeat(25_000),
      '((((['.repeat(9_000),
      '😀'.repeat(3_000),
    ]) {
      const pattern = textPattern(long);
      const within = `zz ${long} yy`;
      expect(pattern?.find(within), long.slice(0, 9)).toEqual([{ from: 3, to: 3 + long.trim().length }]);
      expect(pattern?.find(within.replace(/\s+/g, ' \n')).length, long.slice(0, 9)).toBe(1);
      expect(pattern?.find(long.slice(0, -9))).toEqual([]);
      expect(pattern?.mayStandIn(JSON.stringify(within))).toBe(true);
    }
    const numbers = Array.from({ length: 300 }, (_, i) => `n${i}`).join(' ');
    expect(where(numbers, `a ${numbers.toUpperCase()}5`)).toEqual([numbers.toUpperCase()]);
    expect(where(numbers, `a ${numbers}5`, { wholeWord: true })).toEqual([]);
    expect(where('a b '.repeat(100), `a b ${'a b '.repeat(100)}c`)).toHaveLength(1);
  });

  it('never half a character', () => {
    expect(where('\ud83d', 'a😀')).toEqual([]);
  });

  it('an empty text is none', () => {
    expect(textPattern(' \n\t')).toBeNull();
  });

  it('is found in JSON with spaces where the file has none, and the reverse', () => {
    for (const args of ['{"port":8080,"on":[1,2]}', '{ "port": 8080, "on": [ 1, 2 ] }']) {
      for (const text of ['{"port":8080', '"port": 8080']) {
        const call = {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'f', input: JSON.parse(args) }],
        };
        const json = JSON.stringify(call).replace(JSON.stringify(JSON.parse(args)), args);
        const pattern = textPattern(text);
        expect(pattern && searchMessage(json, null, { pattern, finder: null }).parts.length, `${text} ${args}`).toBe(1);
      }
    }
  });

  it('is not passed over for how JSON writes it', () => {
    const texts = ['say "x"', 'a\\b', 'a\nb', 'é', '\u2028x', 'x\u0001y', '/a', '😀', '<b>&'];
    for (const text of texts) {
      const pattern = textPattern(text);
      if (pattern === null) throw new Error('no pattern');
      const plain = JSON.stringify({ role: 'user', content: `- ${text} -` });
      const escaped = plain.replace(/[^\u0020-\u007e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
      const twice = JSON.stringify(openaiCall(JSON.stringify({ a: text })));
      for (const json of [plain, escaped, twice, plain.replaceAll('/', '\\/')]) {
        expect(searchMessage(json, null, { pattern, finder: null }).parts.length, `${text} in ${json}`).toBe(1);
      }
    }
  });
});
