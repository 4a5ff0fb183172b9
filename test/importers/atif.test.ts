import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { callsOf, readMessage, resultsOf } from '../../core/model/readMessage.ts';
import { arrayAt, isRecord } from '../../core/util/unknown.ts';
import { corpusFiles } from '../support/shared.ts';
import { addsUp, importFile, jsonl, texts } from './support.ts';

const trajectory = (...steps: object[]): object => ({ schema_version: 'ATIF-v1.6', steps });
const read = (...steps: object[]) => importText(JSON.stringify(trajectory(...steps)));
const call = (id: string, name = 'f'): object => ({ tool_call_id: id, function_name: name, arguments: { a: 1 } });
const agent = (calls: object[], results: object[]): object => ({
  step_id: 1,
  source: 'agent',
  message: 'm',
  tool_calls: calls,
  observation: { results },
});

describe('atif', () => {
  it.each([
    ['named', [call('1'), call('2')], [{ source_call_id: '2', content: 'x' }], ['2']],
    ['in their place', [call('1'), call('2')], [{ content: 'x' }, { content: 'y' }], ['1', '2']],
    ['one for several calls', [call('1'), call('2')], [{ content: 'x' }], ['1']],
    ['more than there are calls', [call('1')], [{ content: 'x' }, { content: 'y' }], ['1', null]],
    ['scrubbed', [call('<redacted>')], [{ source_call_id: '<redacted>', content: 'x' }], [null]],
    ['of no call', [], [{ content: 'x' }], [null]],
  ])('pairs results that are %s', (_name, calls, results, ids) => {
    const file = read(agent(calls, results));
    const facts = texts(file).map((text) => readMessage(JSON.parse(text)));
    expect(facts.flatMap(callsOf)).toHaveLength(calls.length);
    expect(facts.flatMap(resultsOf).map(({ part }) => part.callId)).toEqual(ids);
    expect(addsUp(file)).toBe(true);
  });

  it('keeps the exact texts', () => {
    const file = importText(
      '{"schema_version":"ATIF-v1.0","steps":[{"step_id":1,"source":"agent","message":"h\\u0069","reasoning_content":"r\\/","tool_calls":[{"tool_call_id":"a","function_name":"f","arguments":{"n":1.0}}]}]}',
    );
    expect(texts(file)).toEqual([
      '{"role":"assistant","reasoning_content":"r\\/","content":"h\\u0069","tool_calls":[{"id":"a","name":"f","arguments":{"n":1.0}}]}',
    ]);
  });

  it('takes a system step that points to trajectories for a compaction, any other for a message', () => {
    const refs = { observation: { results: [{ subagent_trajectory_ref: [{ session_id: 's' }] }] } };
    const file = read(
      { step_id: 1, source: 'user', message: 'u' },
      { step_id: 2, source: 'system', message: 'summarised', ...refs },
      { step_id: 3, source: 'system', message: 'note' },
    );
    expect(file.transcripts[0]?.compactions).toEqual([{ at: 1 }]);
    expect(texts(file)).toEqual(['{"role":"user","content":"u"}', '{"role":"system","content":"note"}']);
  });

  it('accounts for what is left of a damaged or empty sub-agent', () => {
    const left = [{ step_id: 2, source: 'agent', message: 'left over' }, { session_id: 's-9', steps: [] }, 'text'];
    const document = { ...trajectory(agent([], [])), subagent_trajectories: left };
    const file = importText(JSON.stringify(document));
    expect(file.counts).toMatchObject({ unaccounted: 0, inEvents: 3 });
    expect(addsUp(file)).toBe(true);
  });

  it('makes each line a transcript', () => {
    const one = trajectory({ step_id: 1, source: 'user', message: 'a' });
    const file = importText(jsonl(one, one));
    expect(file.transcripts.map(({ key, messages }) => [key, messages.length])).toEqual([
      ['main', 1],
      ['main 2', 1],
    ]);
    expect(addsUp(file)).toBe(true);
  });
});

const files = corpusFiles('atif').map((path) => [basename(path), path] as const);

describe.skipIf(files.length === 0)('real trajectories (skipped where there is no shared material)', () => {
  it.each(files)('%s: every step, result and call', (_name, path) => {
    const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const steps = (isRecord(document) ? arrayAt(document, 'steps') : undefined)?.filter(isRecord) ?? [];
    const file = importFile(path);
    const facts = texts(file).map((text) => readMessage(JSON.parse(text)));
    const said = facts.filter(({ role }) => role !== 'tool').length;
    const events = file.transcripts.flatMap(({ events }) => events).filter(({ kind }) => kind !== 'result');
    expect(said + events.length).toBe(steps.length);
    const calls = steps.flatMap((step) => arrayAt(step, 'tool_calls') ?? []);
    expect(facts.flatMap(callsOf)).toHaveLength(calls.length);
  });
});
