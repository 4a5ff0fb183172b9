import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { type ImportedFile, importText } from '../../core/importers/memory.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';
import { type ZipMember, zipFile } from '../support/zipFile.ts';
import { addsUp, codes, importFile, texts } from './support.ts';

const RUN = { task: 'sums', task_id: 't', run_id: 'r', model: 'test/m', packages: { inspect_ai: '0.3' } };
const HASH = 'a'.repeat(32);

const user = (content: unknown) => ({ role: 'user', content });
const answer = (content: string, more: object = {}) => ({ role: 'assistant', content, ...more });
const output = (message: object, tokens: number) => ({
  model: 'm',
  choices: [{ message, stop_reason: 'stop' }],
  usage: { input_tokens: tokens, output_tokens: 1 },
});
const modelEvent = (message: object, tokens: number, more: object = {}) => ({
  event: 'model',
  timestamp: '2026-01-01T00:00:00Z',
  model: 'test/m',
  input: [],
  output: output(message, tokens),
  ...more,
});

function sample(messages: readonly object[], more: object = {}): object {
  return { id: 1, epoch: 1, input: 'x', target: '', messages, ...more };
}

function document(samples: readonly unknown[], more: object = {}): ImportedFile {
  return importText(JSON.stringify({ version: 2, status: 'success', eval: RUN, ...more, samples }));
}

function archive(members: readonly ZipMember[], options: { directory?: boolean } = {}): ImportedFile {
  return importText(zipFile(members, options), { unpack: unpackZlib });
}

const member = (name: string, value: unknown, method = 93): ZipMember => ({
  name,
  data: JSON.stringify(value),
  method,
});
const START = member('_journal/start.json', { version: 2, eval: RUN });
const HEADER = member('header.json', { version: 2, status: 'success', eval: RUN });
const ONE = sample([user('1+1?'), answer('2')], { output: output(answer('2'), 3) });

describe('samples', () => {
  it('are the same in an archive as in a document', () => {
    const inDocument = document([ONE, { ...ONE, epoch: 2 }]);
    const inArchive = archive([
      START,
      member('samples/1_epoch_1.json', ONE),
      member('samples/1_epoch_2.json', { ...ONE, epoch: 2 }, 8),
      HEADER,
    ]);
    const shown = (file: ImportedFile) =>
      file.transcripts.map(({ key, meta, messages }) => [
        key,
        meta,
        messages.map(({ text, meta: own }) => [text, own]),
      ]);
    expect(shown(inArchive)).toEqual(shown(inDocument));
    expect(shown(inArchive).map(([key]) => key)).toEqual(['sample 1 epoch 1', 'sample 1 epoch 2']);
    expect(codes(inArchive)).toEqual([]);
    for (const file of [inDocument, inArchive]) expect(addsUp(file)).toBe(true);
  });

  it('stand alone, or on a line with others', () => {
    const alone = importText(JSON.stringify(ONE));
    expect([alone.format, texts(alone)]).toEqual([
      'inspect',
      [JSON.stringify(user('1+1?')), JSON.stringify(answer('2'))],
    ]);
    const line = JSON.stringify({ status: 'success', eval: RUN, samples: [ONE] });
    const lines = importText(`${line}\n${line}\n`);
    expect(lines.transcripts.map(({ key }) => key)).toEqual(['sample 1 epoch 1', 'sample 1 epoch 1 (2)']);
    expect([addsUp(alone), addsUp(lines)]).toEqual([true, true]);
  });

  it('are told apart when they have one id', () => {
    const file = document([ONE, ONE, null, 7]);
    expect(file.transcripts.map(({ key }) => key)).toEqual(['sample 1 epoch 1', 'sample 1 epoch 1 (2)']);
    expect(file.ignored.length).toBe(2);
    expect(addsUp(file)).toBe(true);
  });

  it('keep facts of the run, its model where no other is known', () => {
    const [first] = archive([member('samples/1_epoch_1.json', sample([user('hi')])), HEADER]).transcripts;
    expect(first?.meta).toMatchObject({ project: 'sums', toolVersion: '0.3', models: ['test/m'], title: 'hi' });
    const ahead = archive([HEADER, member('samples/1_epoch_1.json', sample([user('hi')]))]);
    expect(ahead.transcripts[0]?.meta).toEqual(first?.meta);
    expect(ahead.transcripts[0]?.events.map(({ kind }) => kind)).toEqual(['eval']);
    expect(addsUp(ahead)).toBe(true);
  });
});

