// What belongs to a request, and to a call of the model, by the ids that a transcript records.
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { type ImportedTranscript, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { type Correlation, correlate, type Wanted } from '../../core/insight/correlate.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { MessageMeta } from '../../core/model/message.ts';
import { project } from '../../core/projection/project.ts';
import { stagesOf } from '../support/projecting.ts';
import { corpusFiles } from '../support/shared.ts';

type Told = readonly [message: object, meta: MessageMeta];

function correlated(told: readonly Told[], wanted: Wanted): Correlation {
  const source = memorySource(told.map(([message]) => JSON.stringify(message)));
  const meta = (index: number) => told[index]?.[1] ?? {};
  return correlate(wanted, { length: source.length, facts: (index) => source.facts(index), meta });
}

const user = (content: string) => ({ role: 'user', content });
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: {} })),
});
const results = (...ids: string[]) => ({
  role: 'user',
  content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'found' })),
});
const answer = { role: 'assistant', content: 'Done.' };

/** As Claude Code writes it: the provider's id of the request at each answer, none at results. */
const SESSION: readonly Told[] = [
  [user('Go.'), {}],
  [calls('t1', 't2'), { requestId: 'req_1', id: 'msg_1' }],
  [results('t1'), {}],
  [results('t2'), {}],
  [calls('t3'), { requestId: 'req_2', id: 'msg_2' }],
  [results('t3'), {}],
  [answer, { requestId: 'req_3', id: 'msg_3' }],
];

/** As a thread tells it: one request, calls with ids of their own, the ask under that of the first. */
const THREAD: readonly Told[] = [
  [user('Go.'), { requestId: 'r1', callId: 'c1' }],
  [calls('t1'), { requestId: 'r1', callId: 'c1', iteration: 1 }],
  [results('t1'), { callId: 'c1' }],
  [answer, { requestId: 'r1', callId: 'c2', iteration: 2, parentCallId: 'c1' }],
  [user('More.'), { requestId: 'r2', callId: 'c3' }],
];

const indices = ({ entries }: Correlation) => entries.map(({ index }) => index);
const call = (callId: string): Wanted => ({ kind: 'call', callId });
const request = (requestId: string): Wanted => ({ kind: 'request', requestId });

describe('messages and place of', () => {
  test.each<[string, readonly Told[], Wanted, readonly number[], number | null]>([
    ['a call by the provider’s id of its request', SESSION, call('req_1'), [1, 2, 3], 1],
    ['a call by the id of its answer', SESSION, call('msg_2'), [4, 5], 4],
    ['a call by a tool call in it', SESSION, call('t2'), [1, 2, 3], 1],
    ['a request that is one call', SESSION, request('req_2'), [4, 5], 4],
    ['a request of a thread', THREAD, request('r1'), [0, 1, 2, 3], 1],
    ['a call of a thread, with what was asked', THREAD, call('c1'), [0, 1, 2], 1],
    ['a call of a thread that is the answer', THREAD, call('c2'), [3], 3],
    ['a call that was not answered: after what was asked', THREAD, call('c3'), [4], 5],
    ['nothing', THREAD, call('c9'), [], null],
    ['nothing, for a call asked for as a request', SESSION, request('t1'), [], null],
  ])('%s', (_name, told, wanted, expected, at) => {
    const found = correlated(told, wanted);
    expect(indices(found)).toEqual(expected);
    expect(found.at).toBe(at);
  });
});

test('how each message is tied, and what it names', () => {
  const { entries, callIds } = correlated(THREAD, request('r1'));
  expect(entries.map(({ via }) => via)).toEqual(['ref', 'ref', 'answers', 'ref']);
  expect(entries[3]).toMatchObject({ kinds: ['message'], callId: 'c2', iteration: 2, parentCallId: 'c1' });
  expect(entries[1]).toMatchObject({ kinds: ['tool_call'], toolCallIds: ['t1'] });
  expect(callIds).toEqual(['c1', 'c2']);
});

function sourceOf(transcript: ImportedTranscript) {
  const memory = MemoryTranscript.of(transcript);
  const meta = (index: number) => transcript.messages[index]?.meta ?? {};
  return { length: memory.length, facts: (index: number) => memory.facts(index), meta, memory };
}

test('over real sessions: what stood before a call is what it was made of', () => {
  const stages = stagesOf('raw');
  let seen = 0;
  const files = ['claude-code', 'copilot-cli', 'openhands', 'pi'].flatMap((format) => corpusFiles(format).slice(0, 12));
  for (const path of files.filter((file) => statSync(file).size < 2_000_000)) {
    for (const transcript of importText(readFileSync(path), { unpack: unpackZlib }).transcripts.slice(0, 3)) {
      const source = sourceOf(transcript);
      for (let index = 0; index < source.length; index += 7) {
        const { requestId, callId } = source.meta(index);
        if (source.facts(index).role !== 'assistant' || requestId === undefined || callId !== undefined) continue;
        const { at, entries } = correlate(call(requestId), source);
        const first = Array.from({ length: index + 1 }, (_, i) => i).find(
          (i) => source.meta(i).requestId === requestId,
        );
        expect([path, at]).toEqual([path, first]);
        expect(entries.some((entry) => entry.index === index)).toBe(true);
        expect(project(source.memory, stages, at ?? 0).view.items).toHaveLength(first ?? -1);
        seen++;
      }
    }
  }
  if (files.length > 0) expect(seen).toBeGreaterThan(20);
});
