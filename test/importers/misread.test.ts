// A file goes to a format that can read it: detection asks for what the reader needs, a reader that makes events of most
// of what is said says so, and a format that fails ends nobody's import.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { genericFormat } from '../../core/importers/formats/generic/format.ts';
import { formats } from '../../core/importers/formats/index.ts';
import { template } from '../../core/importers/formats/template.ts';
import { importText } from '../../core/importers/memory.ts';
import { FormatRegistry } from '../../core/importers/registry.ts';
import { sniff } from '../../core/importers/sniff.ts';
import type { Format } from '../../core/importers/types.ts';
import { readMapping } from '../../core/model/mapping/read.ts';
import { isMisread } from '../../core/protocol/misread.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { codes, jsonl } from './support.ts';

const fail = (): never => {
  throw new Error('it must be a mapping');
};
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const detect = (text: string) => formats.detect(sniff(encode(text), true));

const QWEN = jsonl(
  ...['What is here?', 'Two files.', 'Read one.'].map((text, at) => ({
    uuid: `u${at}`,
    parentUuid: at === 0 ? null : `u${at - 1}`,
    sessionId: 's1',
    timestamp: '2026-08-17T13:00:00.000Z',
    type: at % 2 === 0 ? 'user' : 'assistant',
    cwd: '/tmp/p',
    message: { role: at % 2 === 0 ? 'user' : 'model', parts: [{ text }] },
  })),
);

const GROK = jsonl(
  { type: 'system', content: 'You are an agent.' },
  { type: 'user', content: [{ type: 'text', text: 'Read hello.py.' }] },
  { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'I read it.' }], encrypted_content: 'x' },
  { type: 'assistant', content: 'I read it.', tool_calls: [{ id: 'c1', name: 'read_file', arguments: '{}' }] },
  { type: 'tool_result', tool_call_id: 'c1', content: 'print(1)' },
  { type: 'assistant', content: 'It prints 1.' },
);

const DROID = jsonl(
  { type: 'system', session_id: 's', id: 'i', model: 'm' },
  { type: 'message', session_id: 's', id: 'm1', role: 'user', text: 'Step 1' },
  { type: 'message', session_id: 's', id: 'm2', role: 'assistant', text: 'Ok' },
  { type: 'tool_call', session_id: 's', id: 't1', toolCallId: 'c1', toolName: 'Shell', parameters: { command: 'ls' } },
  { type: 'tool_result', session_id: 's', id: 't2', toolCallId: 'c1', value: { stdout: 'a' } },
);

const GOOSE = jsonl(
  { working_dir: '/home/user', message_count: 4 },
  { role: 'user', created: 1, content: [{ type: 'text', text: 'What is in a.txt?' }] },
  { role: 'assistant', created: 2, content: [{ type: 'toolRequest', id: 't1', toolCall: { value: { name: 'sh' } } }] },
  { role: 'user', created: 3, content: [{ type: 'toolResponse', id: 't1', toolResult: { value: [] } }] },
  { role: 'assistant', created: 4, content: [{ type: 'text', text: 'hello' }] },
);

const PART = JSON.stringify({ id: 'p1', sessionID: 's1', messageID: 'm1', type: 'reasoning', text: 'Why.' });

describe('files of tools that have no reader here', () => {
  test.each([
    ['chained records with parts', QWEN],
    ['lines of which one is an item', GROK],
    ['a stream with a call of its own kind', DROID],
    ['a part of a message', PART],
  ])('%s: no format claims them', (_name, text) => {
    const found = detect(text);
    expect(found.ok ? found.value.scores : found.error.code).toBe('import.not_recognised');
  });

  test('blocks of unknown types: the file is a misfit, and the import says so', () => {
    expect(detect(GOOSE)).toMatchObject({ ok: true, value: { isMisfit: true } });
    const read = importText(GOOSE);
    const [warning] = read.problems.filter(({ code }) => isMisread(code));
    expect(warning).toMatchObject({ code: 'import.unknown_blocks', severity: 'warning' });
    expect(warning?.text).toContain('"toolRequest"');
  });

  test('what stands beside the content is said too', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    const odd = [{ type: 'odd', odd: 1 }];
    const read = importText(
      jsonl({ role: 'user', content: 'hi' }, { role: 'assistant', content: odd, tool_calls: [call] }),
    );
    expect(codes(read)).toEqual([]);
  });

  test('a mapping is not told to map', () => {
    const mapping = { mapping: 1, name: 'm', at: '$', messages: [{ role: { path: '@.role' }, text: '@.content' }] };
    const format = genericFormat(readMapping(mapping).mapping ?? fail());
    const read = importText(GOOSE, { registry: new FormatRegistry([format]), format: format.id });
    expect(read.problems.filter(({ code }) => isMisread(code))).toEqual([]);
    expect(read.counts.messages).toBe(4);
  });

  test('tools that ran, without a call of a model: the trace says that it holds no message', () => {
    const span = (id: string) => ({
      traceId: 't',
      spanId: id,
      name: 'execute_tool read',
      startTimeUnixNano: '1',
      attributes: [{ key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } }],
    });
    const read = importText(jsonl({ resourceSpans: [{ scopeSpans: [{ spans: [span('a'), span('b')] }] }] }));
    expect([read.format, codes(read)]).toEqual(['otel', ['import.no_messages']]);
  });

  test('a file without a message says so', () => {
    const read = importText(jsonl({ type: 'file-history-snapshot', messageId: 'm', snapshot: {} }), {});
    expect(read.problems).toMatchObject([{ code: 'import.no_messages', severity: 'warning' }]);
  });
});

