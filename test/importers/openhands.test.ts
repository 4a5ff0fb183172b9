import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { callsOf, readMessage, resultsOf } from '../../core/model/readMessage.ts';
import { arrayAt, isRecord } from '../../core/util/unknown.ts';
import { corpusFiles } from '../support/shared.ts';
import { addsUp, importFile, jsonl, texts } from './support.ts';

const act = (action: string, args: object, more: object = {}): object => ({ action, args, message: 'm', ...more });
const see = (observation: string, content: string, more: object = {}): object => ({
  observation,
  content,
  extras: {},
  message: 'm',
  ...more,
});

describe('openhands, actions and observations', () => {
  it.each([
    ['a user', { source: 'user' }, 'user'],
    ['the agent', { source: 'agent' }, 'assistant'],
    ['nobody named, waiting', {}, 'assistant'],
  ])('gives a message of %s its role', (_name, more, role) => {
    const file = importText(JSON.stringify([act('message', { content: 'a', wait_for_response: true }, more)]));
    expect(file.format).toBe('openhands');
    expect(texts(file)).toEqual([`{"role":"${role}","content":"a"}`]);
  });

  it.each([
    ['by the action it names', { id: 5 }, { id: 6, cause: 5 }, '5'],
    ['by order, where nothing is numbered', {}, {}, null],
  ])('pairs a call without metadata %s', (_name, own, more, id) => {
    const run = act('run', { command: 'ls', thought: 'look' }, own);
    const file = importText(JSON.stringify([run, see('run', 'a', more)]));
    const facts = texts(file).map((text) => readMessage(JSON.parse(text)));
    expect(facts.flatMap(callsOf).map(({ part }) => [part.callId, part.name])).toEqual([[id, 'run']]);
    expect(facts.flatMap(resultsOf).map(({ part }) => [part.callId, part.name])).toEqual([[id, 'run']]);
    expect(JSON.parse(texts(file)[0] ?? '')).toMatchObject({
      content: 'look',
      tool_calls: [{ arguments: { command: 'ls' } }],
    });
  });

  it.each([
    ['an exit code', see('run', 'a', { extras: { metadata: { exit_code: 2 } } }), true],
    ['an older exit code', see('run', 'a', { extras: { exit_code: 1 } }), true],
    ['exit code 0', see('run', 'a', { extras: { exit_code: 0 } }), false],
    ['an error', see('error', 'a'), true],
    ['a rejection', see('user_rejected', 'a'), true],
    ['what says so', see('edit', 'a', { success: false }), true],
  ])('takes %s for what it is', (_name, observation, isError) => {
    const file = importText(JSON.stringify([act('run', { command: 'ls' }), observation]));
    const results = texts(file).flatMap((text) => resultsOf(readMessage(JSON.parse(text))));
    expect(results.map(({ part }) => part.isError)).toEqual([isError]);
  });

  it('reads the pairs of the first releases, in lines', () => {
    const pair = [act('run', { command: 'ls' }, { id: 1 }), see('run', 'a', { id: 2, cause: 1 })];
    const file = importText(jsonl({ instance_id: 'i', history: [pair, pair] }, { instance_id: 'i', history: [pair] }));
    expect(file.transcripts.map(({ key, messages }) => [key, messages.length])).toEqual([
      ['i', 4],
      ['i 2', 2],
    ]);
    expect(addsUp(file)).toBe(true);
  });

  it('reads the flat events of the resolver', () => {
    const history = [
      { content: 'Fix it', images_urls: null, wait_for_response: false, action: 'message', security_risk: null },
      { command: 'ls', thought: 'Look.', keep_prompt: true, action: 'run', is_confirmed: 'confirmed' },
      { content: 'a', command_id: -1, command: 'ls', exit_code: 1, observation: 'run' },
      { code: '1', thought: '', action: 'run_ipython' },
      { content: '1', code: '1', observation: 'run_ipython' },
      { outputs: {}, thought: 'Done.', action: 'finish' },
    ];
    const issue = { owner: 'o', repo: 'r', number: 5, title: 'Add a licence', body: 'b' };
    const file = importText(jsonl({ issue, history, success: true }, { issue, history: [], error: 'x' }));
    expect(file.format).toBe('openhands');
    expect(texts(file)).toEqual([
      '{"role":"user","content":"Fix it"}',
      '{"role":"assistant","content":"Look.","tool_calls":[{"name":"run","arguments":{"command":"ls","keep_prompt":true}}]}',
      '{"role":"tool","name":"run","content":"a","is_error":true}',
      '{"role":"assistant","tool_calls":[{"name":"run_ipython","arguments":{"code":"1"}}]}',
      '{"role":"tool","name":"run_ipython","content":"1"}',
      '{"role":"assistant","content":"Done."}',
    ]);
    expect(file.transcripts.map(({ key, meta }) => [key, meta.title])).toEqual([
      ['o/r#5', 'Add a licence'],
      ['o/r#5 2', 'Add a licence'],
    ]);
    expect(addsUp(file)).toBe(true);
  });

  it('keeps a line whose history is empty, with what became of the run', () => {
    const line = { instance_id: 'j', history: [], error: 'no container' };
    const file = importText(jsonl({ instance_id: 'i', history: [act('finish', { thought: 'x' })] }, line));
    expect(file.transcripts.map(({ messages, events }) => [messages.length, events.map(({ text }) => text)])).toEqual([
      [1, ['what is known of the run']],
      [0, ['error: no container']],
    ]);
  });
});