describe('a log without', () => {
  const cases: readonly [name: string, file: () => ImportedFile, codes: readonly string[], transcripts: number][] = [
    ['samples', () => document([]), ['import.no_samples'], 0],
    ['samples, in an archive', () => archive([START, HEADER]), ['import.no_samples'], 0],
    ['a header', () => archive([START, member('samples/1_epoch_1.json', ONE)]), ['import.run_unfinished'], 1],
    [
      'an end, as a crash leaves it',
      () => archive([START, member('samples/1_epoch_1.json', ONE)], { directory: false }),
      ['import.truncated', 'import.run_unfinished'],
      1,
    ],
    ['success', () => document([ONE], { status: 'cancelled' }), ['import.run_unfinished'], 1],
    [
      'a sample its summaries name',
      () =>
        archive([
          START,
          member('samples/1_epoch_1.json', ONE),
          member('summaries.json', [{ id: 9, epoch: 1 }]),
          HEADER,
        ]),
      ['import.missing_samples'],
      1,
    ],
    [
      'a sample that can be read',
      () =>
        archive([
          START,
          { name: 'samples/2_epoch_1.json', data: '{"id":', method: 8 },
          member('samples/1_epoch_1.json', ONE),
          HEADER,
        ]),
      ['import.broken_element'],
      1,
    ],
  ];

  test.each(cases)('%s', (_name, read, expected, transcripts) => {
    const file = read();
    expect(codes(file)).toEqual(expected);
    expect(file.transcripts.length).toBe(transcripts);
    expect(addsUp(file)).toBe(true);
  });

  it('what makes it one is told so', () => {
    expect(archive([{ name: 'word/document.xml', data: '<x/>' }]).problems[0]?.text).toContain(
      'Not a transcript: a zip archive with the member word/document.xml',
    );
  });
});

describe('attachments', () => {
  const cases: readonly [name: string, content: unknown, expected: unknown][] = [
    ['stand in for whole strings', `attachment://${HASH}`, 'é"long'],
    ['in blocks too', [{ type: 'image', image: `attachment://${HASH}` }], [{ type: 'image', image: 'é"long' }]],
    ['of the first logs', `tc://${HASH}`, 'é"long'],
    ['not inside of a string', `see attachment://${HASH}`, `see attachment://${HASH}`],
    ['not where they are quoted', `x "attachment://${HASH}" y`, `x "attachment://${HASH}" y`],
  ];

  test.each(cases)('%s', (_name, content, expected) => {
    const file = document([sample([user(content)], { attachments: { [HASH]: 'é"long' } })]);
    expect(file.transcripts[0]?.messages[0]?.value).toEqual(user(expected));
    expect(codes(file)).toEqual([]);
  });

  it('that are missing are counted, and give no title', () => {
    const file = document([sample([user(`attachment://${HASH}`), user(`attachment://${HASH}`)], { input: [] })]);
    expect(file.problems.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^2 texts are kept as an attachment/),
    ]);
    expect(file.transcripts[0]?.meta.title).toBeUndefined();
  });
});

