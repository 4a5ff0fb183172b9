// A transcript as a Jido thread, and back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ImportedTranscript, importText, MemoryTranscript } from '../../core/importers/memory.ts';
import type { MessageMeta } from '../../core/model/message.ts';
import { jidoThread, type ThreadSource } from '../../core/report/jidoThread.ts';
import { seededRng } from '../../core/util/rng.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');

function imported(text: string): ImportedTranscript {
  const [first] = importText(text).transcripts;
  if (first === undefined) throw new Error('no transcript');
  return first;
}

function sourceOf(transcript: ImportedTranscript): ThreadSource {
  const memory = MemoryTranscript.of(transcript);
  return {
    length: memory.length,
    text: (index) => memory.text(index),
    facts: (index) => memory.facts(index),
    meta: (index) => transcript.messages[index]?.meta ?? {},
    compactions: () => memory.compactions(),
  };
}

function exported(transcript: ImportedTranscript) {
  return jidoThread(sourceOf(transcript), transcript.meta, transcript.meta.sessionId ?? transcript.key);
}

const refsOf = ({ requestId, callId, iteration, parentCallId, id, timestamp, model }: MessageMeta) => {
  return { requestId, callId, iteration, parentCallId, id, timestamp, model };
};

test.each(['thread.json', 'journal.jsonl', 'state.json'])('%s: exported and read again it says the same', (name) => {
  const before = imported(readFileSync(join(FIXTURES, 'jido', name), 'utf8'));
  const { json, losses } = exported(before);
  expect(losses).toEqual([]);
  const after = imported(json);
  expect(after.meta.format).toBe('jido');
  expect(after.messages.map(({ text }) => text)).toEqual(before.messages.map(({ text }) => text));
  expect(after.messages.map(({ meta }) => refsOf(meta))).toEqual(before.messages.map(({ meta }) => refsOf(meta)));
  expect(after.compactions).toEqual(before.compactions);
  expect(exported(after).json).toBe(json);
});

const chat = (messages: readonly unknown[]) => imported(JSON.stringify({ messages }));

test('calls become entries of their own, with their ids; arguments in text become values', () => {
  const { json, losses } = exported(
    chat([
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'get', arguments: '{"city": "Rome", "n": 1.0}' } },
          { id: 'b', type: 'function', function: { name: 'get', arguments: 'Oslo' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '22' },
      { role: 'tool', tool_call_id: 'b', content: 'Error: no' },
    ]),
  );
  expect(losses).toEqual([]);
  const { entries } = JSON.parse(json);
  expect(entries.map((entry: { kind: string; payload: unknown }) => [entry.kind, entry.payload])).toEqual([
    ['message', { role: 'user', content: 'Weather?' }],
    ['message', { role: 'assistant', content: 'Let me look.' }],
    ['tool_call', { name: 'get', arguments: { city: 'Rome', n: 1 } }],
    ['tool_call', { name: 'get', arguments: 'Oslo' }],
    ['tool_result', { result: '22' }],
    ['tool_result', { result: expect.anything() }],
  ]);
  expect(json).toContain('"n": 1.0');
  expect(entries.map((entry: { seq: number }) => entry.seq)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(entries[2].refs).toMatchObject({ tool_call_id: 'a' });
  expect(imported(json).messages).toHaveLength(5);
});

test('what a thread cannot carry is listed', () => {
  const { losses } = exported(
    chat([
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'x' },
          { type: 'tool_use', id: 'a', name: 'get', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'found' }] },
    ]),
  );
  expect(losses).toEqual([{ index: 1, what: 'thinking beside calls or results' }]);
});

test('two answers in a row that only call stay two', () => {
  const call = (id: string) => ({ role: 'assistant', content: '', tool_calls: [{ id, name: 'get', arguments: {} }] });
  const before = chat([{ role: 'user', content: 'Go.' }, call('a'), call('b'), { role: 'user', content: 'Stop.' }]);
  const after = imported(exported(before).json);
  expect(after.messages.map(({ text }) => text)).toEqual(before.messages.map(({ text }) => text));
});

test('a what-if says so', () => {
  const before = chat([{ role: 'user', content: 'Go.' }]);
  const whatIf = { parentId: 'p1', at: 1, madeAt: '2026-02-02T16:56:00.000Z' };
  const { json } = jidoThread(sourceOf(before), { ...before.meta, whatIf }, 'w');
  expect(JSON.parse(json).metadata).toMatchObject({ what_if: true, parent_thread_id: 'p1', fork_seq: 1 });
});

