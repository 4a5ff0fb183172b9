// The law of sums by difference: what a view is said to take does not depend on which view was summed before it.
import { expect, it } from 'vitest';
import { seededRng } from '../../core/util/rng.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { testEngine } from './support.ts';

const STAGES = [
  ['clean_tool_repair', () => ({})],
  ['reachability_gc', (n: number) => ({ root_window: 1 + n })],
  ['tool_result_retention', (n: number) => ({ mode: 'age', value: 1 + n })],
  ['sliding_window', (n: number) => ({ turns: 3 + 4 * n })],
  ['summary', () => ({})],
  ['hygiene', () => ({ profile: 'anthropic' })],
] as const;

it('a view takes what it takes, whatever was projected before it', async () => {
  const text = claudeCodeFile({ messages: 700, seed: 11 });
  const rng = seededRng(4);
  const { client, add } = testEngine();
  const fresh = testEngine();
  const id = await add('session.jsonl', text);
  const other = await fresh.add('session.jsonl', text);
  await client.call('transcript.open', { id });
  await fresh.client.call('transcript.open', { id: other });
  const figures = async (engine: typeof client, name: string, asked: { spec: unknown; at: number | null }) => {
    for (;;) {
      const info = await engine.call('projection.set', { id: name, ...asked });
      if (info.final) return [info.projected, info.raw, info.savedTokens, info.budget];
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  for (let round = 0; round < 25; round++) {
    const stages = STAGES.filter(() => rng.below(4) > 0).map(([kind, options]) => ({
      ...{ kind, options: options(rng.below(6)) },
    }));
    const asked = { spec: { version: 1, stages }, at: rng.below(3) > 0 ? null : 100 + rng.below(600) };
    const one = await figures(client, id, asked);
    // In the other engine nothing like it was summed: all is taken out of the way first.
    await fresh.client.call('projection.set', { id: other, spec: 'raw', at: 0 });
    expect(one, JSON.stringify(asked)).toEqual(await figures(fresh.client, other, asked));
  }
});