describe('events', () => {
  it('tell of the answers they gave, by id, else by what was said', () => {
    const messages = [user('a'), answer('b', { id: 'x' }), user('c'), answer('d')];
    const events = [
      modelEvent(answer('b', { id: 'x' }), 5, { completed: '2026-01-01T00:00:02Z' }),
      modelEvent(answer('d'), 7),
      modelEvent(answer('nowhere'), 9),
    ];
    const [transcript] = document([sample(messages, { events })]).transcripts;
    expect(transcript?.messages.map(({ meta }) => meta.usage?.input)).toEqual([undefined, 5, undefined, 7]);
    expect(transcript?.messages[1]?.meta).toMatchObject({
      timestamp: '2026-01-01T00:00:02Z',
      stopReason: 'stop',
      id: 'x',
    });
    expect(transcript?.events.map(({ kind, at }) => [kind, at])).toEqual([
      ['model', 1],
      ['model', 3],
      ['model', 4],
      ['eval', 4],
    ]);
  });

  it('of agents called by a tool are transcripts, and a circle of spans ends', () => {
    const span = (id: string, type: string, parent: string) => ({
      event: 'span_begin',
      id,
      type,
      name: id,
      parent_id: parent,
    });
    const inner = modelEvent(answer('yes', { id: 'i1' }), 4, { span_id: 'agent', input: [user('really?')] });
    const events = [
      span('main', 'solver', 'agent'),
      {
        event: 'tool',
        id: 'call1',
        function: 'ask',
        span_id: 'main',
        agent_span_id: 'agent',
        arguments: {},
        result: '',
      },
      span('agent', 'agent', 'main'),
      inner,
    ];
    const file = document([sample([user('a')], { events })]);
    expect(file.transcripts.map(({ key, meta }) => [key, meta.parentKey, meta.parentCallId])).toEqual([
      ['sample 1 epoch 1', undefined, undefined],
      ['sample 1 epoch 1 agent', 'sample 1 epoch 1', 'call1'],
    ]);
    expect(texts(file, 1)).toEqual([JSON.stringify(user('really?')), JSON.stringify(answer('yes', { id: 'i1' }))]);
    expect(file.transcripts[0]?.spawns).toEqual([{ callId: 'call1', agentId: 'agent' }]);
  });

  it('refer to messages of a pool', () => {
    const pool = [user('one'), answer('two'), user('three')];
    const span = { event: 'span_begin', id: 's', type: 'agent', name: 'judge' };
    const event = modelEvent(answer('four', { id: 'j' }), 1, {
      span_id: 's',
      input_refs: [[2, 3], [0, 2], [9, 12], 'x'],
    });
    for (const held of [{ message_pool: pool }, { events_data: { messages: pool, calls: [] } }]) {
      const file = document([sample([user('a')], { events: [span, event], ...held })]);
      const said = file.transcripts[1]?.messages.map(({ value }) => (isRecord(value) ? value.content : null));
      expect(said).toEqual(['three', 'one', 'two', 'four']);
    }
  });

  it('of compactions carry their tokens, and what the next call was sent', () => {
    const compaction = { event: 'compaction', tokens_before: 9, tokens_after: 2 };
    const next = (more: object) => modelEvent(answer('d', { id: 'd' }), 1, more);
    const messages = [user('a'), answer('b'), user('c'), answer('d', { id: 'd' })];
    const read = (...events: object[]) => document([sample(messages, { events })]).transcripts[0]?.compactions;
    const replacement = [user('short'), user('c')];
    expect(read(compaction, next({ input: replacement }))).toEqual([
      {
        at: 3,
        kind: 'replacement',
        replacement: replacement.map((one) => JSON.stringify(one)),
        preTokens: 9,
        postTokens: 2,
      },
    ]);
    expect(read(compaction, next({}))).toEqual([{ at: 3, kind: 'opaque', preTokens: 9, postTokens: 2 }]);
    // One that no call of this conversation follows says nothing about it.
    expect(read(compaction)).toEqual([]);
    const inAgent = { event: 'span_begin', id: 's', type: 'agent', name: 'helper' };
    expect(read(inAgent, { ...compaction, span_id: 's' }, next({ input: [user('a')] }))).toEqual([]);
  });
});

