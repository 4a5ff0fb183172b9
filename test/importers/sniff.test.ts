import { describe, expect, it } from 'vitest';
import { formats } from '../../core/importers/formats/index.ts';
import { template } from '../../core/importers/formats/template.ts';
import { importText } from '../../core/importers/memory.ts';
import { FormatRegistry } from '../../core/importers/registry.ts';
import { parsePrefix, sniff } from '../../core/importers/sniff.ts';
import { codes } from './support.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('sniff', () => {
  it.each([
    ['nothing', '', true, 'other', 'an empty file'],
    ['blank', ' \n\t ', true, 'other', 'an empty file'],
    ['one object', '{"a":1,"b":2}', true, 'json', 'a JSON object with the keys a, b'],
    ['a pretty object', '{\n "a": 1\n}', true, 'json', 'a JSON object with the key a'],
    [
      'two lines',
      '{"a":1}\n{"b":2}\n',
      true,
      'jsonl',
      'JSON lines, the first of which is a JSON object with the key a',
    ],
    [
      'a line and the start of another',
      '{"a":1}\n{"b',
      false,
      'jsonl',
      'JSON lines, the first of which is a JSON object with the key a',
    ],
    [
      'lines of arrays',
      '[1]\n[2]\n',
      true,
      'jsonl',
      'JSON lines, the first of which is a JSON array, the first element of which is a JSON number',
    ],
    [
      'a broken first line',
      '{"a":oops\n{"b":2}\n{"c":3}\n',
      true,
      'jsonl',
      'JSON lines, the first of which is a JSON object with the key b',
    ],
    ['an array', '[{"x":1}]', true, 'json', 'a JSON array, the first element of which is a JSON object with the key x'],
    ['a cut document', '{"a":[1,{"b":"c', false, 'json', 'a JSON object with the key a'],
    ['brackets without end', '['.repeat(100_000), true, 'json', 'a JSON array of arrays'],
    ['text', 'hello there', true, 'other', 'text that begins with "hello there"'],
    ['XML', '<html>', true, 'other', 'text that begins with "<html>"'],
  ])('%s', (_name, text, whole, shape, looksLike) => {
    const seen = sniff(encode(text), whole);
    expect(seen.shape).toBe(shape);
    expect(seen.looksLike).toContain(looksLike);
  });

  it.each([
    [[0x89, 0x50, 0x4e, 0x47, 0x0d], 'a PNG image'],
    [[0x50, 0x4b, 0x03, 0x04, 0x14], 'a zip archive'],
    [[0xff, 0xfe, 0x7b, 0x00], 'text in UTF-16; save it as UTF-8 to import it'],
    [[0x7b, 0x00, 0x22, 0x00, 0x61, 0x00, 0x22, 0x00], 'text in UTF-16; save it as UTF-8 to import it'],
    [[0, 0, 0, 0, 0], 'a file of NUL bytes'],
    [[1, 2, 3, 4, 5, 6, 7, 8], 'a binary file (it begins with the bytes 01 02 03 04 05 06 07 08)'],
  ])('bytes %j', (bytes, looksLike) => {
    expect(sniff(new Uint8Array(bytes), true)).toMatchObject({ shape: 'other', looksLike });
  });
});

describe('parsePrefix', () => {
  it.each([
    ['{"a":[1,2,{"b', { a: [1, 2, {}] }],
    ['{"a":"x","b":"y', { a: 'x', b: 'y' }],
    ['{"a":"x\\', { a: 'x' }],
    ['{"a":"x\\u00e', { a: 'x' }],
    ['{"a":"x\\\\', { a: 'x\\' }],
    ['{"a":"x","b"', { a: 'x' }],
    ['{"a":tru', {}],
    ['[{"a":1},{"b":', [{ a: 1 }, {}]],
    ['["a","b', ['a', 'b']],
    ['{"a":"}\\"]","c":{"d":null,', { a: '}"]', c: { d: null } }],
    ['{"a":1} tail', { a: 1 }],
    ['', undefined],
  ])('%s', (text, value) => {
    expect(parsePrefix(text)).toEqual(value);
  });
});

