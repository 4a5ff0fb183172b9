// The trace of a text over the protocol: the answer is the one that the pure trace gives, whoever asks newer ends older.
import { expect, test } from 'vitest';
import { claudeCodeFile } from '../support/generate.ts';
import { transcriptOf } from '../support/projecting.ts';
import { traceOfText } from '../support/textTrace.ts';
import { failureOf, MESSAGES, sessionFile, testEngine } from './support.ts';

const GC = { version: 1, stages: [{ kind: 'reachability_gc', options: { root_window: 2, min_chars: 20 } }] };
const ANEW = {
  version: 1,
  stages: [...GC.stages, { kind: 'custom', options: { projector: '(messages) => messages' } }],
};

test('trace.text gives what the pure trace gives, by following and by running anew', async () => {
  const { client, add } = testEngine();
  const id = await add('s.jsonl', sessionFile());
  await client.call('transcript.open', { id });
  const source = transcriptOf(MESSAGES);
  for (const text of [
    'line 3 of the  OLD file',
    'npm run unit',
    'src/login.ts',
    'Because it sleeps',
    'Bash',
    'nowhere',
  ]) {
    const pure = traceOfText({ source, spec: GC, text });
    for (const spec of [GC, ANEW]) {
      const trace = await client.call('trace.text', { id, spec, text, at: null });
      expect(trace.points, text).toEqual(pure.points);
      expect([trace.first, trace.now.state, trace.totalPlaces]).toEqual([pure.first, pure.now.state, pure.totalPlaces]);
      expect(trace.changes.map(({ at, state }) => [at, state])).toEqual(
        pure.changes.map(({ at, state }) => [at, state]),
      );
      if (spec === GC) expect(trace.sentence).toBe(pure.sentence);
    }
  }
});

test('trace.text says where the text was lost, and what stands there', async () => {
  const { client, add } = testEngine();
  const id = await add('s.jsonl', sessionFile());
  await client.call('transcript.open', { id });
  const trace = await client.call('trace.text', { id, spec: GC, text: 'line 3 of the old file', at: null });
  expect(trace.firstLoss).toMatchObject({ at: 10, turn: 2, fate: 'redacted', stage: 0, place: 'result #7' });
  expect(trace.now.replacedBy).toContain('reclaimed by reachability_gc');
  expect(trace.places).toMatchObject([{ where: 'message', index: 7, part: 0, present: false }]);
  expect(await client.call('trace.text', { id, spec: GC, text: ' ', at: null })).toMatchObject({ problem: 'empty' });
  const missing = client.call('trace.text', { id, spec: GC, text: 'x', at: 99 });
  expect((await failureOf(missing)).code).toBe('transcript.no_such_place');
  const broken = { policy: 'custom', projector: '(messages) => messages.nothing()' };
  expect((await failureOf(client.call('trace.text', { id, spec: broken, text: 'x', at: null }))).code).toBe(
    'custom.threw',
  );
});

test('trace.present says of each place whether its words stand in the request', async () => {
  const { client, add } = testEngine();
  const id = await add('s.jsonl', sessionFile());
  await client.call('transcript.open', { id });
  const places = [7, 9, 3].map((index) => ({ index, part: 0 }));
  expect(await client.call('trace.present', { id, spec: GC, at: null, places })).toEqual({
    presence: ['gone', 'here', 'here'],
  });
  expect(await client.call('trace.present', { id, spec: GC, at: 8, places })).toEqual({
    presence: ['here', 'after', 'here'],
  });
  const spec = { policy: 'summary_prefix', keep_last: 1, summary: 'error: no SCRIPT' };
  expect(await client.call('trace.present', { id, spec, at: null, places, text: 'no script' })).toEqual({
    presence: ['elsewhere', 'elsewhere', 'elsewhere'],
  });
});

test('a newer trace ends an older one of the same client', async () => {
  const { client, add } = testEngine();
  const id = await add('s.jsonl', claudeCodeFile({ messages: 3000 }));
  await client.call('transcript.open', { id });
  const older = failureOf(client.call('trace.text', { id, spec: 'raw', text: 'the', at: null }));
  const newer = client.call('trace.text', { id, spec: 'raw', text: 'zz top', at: null });
  expect((await older).code).toBe('request.superseded');
  expect((await newer).text).toBe('zz top');
});
