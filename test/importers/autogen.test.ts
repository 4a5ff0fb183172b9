import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { callsOf, readMessage, resultsOf } from '../../core/model/readMessage.ts';
import { arrayAt, isRecord } from '../../core/util/unknown.ts';
import { corpusFiles } from '../support/shared.ts';
import { addsUp, importFile, jsonl, texts } from './support.ts';

const team = (...history: object[]): string => JSON.stringify({ history, question_ID: 'q', mistake_agent: 'A' });

describe('autogen', () => {
  it.each([
    ['a person', { role: 'human', content: 'a' }, '{"role":"user","name":"human","content":"a"}', {}],
    ['an agent', { role: 'Coder', content: 'a' }, '{"role":"assistant","name":"Coder","content":"a"}', {}],
    [
      'a thought',
      { role: 'Boss (thought)', content: 'a' },
      '{"role":"assistant","name":"Boss (thought)","content":"a"}',
      {},
    ],
    [
      'a run of code',
      { role: 'ComputerTerminal', content: 'a' },
      '{"role":"user","name":"ComputerTerminal","content":"a"}',
      { injected: true },
    ],
    ['a named speaker', { role: 'user', name: 'B', content: 'a' }, '{"role":"user","name":"B","content":"a"}', {}],
  ])('gives the words of %s a role', (_name, entry, text, meta) => {
    const file = importText(team(entry));
    expect(file.format).toBe('autogen');
    expect(texts(file)).toEqual([text]);
    expect(file.transcripts[0]?.messages[0]?.meta).toEqual(meta);
    expect(addsUp(file)).toBe(true);
  });

  it('takes the end of a run for no message', () => {
    const file = importText(team({ role: 'A', content: 'a' }, { role: 'A (termination condition)', content: 'done' }));
    expect(texts(file)).toHaveLength(1);
    expect(file.transcripts[0]?.events.map(({ kind, text }) => [kind, text])).toEqual([
      ['termination', 'done'],
      ['result', 'mistake of A'],
    ]);
  });

  it.each([
    ['an object', { value: 'tool' }],
    ['a string', 'tool'],
  ])('gives each result a message of its own, the role being %s', (_name, role) => {
    const results = [
      { type: 'function_result', call_id: 'c1', result: { a: 1 } },
      { type: 'function_result', call_id: 'c2', result: null, exception: 'no' },
    ];
    const file = importText(JSON.stringify([{ role, contents: results }]));
    expect(file.format).toBe('autogen');
    expect(texts(file)).toEqual([
      '{"role":"tool","tool_call_id":"c1","content":{"a":1}}',
      '{"role":"tool","tool_call_id":"c2","content":"no","is_error":true}',
    ]);
    const results2 = texts(file).flatMap((text) => resultsOf(readMessage(JSON.parse(text))));
    expect(results2.map(({ part }) => [part.callId, part.isError])).toEqual([
      ['c1', false],
      ['c2', true],
    ]);
    expect(addsUp(file)).toBe(true);
  });

  it('reads lines, a list of runs and a single run alike', () => {
    const run = { id: '1', messages: [{ role: { value: 'user' }, contents: [{ type: 'text', text: 'hi' }] }] };
    for (const source of [jsonl(run, run), JSON.stringify([run, run]), JSON.stringify(run)]) {
      const file = importText(source);
      expect(file.format).toBe('autogen');
      expect(file.transcripts.map(({ meta, messages }) => [meta.sessionId, meta.title, messages.length])).toEqual(
        Array(source.split('hi').length - 1).fill(['1', 'hi', 1]),
      );
      expect(addsUp(file)).toBe(true);
    }
  });

  it('keeps a run that failed, with what it said', () => {
    const run = { id: '1', messages: [{ role: { value: 'user' }, contents: [{ type: 'text', text: 'hi' }] }] };
    const file = importText(jsonl({ id: '0', error: 'timeout' }, run));
    expect(file.transcripts.map(({ meta, messages }) => [meta.sessionId, messages.length])).toEqual([
      ['0', 0],
      ['1', 1],
    ]);
    expect(file.transcripts[0]?.events.map(({ kind, text }) => [kind, text])).toEqual([
      ['error', 'the run failed: timeout'],
    ]);
  });
});

const files = corpusFiles('autogen').map((path) => [basename(path), path] as const);

describe.skipIf(files.length === 0)('real conversations (skipped where there is no shared material)', () => {
  it.each(files)('%s: every entry, call and result', (_name, path) => {
    const lines = path.endsWith('.jsonl')
      ? readFileSync(path, 'utf8').trim().split('\n')
      : [readFileSync(path, 'utf8')];
    const runs = lines.map((line): unknown => JSON.parse(line)).filter(isRecord);
    const entries = runs.flatMap((run) => arrayAt(run, 'history') ?? arrayAt(run, 'messages') ?? []).filter(isRecord);
    const contents = entries.flatMap((entry) => arrayAt(entry, 'contents') ?? []).filter(isRecord);
    const file = importFile(path);
    const facts = file.transcripts.flatMap(({ messages }) => messages).map(({ text }) => readMessage(JSON.parse(text)));
    const ends = file.transcripts.flatMap(({ events }) => events).filter(({ kind }) => kind === 'termination').length;
    expect(file.transcripts).toHaveLength(runs.length);
    expect(facts.flatMap(callsOf)).toHaveLength(contents.filter(({ type }) => type === 'function_call').length);
    expect(facts.flatMap(resultsOf)).toHaveLength(contents.filter(({ type }) => type === 'function_result').length);
    const said = facts.filter((one) => resultsOf(one).length === 0).length;
    expect(said + ends).toBe(entries.filter(({ role }) => !isRecord(role) || role.value !== 'tool').length);
  });
});