describe('messages are read', () => {
  const cases: readonly [name: string, message: object, part: object][] = [
    [
      'calls',
      answer('', { tool_calls: [{ id: 'c', function: 'f', arguments: { a: 1 } }] }),
      { kind: 'tool_call', name: 'f', callId: 'c', chars: 7 },
    ],
    [
      'results',
      { role: 'tool', tool_call_id: 'c', function: 'f', content: 'ok' },
      { kind: 'tool_result', name: 'f', callId: 'c', isError: false, chars: 2 },
    ],
    [
      'errors',
      { role: 'tool', tool_call_id: 'c', function: 'f', content: '', error: { type: 'timeout', message: 'late' } },
      { kind: 'tool_result', isError: true, chars: 4 },
    ],
    [
      'errors with an output',
      { role: 'tool', tool_call_id: 'c', function: 'f', content: 'half', error: { type: 'limit', message: 'late' } },
      { isError: true, chars: 4 },
    ],
    [
      'reasoning',
      { role: 'assistant', content: [{ type: 'reasoning', reasoning: 'hm', signature: 's' }] },
      { kind: 'thinking', signed: true, chars: 2 },
    ],
    [
      'encrypted reasoning',
      { role: 'assistant', content: [{ type: 'reasoning', reasoning: 'Z2li', redacted: true }] },
      { kind: 'opaque', signed: true },
    ],
    [
      'calls of the provider',
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', tool_type: 'web_search', id: 'w', name: 'web_search', arguments: '{}', result: '' },
        ],
      },
      { kind: 'other', category: 'tool_call', name: 'web_search' },
    ],
  ];

  test.each(cases)('%s', (_name, message, part) => {
    const [transcript] = document([sample([message])]).transcripts;
    expect(readMessage(transcript?.messages[0]?.value).parts[0]).toMatchObject(part);
  });
});

it('NaN in scores reads as null', () => {
  const text = JSON.stringify({ eval: RUN, samples: [{ ...ONE, scores: { s: { value: 'NAN' } } }] }).replace(
    '"NAN"',
    'NaN',
  );
  const file = importText(text);
  expect(codes(file)).toEqual(['import.not_a_number']);
  expect(file.transcripts[0]?.events.find(({ kind }) => kind === 'scores')?.json).toBe('{"s":{"value":null}}');
});

describe.skipIf(!sharedDir())('the corpus (skipped where there is no shared material)', () => {
  const file = (name: string) => importFile(corpusFiles('inspect').find((path) => path.endsWith(name)) ?? '');

  it('an archive and its conversion are the same transcripts', () => {
    const said = ({ transcripts }: ImportedFile) =>
      transcripts
        .map(
          ({ key, messages }) => `${key}: ${messages.map(({ value, meta }) => JSON.stringify([value, meta])).join()}`,
        )
        .sort();
    const archived = file('theory-of-mind.eval');
    expect(archived.transcripts.length).toBe(100);
    expect(said(archived)).toEqual(said(file('theory-of-mind.converted.json')));
  });

  // The manifest counts of archives the samples' messages and events, of documents every message in the text.
  it('gives the samples, messages and events of the manifest', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(sharedDir() ?? '', 'corpus', 'MANIFEST.json'), 'utf8'));
    const entries = isRecord(manifest) && Array.isArray(manifest.files) ? manifest.files.filter(isRecord) : [];
    const archives = entries.filter(
      ({ format, file: path, messages }) => format === 'inspect' && /\.eval$/.test(String(path)) && messages !== null,
    );
    expect(archives.length).toBe(3);
    for (const entry of archives) {
      const read = file(String(entry.file).split('/').at(-1) ?? '');
      expect(read.transcripts.length).toBe(entry.samples);
      expect(read.transcripts.reduce((sum, { messages }) => sum + messages.length, 0)).toBe(entry.messages);
      const own = read.transcripts.flatMap(({ events }) => events.filter(({ timestamp }) => timestamp !== undefined));
      expect(own.length).toBe(entry.events);
    }
  });
});
