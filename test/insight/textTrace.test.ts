import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { StageAnswer, StageEffect } from '../../core/view/types.ts';
import { transcriptOf } from '../support/projecting.ts';
import { noHost, traceOfText } from '../support/textTrace.ts';

const said = (role: string, content: string) => ({ role, content });
const call = (id: string, args: Record<string, unknown>) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: JSON.stringify(args) } }],
});
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

const SESSION = transcriptOf([
  said('system', 'You are careful.'),
  said('user', 'Put the secret   word heliotrope into src/flower.ts, never into NODE_ENV'),
  call('a', { path: 'references\\analyze.md' }),
  result('a', 'colour #0a0b0c'),
  said('assistant', 'Done with that.'),
  said('user', 'And now?'),
  said('assistant', 'The secret word is HELIOTROPE.'),
  said('user', 'Thanks'),
]);

const HYGIENE = { version: 1, stages: [{ kind: 'hygiene', options: { profile: 'anthropic' } }] };

const states = (trace: ReturnType<typeof traceOfText>) => trace.points.map(({ at, state }) => `${at} ${state}`);

describe('the trace of a text', () => {
  it('is original as long as the part that first said it says it', () => {
    const trace = traceOfText({ source: SESSION, text: 'secret word' });
    expect(states(trace)).toEqual(['2 original', '4 original', '6 original', '8 original']);
    expect(trace).toMatchObject({
      sentence: 'In the request, word for word, where it was first said: #1.',
      first: { index: 1, part: 0 },
      firstLoss: null,
      totalPlaces: 2,
      counts: { original: 4, gone: 0 },
    });
    expect(trace.places.map(({ label, present, after }) => [label, present, after])).toEqual([
      ['user #1', true, false],
      ['assistant #6', true, false],
    ]);
  });

  it('finds a path in arguments as the screen shows it, and a call that left', () => {
    const spec = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] };
    const trace = traceOfText({ source: SESSION, spec, text: 'references\\analyze.md' });
    expect(states(trace)).toEqual(['2 not_yet', '4 original', '6 gone', '8 gone']);
    expect(trace.firstLoss).toMatchObject({
      at: 6,
      place: 'read call #2',
      stageTitle: 'Sliding window',
      fate: 'dropped',
    });
    expect(trace.sentence).toMatch(/^Gone from the request since call #6: Sliding window, /);
    expect(trace.places).toMatchObject([{ label: 'read call #2', present: false, part: 0 }]);
  });

  it('finds what was copied from JSON', () => {
    for (const text of ['"path":"references\\\\analyze.md"', '{ "path": "references\\\\analyze.md" }']) {
      const trace = traceOfText({ source: SESSION, text });
      expect(trace, text).toMatchObject({ first: { index: 2, part: 0 }, now: { state: 'original' }, totalPlaces: 1 });
      const [place] = trace.places;
      expect(place?.context.slice(place.start, place.start + place.length).replace(/\s/g, '')).toBe(
        text.replace(/\s/g, ''),
      );
    }
    expect(traceOfText({ source: SESSION, text: '"path":"analyze.md"' }).first).toBeNull();
  });

  it('tells what says it elsewhere, and names every place', () => {
    const spec = { policy: 'summary_prefix', keep_last: 3, summary: 'The secret word is heliotrope.' };
    const trace = traceOfText({ source: SESSION, spec, text: 'Secret word' });
    expect(trace.changes.map(({ at, state }) => [at, state])).toEqual([
      [2, 'original'],
      [6, 'elsewhere'],
    ]);
    expect(trace.now).toMatchObject({ state: 'elsewhere', places: [{ synthetic: 0, index: null }, { index: 6 }] });
    expect(trace.changes[1]?.loss).toMatchObject({ place: 'user #1', replacedBy: 'The secret word is heliotrope.' });
    // The summary is there since call #6, the answer to it is not.
    expect(trace.sentence).toBe(
      'Still there, word for word, in the summary of #0–#4 and #6; the original #1 is gone since #6.',
    );
  });

  it('looks again at the letters where case matters', () => {
    expect(traceOfText({ source: SESSION, text: 'HELIOTROPE', matchCase: true }).first).toEqual({ index: 6, part: 0 });
    expect(traceOfText({ source: SESSION, text: 'helio', wholeWord: true })).toMatchObject({
      first: null,
      now: { state: 'not_yet' },
      sentence: 'It is nowhere in this transcript.',
    });
  });

  it('is partly there if some of its anchors are', () => {
    const text = 'Put the secret word heliotrope into src/flower.ts, never into NODE_ENV';
    const source = transcriptOf([
      said('user', `${text}, by --max-turns`),
      said('assistant', 'ok'),
      said('user', 'src/flower.ts it is'),
      said('assistant', 'yes'),
      said('user', 'go on'),
    ]);
    const spec = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 2 } }] };
    const trace = traceOfText({ source, spec, text: `${text}, by --max-turns` });
    expect(states(trace)).toEqual(['1 original', '3 original', '5 partly']);
    expect(trace.now.anchors).toEqual([
      { text: 'src/flower.ts', present: true },
      { text: 'NODE_ENV', present: false },
      { text: '--max-turns', present: false },
    ]);
    expect(trace.sentence).toMatch(/1 of its 3 anchors are in the request/);
    // Two anchors prove nothing.
    expect(traceOfText({ source, spec, text }).now.state).toBe('gone');
  });

  it('stands in a merged turn, and is not called gone', () => {
    const source = transcriptOf([
      said('user', 'first question'),
      said('user', 'second in a row'),
      said('assistant', 'a'),
    ]);
    const trace = traceOfText({ source, spec: HYGIENE, text: 'second in a row' });
    expect(trace.now).toMatchObject({ state: 'elsewhere', places: [{ index: 0, label: 'merged turn #0' }] });
    expect(trace.places).toMatchObject([{ index: 1, present: true }]);
    expect(trace.sentence).toBe('Still there, word for word, in merged turn #0 since call #2.');
  });

  it('tells what stands in front of the messages', () => {
    const front = { systemJson: '"Never   touch main"', toolsJson: '[{"name":"read","description":"Reads a file"}]' };
    const system = traceOfText({ source: SESSION, front, text: 'never touch main' });
    expect(system).toMatchObject({
      first: null,
      now: { state: 'elsewhere', places: [{ front: 'system', label: 'the system prompt' }] },
      places: [{ where: 'system', present: true }],
      sentence: 'In the request, word for word, in the system prompt since call #2.',
    });
    expect(traceOfText({ source: SESSION, front, text: 'reads a file' }).now.places).toMatchObject([
      { front: 'tools' },
    ]);
  });

  it('tells of an event only where nothing else says it', () => {
    const events = [{ kind: 'queue-operation', at: 3, json: '{"content":"buy C:\\\\flowers, heliotrope"}' }];
    const trace = traceOfText({ source: SESSION, events, text: 'C:\\flowers' });
    expect(trace).toMatchObject({
      now: { state: 'not_yet' },
      totalPlaces: 1,
      places: [{ where: 'event', index: 3, part: null, present: false }],
      sentence: 'No message says it: it is only in an event, queue-operation before #3.',
    });
    expect(traceOfText({ source: SESSION, events, text: 'heliotrope' }).places.map(({ where }) => where)).toEqual([
      'message',
      'message',
    ]);
  });

  it('counts places as its list does: a message can say it in several', () => {
    const source = transcriptOf([
      ...[said('user', 'a needle'), said('assistant', 'ok'), said('user', 'needle, needle'), said('assistant', 'ok')],
      ...[said('user', 'a needle'), said('assistant', 'ok'), said('user', 'needle needle needle')],
    ]);
    const spec = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 3 } }] };
    const { places, sentence } = traceOfText({ source, spec, text: 'needle' });
    expect(places.filter(({ present }) => present)).toHaveLength(6);
    expect(sentence).toContain('in #2, #4 and 3 more places');
  });

  it('asks from any call point; what is said behind it is told apart', () => {
    const trace = traceOfText({ source: SESSION, text: 'heliotrope', now: 3 });
    expect(trace.now).toMatchObject({ at: 3, state: 'original', since: 2 });
    expect(trace.places.map(({ index, present, after }) => [index, present, after])).toEqual([
      [1, true, false],
      [6, false, true],
    ]);
    expect(states(trace)).toHaveLength(4);
    const early = traceOfText({ source: SESSION, text: 'heliotrope', now: 0 });
    expect(early).toMatchObject({
      now: { state: 'not_yet', since: null },
      sentence: 'Not said yet at call #0: #1 says it first.',
    });
  });

  it('follows a stage that is run anew', () => {
    const messages = Array.from({ length: 900 }, (_, i) =>
      JSON.stringify(said(i % 2 === 0 ? 'user' : 'assistant', `m${i}!`)),
    );
    const spec = { policy: 'custom', projector: '(m) => m' };
    const trace = traceOfText({ source: memorySource(messages), spec, text: 'm10!', samples: 20 });
    expect(trace).toMatchObject({ sampled: true, now: { state: 'original' } });
    expect(trace.points).toHaveLength(20);
    // Between two samples the first loss is looked for at every call point.
    const cut = (effect: StageEffect): StageAnswer => {
      if (effect.effect !== 'run_user_code') return noHost(effect);
      const list: unknown[] = JSON.parse(effect.messagesJson);
      const resultJson = JSON.stringify(list.length > 401 ? list.slice(20) : list);
      return { ok: true, resultJson, steps: 1, logs: [] };
    };
    const lost = traceOfText({ source: memorySource(messages), spec, text: 'm10!', samples: 20, host: cut });
    expect(lost).toMatchObject({ sampled: true, firstLoss: { at: 403 }, now: { state: 'gone' } });
  });
});
