// What the requests of a session come to is one figure, whoever says it: the table of policies, A | B, the chart with its
// cache strip, and the commands.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { costMade } from '../../core/insight/costMade.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { ComparedSums } from '../../core/protocol/compareTypes.ts';
import { sampleSession } from '../../core/sample/index.ts';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/tempLibrary.ts';
import { seriesOf, sessionFile, testEngine, whenCounted } from './support.ts';

async function brokenIn(client: EngineClient, id: string, spec: unknown): Promise<number> {
  const { points } = await seriesOf(client, id, spec, 5_000);
  return points.filter(({ cache }) => cache?.brokenBy).length;
}

const SPECS = ['reachability_gc', 'retention', 'summary_prefix_12', 'short_context', 'as_recorded'];

test('breaks of the cache and money are the same in every place that says them', async () => {
  const text = sampleSession();
  const { client, add } = testEngine();
  const id = await add('session.jsonl', text);
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const { figures } = await client.call('budget.presets', { id, at: null, sums: true, policies: [] });
  const along = async (spec: unknown): Promise<ComparedSums> =>
    (await client.call('compare.along', { id, a: 'raw', b: spec })).b;
  let ofNext = 0;
  for (const { name, spec, sums } of figures.filter((figure) => SPECS.includes(figure.name))) {
    const compared = await along(spec);
    expect(sums?.breaks, name).toBe(compared.cacheBreaks);
    expect(sums?.breaks, name).toBe(await brokenIn(client, id, spec));
    expect(sums?.cost, name).toBeCloseTo(costMade(compared).cost ?? Number.NaN, 9);
    if ((compared.costOfNext ?? 0) > 0) ofNext++;
  }
  expect(ofNext).toBeGreaterThan(0);

  const file = join(tempDir(), 'session.jsonl');
  writeFileSync(file, text);
  const table = (await runCli(['presets', file])).stdout.split('\n');
  const ab = (await runCli(['compare', file, '--a', 'raw', '--b', 'retention', '--all'])).stdout;
  const money = /input cost +\S+ +≈?\$?(\S+)/.exec(ab)?.[1];
  const line = table.find((each) => each.startsWith('Tool-result retention')) ?? '';
  expect(line).toContain(`$${money} `);
  expect(line).toMatch(new RegExp(` ${/cache breaks +\S+ +(\S+)/.exec(ab)?.[1]} `));
});

/** Three messages at once become longer than what is counted in one piece. */
const LENGTHENED = {
  version: 1,
  stages: [
    {
      kind: 'custom',
      options: {
        projector: `(messages) => messages.map((m) => m.role === 'user'
          ? { ...m, content: m.content + ' quay, berth and harbour'.repeat(1200) } : m)`,
      },
    },
  ],
};

test('what stages put in place is counted to its end before anything is summed up, however long it is', async () => {
  const { client, add } = testEngine();
  const said = ['One.', 'Two.', 'Three.'].map((content) => ({ role: 'user', content }));
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'Seen.' }] };
  const id = await add('session.jsonl', sessionFile([...said, answer, { role: 'user', content: 'Four.' }, answer]));
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  const policies = [{ name: 'mine', title: 'Mine', spec: LENGTHENED }];
  const asked = async () => {
    const { figures } = await client.call('budget.presets', { id, at: null, sums: true, policies });
    const { b } = await client.call('compare.along', { id, a: 'raw', b: LENGTHENED });
    const priced = await client.call('keep.price', { id, spec: 'raw', changed: LENGTHENED, at: null });
    const mine = figures.find(({ name }) => name === 'mine')?.sums;
    return [mine?.cost, mine?.peak.tokens, costMade(b).cost, b.tokens.peak, priced.tokensSession, priced.costSession];
  };
  const first = await asked();
  // What is estimated the first time is counted the second.
  expect(await asked()).toEqual(first);
  const [cost, peak, along, alongPeak] = first;
  expect([along, alongPeak]).toEqual([cost, peak]);
  const shown = await client.call('projection.set', { id, spec: LENGTHENED, at: null });
  expect(peak).toBe(shown.projected.total);
});