/** Claims every file of lines, and makes events of what is not its own. */
const greedy: Format = { ...template, id: 'greedy', title: 'Greedy', detect: () => ({ score: 1, why: 'anything' }) };
const CHAT = jsonl({ role: 'user', content: 'hi' }, { role: 'assistant', content: 'hello' });

test('a format that makes events of what is said is asked last', () => {
  const registry = new FormatRegistry([greedy, ...formats.all]);
  const read = importText(CHAT, { registry });
  expect(read.format).toBe('openai-chat');
  const found = registry.detect(sniff(encode(CHAT), true));
  expect(found.ok && found.value.scores.at(-1)).toMatchObject({ id: 'greedy', score: 0.1 });
});

test('where no other format can read it, it is read and the loss is told', () => {
  const registry = new FormatRegistry([greedy]);
  const read = importText(CHAT + jsonl({ speaker: 'me', says: 'well' }), { registry });
  expect(read.format).toBe('greedy');
  expect(read.problems.find(({ code }) => code === 'import.mostly_events')).toMatchObject({
    severity: 'warning',
    text: expect.stringContaining('2 of 2 records that look like messages'),
  });
});

describe('a format that throws', () => {
  const throwing: Format = {
    ...template,
    id: 'throwing',
    title: 'Throwing',
    detect() {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };

  test('in detection: it has no score, the others are asked, and it is named', () => {
    const read = importText(CHAT, { registry: new FormatRegistry([throwing, ...formats.all]) });
    expect(read.format).toBe('openai-chat');
    expect(read.problems).toMatchObject([
      { code: 'import.detection_failed', severity: 'warning', text: expect.stringContaining('Throwing') },
    ]);
  });

  test('in detection of a file that nobody knows: it is named in what is said of the file', () => {
    const read = importText('{"a":1}', { registry: new FormatRegistry([throwing]) });
    expect(read.problems).toMatchObject([
      { code: 'import.not_recognised', text: expect.stringContaining('The detection of Throwing (throwing) failed') },
    ]);
  });

  test('when its reader is opened, or at each record: another format reads the file', () => {
    const open = (): never => {
      throw new Error('no');
    };
    const atRecord: Format = { ...greedy, open: () => ({ record: open, end() {} }) };
    for (const format of [{ ...greedy, open }, atRecord]) {
      const read = importText(CHAT, { registry: new FormatRegistry([format, ...formats.all]) });
      expect([read.format, codes(read)]).toEqual(['openai-chat', []]);
      const alone = importText(CHAT, { registry: new FormatRegistry([format]) });
      expect(codes(alone)).toContain('import.reader_failed');
    }
  });
});

const NAMES: ReadonlySet<string> = new Set(['content', 'text', 'parts', 'says']);

/** The value with the words of its messages under names that no tool uses. */
function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [NAMES.has(key) ? `${key}_of_others` : key, renamed(one)]),
  );
}

function renamedFile(text: string): string | null {
  try {
    return JSON.stringify(renamed(JSON.parse(text)));
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    try {
      return lines.map((line) => `${JSON.stringify(renamed(JSON.parse(line)))}\n`).join('');
    } catch {
      return null;
    }
  }
}

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(jsonl?|traj)$/.test(name),
);

test.each(files)('a file without words that a reader finds is not taken in silence: %s', (name) => {
  const text = renamedFile(readFileSync(join(FIXTURES, name), 'utf8'));
  if (text === null) return;
  const read = importText(text);
  if (read.counts.messages > 0) return;
  expect(read.problems.filter(({ severity }) => severity !== 'info')).not.toEqual([]);
});
