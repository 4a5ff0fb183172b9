// How long a row's message took, as the screen shows it: nobody waited for what a client put there.
import { expect, test } from 'vitest';
import { testEngine } from './support.ts';

const line = (n: number, seconds: number, over: object) => ({
  uuid: `u${n}`,
  parentUuid: n === 0 ? null : `u${n - 1}`,
  sessionId: 's',
  version: '2.0.0',
  cwd: '/w',
  timestamp: new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString(),
  ...over,
});
const said = (text: string) => ({ type: 'user', message: { role: 'user', content: text } });
const answer = (text: string) => ({
  type: 'assistant',
  message: { role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
});

test('the first row of a message says how long it took', async () => {
  const lines = [
    line(0, 0, said('Look.')),
    line(1, 5, answer('Done.')),
    line(2, 65, { ...said('<local-command-stdout>x</local-command-stdout>'), isMeta: true }),
    line(3, 90, said('And now?')),
    line(4, 97, answer('Done.')),
  ];
  const { add, client } = testEngine();
  const id = await add('session.jsonl', lines.map((one) => JSON.stringify(one)).join('\n'));
  const spec = { version: 1, stages: [] };
  const { projectionId } = await client.call('projection.set', { id, spec, at: null });
  const { rows } = await client.call('projection.rows', { projectionId, from: 0, to: 20 });
  expect(rows.map(({ index, took }) => [index, took ?? null])).toEqual([
    [0, null],
    [1, { kind: 'answer', ms: 5000 }],
    [2, null],
    [3, { kind: 'person', ms: 85_000 }],
    [4, { kind: 'answer', ms: 7000 }],
  ]);
});
