// Watchpoints over the protocol: kept with the transcript, followed under a policy, ended when somebody asks for another.
import { expect, test } from 'vitest';
import { failureOf, sessionFile, testEngine } from './support.ts';

const GC = { version: 1, stages: [{ kind: 'reachability_gc', options: { root_window: 2, min_chars: 20 } }] };
const AGAIN = {
  version: 1,
  stages: [...GC.stages, { kind: 'custom', options: { projector: '(messages) => messages' } }],
};
const TEXTS = ['line 3 of the  OLD file', 'npm run unit', 'Because it sleeps', 'nowhere'];

test('a watched text is the one that its trace is about, and is kept', async () => {
  const { client, add } = testEngine();
  const id = await add('s.jsonl', sessionFile());
  for (const text of TEXTS) await client.call('watch.add', { id, text: `  ${text}\n` });
  const { watchpoints } = await client.call('watch.list', { id });
  expect(watchpoints.map(({ text, color, name }) => [text, color, name])).toEqual(
    TEXTS.map((text, color) => [text, color, null]),
  );
  for (const spec of [GC, AGAIN]) {
    const { texts, sampled } = await client.call('watch.states', { id, spec });
    expect(sampled).toBe(false);
    for (const [n, text] of TEXTS.entries()) {
      const trace = await client.call('trace.text', { id, spec, text, at: null });
      const runs = texts[n]?.runs ?? [];
      expect(texts[n]?.id).toBe(watchpoints[n]?.id);
      const states = trace.points.map(({ at }) => runs.find((run) => run.at <= at && at <= run.last)?.state);
      expect(states, text).toEqual(trace.points.map(({ state }) => state));
      expect(texts[n]?.firstLoss?.reason, text).toBe(trace.firstLoss?.reason);
    }
  }
  expect((await client.call('watch.states', { id, spec: GC })).texts[0]?.firstLoss).toMatchObject({
    ...{ at: 10, turn: 2, fate: 'redacted', stage: 0, place: 'result #7' },
  });
});

test('watchpoints are named, coloured, moved and removed, and each change is reported', async () => {
  const { client, add } = testEngine();
  const id = await add('s.jsonl', sessionFile());
  const heard: string[] = [];
  client.on('watchpoints', (event) => heard.push(event.id));
  const first = await client.call('watch.add', { id, text: 'npm run unit' });
  const again = await client.call('watch.add', { id, text: 'npm run unit', color: 4 });
  expect(again).toEqual(first);
  const { watchpoint } = await client.call('watch.add', { id, text: 'Bash', wholeWord: true, name: 'the tool' });
  await client.call('watch.set', { id, watchpoint, color: 5, position: 0 });
  const { watchpoints } = await client.call('watch.set', { id, watchpoint: first.watchpoint, name: 'the test' });
  expect(watchpoints.map(({ text, name, color }) => [text, name, color])).toEqual([
    ['Bash', 'the tool', 5],
    ['npm run unit', 'the test', 0],
  ]);
  await client.call('watch.remove', { id, watchpoint });
  expect((await client.call('watch.list', { id })).watchpoints).toHaveLength(1);
  await expect.poll(() => heard.length).toBe(6);
  expect(new Set(heard)).toEqual(new Set([id]));
});

test('what cannot be watched is refused in words', async () => {
  const { client, add } = testEngine();
  const id = await add('s.jsonl', sessionFile());
  const codeOf = async (call: Promise<unknown>) => (await failureOf(call)).code;
  expect(await codeOf(client.call('watch.add', { id, text: ' \n' }))).toBe('watch.empty');
  expect(await codeOf(client.call('watch.add', { id: 'nobody', text: 'x' }))).toBe('transcript.unknown');
  expect(await codeOf(client.call('watch.set', { id, watchpoint: 'w', name: 'x' }))).toBe('watch.unknown');
  expect(await codeOf(client.call('watch.remove', { id, watchpoint: 'w' }))).toBe('watch.unknown');
  for (let n = 0; n < 50; n++) await client.call('watch.add', { id, text: `text ${n}` });
  expect(await codeOf(client.call('watch.add', { id, text: 'one too many' }))).toBe('watch.too_many');
  await client.call('watch.add', { id, text: 'text 7' });
  const broken = { policy: 'custom', projector: '(messages) => messages.nothing()' };
  expect(await codeOf(client.call('watch.states', { id, spec: broken }))).toBe('custom.threw');
});

test('another policy ends the walk before', async () => {
  const { client, add } = testEngine();
  const id = await add('s.jsonl', sessionFile());
  await client.call('watch.add', { id, text: 'npm run unit' });
  const first = client.call('watch.states', { id, spec: AGAIN });
  const second = client.call('watch.states', { id, spec: GC });
  expect((await failureOf(first)).code).toBe('request.superseded');
  expect((await second).texts).toHaveLength(1);
});