describe('detection', () => {
  it.each([
    [
      '{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"hi"}}',
      'claude-code',
    ],
    ['{"type":"file-history-snapshot","messageId":"m","snapshot":{}}\n{"type":"x"}\n', 'claude-code'],
    ['[{"role":"user","content":"hi"}]', 'openai-chat'],
    ['{"messages":[{"role":"user","content":"hi"}]}\n{"messages":[{"role":"user","content":"ho"}]}\n', 'openai-chat'],
    ['{"model":"gpt","max_tokens":5,"messages":[{"role":"user","content":"hi"}]}', 'openai-chat'],
    ['{"model":"m","max_tokens":5,"system":"s","messages":[{"role":"user","content":"hi"}]}', 'anthropic-messages'],
    ['{"model":"claude-x","max_tokens":5,"messages":[{"role":"user","content":"hi"}]}', 'anthropic-messages'],
    ['[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[]}]', 'openai-chat'],
    ['{"type":"message","role":"assistant","content":[]}', 'anthropic-messages'],
    ['{"_type":"transcript","messages":[{"role":"user","content":"hi"}]}', 'harn'],
    ['{"match":"*","text":"x"}\n{"match":"*","text":"y"}\n', 'harn'],
  ])('%s', (text, id) => {
    const detected = formats.detect(sniff(encode(text), true));
    expect(detected.ok ? detected.value.format.id : detected.error).toBe(id);
  });

  it.each([
    [
      'a first message longer than the head',
      `{"messages":[{"role":"user","content":"${'x'.repeat(200_000)}"}],"model":"m"}`,
    ],
    [
      'tools longer than the head',
      `{\n"tools":[{"d":"${'x'.repeat(200_000)}"}],\n"messages":[{"role":"user","content":"hi"}]}`,
    ],
    ['a first key that says nothing', `{\n"messages":[\n{"content":"${'x'.repeat(200_000)}",\n"role":"user"}]}`],
  ])('looks further where the head holds %s', (_name, text) => {
    const file = importText(text, { chunkSize: 65_536 });
    expect([file.format, file.counts.messages]).toEqual(['openai-chat', 1]);
  });

  it.each([
    ['nothing', '', 'import.empty_file', 'The file is empty. '],
    ['blanks', ' \n\n', 'import.empty_file', 'The file is empty. '],
    ['a picture', '\u0089PNG\r\n', 'import.binary_file', 'Not a transcript: a PNG image. Import the file '],
    ['something packed', '\u001f\u008b\b', 'import.binary_file', 'a gzip archive (unpack it first).'],
    ['a shopping list', 'milk\nbread', 'import.not_transcript', 'Not a transcript: text that begins with "milk'],
    [
      'a policy',
      '{"version":1,"stages":[{"kind":"raw"}]}',
      'import.not_transcript',
      'This is a policy, not a transcript.',
    ],
    [
      'another JSON',
      '{"name":"x"}',
      'import.not_recognised',
      'a JSON object with the key name. If it holds messages, map',
    ],
    ['lines of JSON', '{"name":"x"}\n{"name":"y"}', 'import.not_recognised', 'Unknown format: JSON lines'],
  ])('says of %s what it is and what to do, in short', (_what, text, code, saying) => {
    const file = importText(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
    expect(file.transcripts).toEqual([]);
    expect(codes(file)).toEqual([code]);
    const said = file.problems[0]?.text ?? '';
    expect(said).toContain(saying);
    expect(said.length).toBeLessThan(160);
    expect(said).not.toContain('parallax ');
    for (const { title } of formats.all) expect(said).not.toContain(title);
  });

  it('names the known formats when the caller asks for another', () => {
    const file = importText('{}', { format: 'nope' });
    expect(file.problems).toMatchObject([{ code: 'import.unknown_format' }]);
    expect(file.problems[0]?.text).toContain('claude-code');
  });

  it('refuses two formats of one id', () => {
    expect(() => new FormatRegistry([template, template])).toThrow('two transcript formats');
  });

  it('reads the template format once it is registered', () => {
    const registry = new FormatRegistry([...formats.all, template]);
    const lines = '{"speaker":"me","says":"h\\u0069"}\n{"speaker":"model","says":"ho"}\n{"type":"odd"}\n';
    const file = importText(lines, { registry });
    expect(file.format).toBe('template');
    expect(file.transcripts[0]?.messages.map((message) => message.text)).toEqual([
      '{"role":"user","content":"h\\u0069"}',
      '{"role":"assistant","content":"ho"}',
    ]);
    expect(file.transcripts[0]?.events.map((event) => event.kind)).toEqual(['unknown:odd']);
  });
});
