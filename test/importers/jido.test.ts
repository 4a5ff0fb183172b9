import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { callsOf, readMessage, resultsOf } from '../../core/model/readMessage.ts';
import { addsUp, codes, jsonl, texts } from './support.ts';

let next = 0;
const entry = (kind: string, payload: object, refs: object = {}, seq = next++): object => ({
  id: `e${seq}`,
  seq,
  kind,
  payload,
  refs,
});
const said = (content: string, refs = {}): object => entry('message', { role: 'user', content }, refs);
const call = (id: string, llm?: string): object =>
  entry(
    'tool_call',
    { name: 'f', arguments: { a: 1 } },
    { tool_call_id: id, ...(llm === undefined ? {} : { call_id: llm }) },
  );
const result = (id: string, llm?: string, value: unknown = 'x'): object =>
  entry(
    'tool_result',
    { name: 'f', result: value },
    { tool_call_id: id, ...(llm === undefined ? {} : { call_id: llm }) },
  );
const thread = (...entries: object[]): object => ({ id: 't', rev: entries.length, entries });
const read = (...entries: object[]) => importText(JSON.stringify(thread(...entries)));

/** Ids of the calls and results of each message: `a(1 2) t(1) t(2)`. */
function outline(...entries: object[]): string {
  const file = read(...entries);
  expect(addsUp(file)).toBe(true);
  const facts = texts(file).map((text) => readMessage(JSON.parse(text)));
  return facts
    .map((each) => {
      const ids = [...callsOf(each), ...resultsOf(each)].map(({ part }) => part.callId);
      return `${each.role.charAt(0)}${ids.length > 0 ? `(${ids.join(' ')})` : ''}`;
    })
    .join(' ');
}

describe('calls and results', () => {
  it.each<[string, object[], string]>([
    [
      'of one answer are one message',
      [call('1', 'a'), call('2', 'a'), result('1', 'a'), result('2', 'a')],
      'a(1 2) t(1) t(2)',
    ],
    [
      'of one answer, written as they ran',
      [call('1', 'a'), result('1', 'a'), call('2', 'a'), result('2', 'a')],
      'a(1 2) t(1) t(2)',
    ],
    ['of two answers', [call('1', 'a'), result('1', 'a'), call('2', 'b'), result('2', 'b')], 'a(1) t(1) a(2) t(2)'],
    ['of two answers in a row', [call('1', 'a'), call('2', 'b')], 'a(1) a(2)'],
    ['whose results name the tool call only', [call('1', 'a'), result('1')], 'a(1) t(1)'],
    [
      'without the id of an answer',
      [call('1'), call('2'), result('1'), result('2'), call('3')],
      'a(1 2) t(1) t(2) a(3)',
    ],
    ['after something else was said', [call('1', 'a'), said('u'), result('1', 'a')], 'a(1) u t(1)'],
    ['of no call', [said('u'), result('9')], 'u t(9)'],
  ])('%s', (_name, entries, expected) => expect(outline(...entries)).toBe(expected));

  it.each<[unknown, string, boolean]>([
    ['x', '"x"', false],
    [{ ok: 'x' }, '"x"', false],
    [{ ok: { n: 1 } }, '"{\\"n\\":1}"', false],
    [['ok', [1, 2]], '"[1,2]"', false],
    [[':ok', 1], '"1"', false],
    [{ error: 'timeout' }, '"{\\"error\\":\\"timeout\\"}"', true],
    [['error', { why: 1 }], '"{\\"error\\":{\\"why\\":1}}"', true],
    [{ ok: 1, more: 2 }, '"{\\"ok\\":1,\\"more\\":2}"', false],
    [null, '"null"', false],
  ])('a result of %j', (value, content, isError) => {
    const [text] = texts(read(result('1', 'a', value)));
    expect(text).toContain(`"content":${content}`);
    expect(resultsOf(readMessage(JSON.parse(text ?? ''))).map(({ part }) => part.isError)).toEqual([isError]);
  });
});

describe('messages', () => {
  it.each([
    ['as they are', '{"content":"h\\u0069","role":"user"}', '{"content":"h\\u0069","role":"user"}'],
    ['with an atom for a role', '{"role":":assistant","content":"x"}', '{"role":"assistant","content":"x"}'],
    ['without a role', '{"content":"x"}', '{"role":"user","content":"x"}'],
  ])('%s', (_name, payload, text) => {
    expect(texts(importText(`{"id":"t","entries":[{"seq":0,"kind":"message","payload":${payload}}]}`))).toEqual([text]);
  });
});