describe('openhands, events of the SDK', () => {
  const base = { id: 'e', timestamp: '2026-01-21T22:37:55', source: 'agent' };
  const action = (id: string, response: string): object => ({
    ...base,
    id,
    kind: 'ActionEvent',
    thought: [],
    tool_call: { id: `c-${id}`, name: 'f', arguments: '{}' },
    llm_response_id: response,
  });

  it('joins the calls of one response, and only these', () => {
    const note = { ...base, kind: 'PauseEvent' };
    const file = importText(jsonl(action('1', 'r'), action('2', 'r'), action('3', 's'), note, action('4', 's')));
    const calls = texts(file).map((text) => callsOf(readMessage(JSON.parse(text))).map(({ part }) => part.callId));
    expect(calls).toEqual([['c-1', 'c-2'], ['c-3'], ['c-4']]);
    expect(file.transcripts[0]?.messages[0]?.origins.map(({ line }) => line)).toEqual([1, 2]);
    expect(addsUp(file)).toBe(true);
  });

  it('keeps the exact text of a message that nothing was added to', () => {
    const own = '{"role": "user", "content": [{"type":"text","text":"h\\u0069"}], "n": 1.0}';
    const line = `{"id":"1","timestamp":"2026-01-21T22:37:55","source":"user","llm_message":${own},"kind":"MessageEvent"}`;
    expect(texts(importText(line))).toEqual([own]);
  });

  it('knows what a condensation left in view', () => {
    const said = (id: string): object => ({
      ...base,
      id,
      kind: 'MessageEvent',
      llm_message: { role: 'user', content: id },
    });
    const forget = (id: string, forgotten: string[], summary: string | null): object => ({
      ...base,
      id,
      kind: 'Condensation',
      forgotten_event_ids: forgotten,
      summary,
    });
    const file = importText(
      jsonl(said('1'), said('2'), said('3'), forget('4', ['2'], 'two'), said('5'), forget('6', ['1', '5'], null)),
    );
    expect(file.transcripts[0]?.compactions).toEqual([
      { at: 3, summaryIndex: 3, preserved: [0, 2] },
      { at: 5, preserved: [2, 3] },
    ]);
    expect(texts(file)[3]).toBe('{"role":"user","content":"two"}');
    expect(file.transcripts[0]?.messages[3]?.meta.compactSummary).toBe(true);
  });
});

const files = corpusFiles('openhands');
const saved = files.filter((path) => /oh-.*\.jsonl?$/.test(path)).map((path) => [basename(path), path] as const);
const folders = [...new Set(files.filter((path) => /event-\d+/.test(path)).map((path) => dirname(path)))];

describe.skipIf(files.length === 0)('real conversations (skipped where there is no shared material)', () => {
  it.each(saved)('%s: every event, call and result', (_name, path) => {
    const text = readFileSync(path, 'utf8');
    const documents = path.endsWith('l') ? text.trim().split('\n') : [text];
    const events = documents
      .map((document): unknown => JSON.parse(document))
      .flatMap((value) => (isRecord(value) ? (arrayAt(value, 'history') ?? []) : Array.isArray(value) ? value : []))
      .filter(isRecord);
    const file = importFile(path);
    const messages = file.transcripts.flatMap(({ messages }) => messages);
    const facts = messages.map((message) => readMessage(JSON.parse(message.text)));
    const notes = file.transcripts.flatMap((one) => one.events).filter(({ kind }) => kind !== 'result');
    expect(messages.length + notes.length + file.ignored.length).toBe(events.length);
    const made = events.filter((event) => isRecord(event.tool_call_metadata));
    expect(facts.flatMap(callsOf)).toHaveLength(made.filter((event) => 'action' in event).length);
    expect(facts.flatMap(resultsOf)).toHaveLength(made.filter((event) => 'observation' in event).length);
  });

  it.each(folders.map((path) => [basename(dirname(path)), path] as const))('%s: a folder in order', (_name, path) => {
    const events = files.filter((file) => dirname(file) === path).map((file) => readFileSync(file, 'utf8').trim());
    const state = readFileSync(join(dirname(path), 'base_state.json'), 'utf8').trim();
    const file = importText(`${[...events, state].join('\n')}\n`);
    expect(file.transcripts).toHaveLength(1);
    expect(texts(file)).toHaveLength(events.length);
    const facts = texts(file).map((text) => readMessage(JSON.parse(text)));
    expect(facts.flatMap(callsOf).map(({ part }) => part.callId)).toEqual(
      facts.flatMap(resultsOf).map(({ part }) => part.callId),
    );
    expect(addsUp(file)).toBe(true);
  });
});