test('entries come back as they were written: ids and times of joined calls, outcomes, who named the model', () => {
  const written = [
    { kind: 'message', payload: { role: 'user', content: 'Oslo, Rome, Bonn?' }, refs: { request_id: 'r1' } },
    ...['Oslo', 'Rome', 'Bonn'].map((city, at) => ({
      kind: 'tool_call',
      payload: { name: 'get', arguments: { city } },
      refs: { request_id: 'r1', call_id: 'c1', tool_call_id: `t${at}`, iteration: 1 },
    })),
    ...[
      { ok: { temp: 3 } },
      { error: { code: 2 } },
      ['ok', [1]],
      ['error', 'late'],
      { ok: 'mild' },
      { n: 1 },
      'wet',
    ].map((result, at) => ({
      kind: 'tool_result',
      payload: { name: 'get', result },
      refs: { tool_call_id: `t${at}` },
    })),
    { kind: 'message', payload: { role: 'assistant', content: 'Mild.', model: 'a:b' }, refs: { call_id: 'c2' } },
    { kind: 'summary', payload: { from_seq: 0, to_seq: 3, content: 'So.', format: 'plain', model: 'm' }, refs: {} },
    { kind: 'summary', payload: { from_seq: 0, to_seq: 4, content: 'So.', format: 'plain' }, refs: { model: 'm' } },
  ].map((entry, seq) => ({ id: `e${seq}`, seq, at: new Date(1.77e12 + seq * 1000).toISOString(), ...entry }));
  const before = imported(JSON.stringify({ id: 't', rev: written.length, entries: written }));
  expect(JSON.parse(exported(before).json).entries).toEqual(written);
});

test('a joined call without id and time gets neither from the first', () => {
  const call = (seq: number, own: object) => {
    return { seq, ...own, kind: 'tool_call', payload: { name: 'get' }, refs: { tool_call_id: `t${seq}` } };
  };
  const entries = [call(0, { id: 'a', at: 1.77e12 }), call(1, {}), call(2, { id: 'entry_1' })];
  const { entries: written } = JSON.parse(exported(imported(JSON.stringify({ id: 't', entries }))).json);
  expect(written.map((entry: Entry) => entry.id)).toEqual(['a', 'entry_1.2', 'entry_1']);
  expect(written[1]).not.toHaveProperty('at');
});

test('a thread that is a fork of another names it and the place, when it is written again', () => {
  const entries = ['a', 'b', 'c'].map((content, seq) => {
    return { id: `e${seq}`, seq, kind: 'message', payload: { role: 'user', content }, refs: {} };
  });
  const metadata = { parent_thread_id: 'thr_1', fork_seq: 2 };
  const before = imported(JSON.stringify({ id: 'thr_2', rev: 3, metadata, entries }));
  expect(JSON.parse(exported(before).json).metadata).toMatchObject(metadata);
});

type Entry = Record<string, unknown>;

/** A thread as a runtime may write it: parallel calls, results out of order or missing, errors, summaries, no ids. */
function randomThread(seed: number): string {
  const rng = seededRng(seed);
  const entries: Entry[] = [];
  let calls = 0;
  const add = (kind: string, payload: object, refs: object) => {
    const seq = entries.length;
    const id = rng.chance(0.8) ? { id: `e${seq}` } : {};
    const at = rng.chance(0.7) ? { at: 1_770_048_000_000 + seq * 1000 } : {};
    entries.push({ ...id, seq, ...at, kind: rng.chance(0.2) ? `:${kind}` : kind, payload, refs });
  };
  const outcome = () =>
    rng.pick<unknown>([
      'found',
      { ok: { n: 1 } },
      { error: 'timeout' },
      ['error', { code: 2 }],
      { ok: 'text' },
      { n: [1.5, null] },
      null,
      'äö "x"',
    ]);
  for (let turn = 0; turn < 1 + rng.below(8); turn++) {
    const request = rng.chance(0.8) ? { request_id: `r${turn}` } : {};
    if (rng.chance(0.2) && entries.length > 2) {
      const to = rng.below(entries.length - 1);
      add('summary', { from_seq: 0, to_seq: to, content: `until ${to}`, format: 'plain' }, { model: 'openai:gpt-4o' });
    }
    add('message', { role: 'user', content: `ask ${turn}` }, request);
    for (let round = rng.below(3); round > 0; round--) {
      const call = rng.chance(0.7) ? { call_id: `c${calls}` } : {};
      const ids = Array.from({ length: 1 + rng.below(3) }, () => `t${calls++}`);
      for (const id of ids) {
        add(
          'tool_call',
          { name: 'look', arguments: { id, n: 1.5 } },
          { ...request, ...call, tool_call_id: id, iteration: 1 },
        );
      }
      for (const id of rng.shuffle(ids)) {
        if (rng.chance(0.85)) add('tool_result', { name: 'look', result: outcome() }, { ...call, tool_call_id: id });
      }
    }
    if (rng.chance(0.8)) add('message', { role: 'assistant', content: `said ${turn}` }, { ...request, iteration: 2 });
  }
  return JSON.stringify({ id: `thread_${seed}`, rev: entries.length, metadata: { title: `t ${seed}` }, entries });
}

test('random threads come back as they were', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const thread = randomThread(seed);
    const before = imported(thread);
    const { json, losses } = exported(before);
    const after = imported(json);
    const label = `replay: seed ${seed}\n${thread}\n${json}`;
    expect(losses, label).toEqual([]);
    expect(
      after.messages.map(({ text }) => text),
      label,
    ).toEqual(before.messages.map(({ text }) => text));
    const refs = ({ messages }: ImportedTranscript) => messages.map(({ meta }) => ({ ...refsOf(meta), id: undefined }));
    expect(refs(after), label).toEqual(refs(before));
    expect(after.compactions, label).toEqual(before.compactions);
  }
});