describe('other kinds', () => {
  it.each([
    ['note', { text: 'looked away' }, 'note', 'looked away', []],
    [':checkpoint', {}, 'checkpoint', 'an entry of kind checkpoint', []],
    ['hologram', {}, 'unknown:hologram', 'an entry of the unknown kind hologram', ['import.unknown_record']],
  ])('%s', (kind, payload, as, text, problems) => {
    const file = read(said('u'), entry(kind, payload));
    expect(file.transcripts[0]?.events.map((event) => [event.kind, event.text, event.at])).toEqual([[as, text, 1]]);
    expect(codes(file)).toEqual(problems);
    expect(addsUp(file)).toBe(true);
  });
});

describe('summaries', () => {
  const from = (...entries: object[]) => importText(JSON.stringify(thread(...entries))).transcripts[0]?.compactions;
  const note = (seq: number): object => entry('message', { role: 'user', content: String(seq) }, {}, seq);
  const summary = (seq: number, to?: number): object =>
    entry('summary', { from_seq: 0, ...(to === undefined ? {} : { to_seq: to }), content: 's' }, {}, seq);
  it.each<[string, object[], object[]]>([
    ['of all before', [note(0), note(1), summary(2, 1)], [{ at: 2, summaryIndex: 2, preserved: [] }]],
    ['of the beginning', [note(0), note(1), note(2), summary(3, 0)], [{ at: 3, summaryIndex: 3, preserved: [1, 2] }]],
    ['that do not say of what', [note(0), summary(1)], [{ at: 1, summaryIndex: 1 }]],
    [
      'one after the other',
      [note(0), summary(1, 0), note(2), summary(3, 0)],
      [
        { at: 1, summaryIndex: 1, preserved: [] },
        { at: 3, summaryIndex: 3, preserved: [2] },
      ],
    ],
  ])('%s', (_name, entries, expected) => expect(from(...entries)).toEqual(expected));
});

describe('where threads are found', () => {
  const one = (): object => thread(said('a'), said('b'));
  it.each<[string, () => string]>([
    ['a document', () => JSON.stringify(one())],
    ['a list of entries', () => JSON.stringify([said('a'), said('b')])],
    ['entries in lines', () => jsonl(said('a'), said('b'))],
    ['a journal', () => jsonl({ thread_id: 't', entry: said('a') }, { thread_id: 't', entry: said('b') })],
    ['an export', () => JSON.stringify({ thread: one() })],
    ['the state of an agent', () => JSON.stringify({ state: { __thread__: one() } })],
    ['threads by name', () => JSON.stringify({ __threads__: { r: one() } })],
    ['threads in lines', () => jsonl(one(), { id: 'other', rev: 0, entries: [] })],
    [
      'a thread that grew',
      () => {
        const [first, second] = [said('a'), said('b')];
        return jsonl(thread(first), thread(first, second));
      },
    ],
    ['the head of a thread, then its entries', () => jsonl({ id: 't', rev: 0, metadata: {} }, said('a'), said('b'))],
  ])('%s', (_name, source) => {
    const file = importText(source());
    expect(file.format).toBe('jido');
    expect(texts(file)).toEqual(['{"role":"user","content":"a"}', '{"role":"user","content":"b"}']);
    expect(addsUp(file)).toBe(true);
  });

  it('knows a fork by what it shares with its parent', () => {
    const [a, b, c] = [said('a'), said('b'), said('c')];
    const fork = { id: 'f', rev: 2, entries: [a, c], metadata: { parent_thread_id: 't', fork_seq: 0 } };
    const file = importText(JSON.stringify([thread(a, b), fork]));
    expect(
      file.transcripts.map(({ key, meta }) => [key, meta.branchOf, meta.branchAt, meta.continuesSessionId]),
    ).toEqual([
      ['t', undefined, undefined, undefined],
      ['f', 't', 1, 't'],
    ]);
  });

  it('says where a fork of a thread in another file leaves it', () => {
    const called = {
      ...said('b'),
      kind: 'tool_call',
      payload: { name: 'read', arguments: {} },
      refs: { call_id: 'c' },
    };
    const entries = [said('a'), called, { ...called, refs: { call_id: 'c' } }, said('c')].map((entry, seq) => {
      return { ...entry, id: `e${seq}`, seq };
    });
    const forkedAt = (seq: number): unknown => {
      const metadata = { parent_thread_id: 'elsewhere', fork_seq: seq };
      return importText(JSON.stringify({ id: 'f', rev: 4, entries, metadata })).transcripts[0]?.meta.forkedAt;
    };
    expect([0, 1, 3, 4, 9].map(forkedAt)).toEqual([0, 1, 2, 3, 3]);
  });

  it('leaves to others what is theirs', () => {
    for (const other of [
      { kind: 'message', payload: {} },
      { kind: 'log', payload: {}, seq: 1 },
      { entries: [{ id: 'x' }] },
    ]) {
      expect(importText(JSON.stringify([other])).format).not.toBe('jido');
    }
  });
});
