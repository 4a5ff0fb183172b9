// What is answered before what: a change that somebody looks at, and work over all call points that is under way.
import { describe, expect, it } from 'vitest';
import type { Params } from '../../core/protocol/methods.ts';
import type { PresetFigure } from '../../core/protocol/types.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { failureOf, nextEvent, testEngine } from './support.ts';

/** Code that is run anew at every call point asked for: the sandbox answers once for each. */
const CUSTOM = { policy: 'custom', projector: '(messages) => messages.slice(-20)' };
const SAMPLES = 16;

/** Long in messages, not in words: of eight messages one is as long as it was. */
function brief(text: string): string {
  const cut = (_key: string, value: unknown) => (typeof value === 'string' ? value.slice(0, 100) : value);
  return text.replaceAll(/^.+$/gm, (line, at: number) => (at % 8 === 0 ? line : JSON.stringify(JSON.parse(line, cut))));
}

async function opened(text = claudeCodeFile({ messages: 1_000, seed: 24 })) {
  const engine = testEngine();
  const counted = nextEvent(engine.client, 'job', (job) => job.kind === 'tokens' && job.state === 'done');
  const id = await engine.add('long.jsonl', text);
  await counted;
  await engine.client.call('transcript.open', { id });
  return { ...engine, id };
}

describe('a projection asked for while others are made', () => {
  it('is answered before a series and a table of presets end', async () => {
    const { client, id } = await opened();
    const order: string[] = [];
    const series = await client.call('series.start', { id, spec: CUSTOM, samples: SAMPLES });
    expect(series.complete).toBe(false);
    const complete = nextEvent(client, 'series', (one) => one.seriesId === series.seriesId && one.complete);
    const [chart, table] = [
      complete.then(({ problem }) => order.push(`series ${problem ?? ''}`.trim())),
      client.call('budget.presets', { id, at: null, firstOver: true }).then(() => order.push('table')),
    ];
    for (const min_chars of [400, 500]) {
      const spec = { policy: 'reachability_gc', min_chars };
      await client.call('projection.set', { id, spec, at: null, rows: { from: 0, to: 50 } });
      order.push(`projection ${min_chars}`);
    }
    await Promise.all([chart, table]);
    expect(order).toEqual(['projection 400', 'projection 500', 'series', 'table']);
  });

  it('ends a series of what is no longer shown when the next one begins', async () => {
    const { client, id } = await opened();
    const told: string[] = [];
    const first = await client.call('series.start', { id, spec: CUSTOM, samples: SAMPLES });
    const second = await client.call('series.start', { id, spec: 'clean_tool_repair', samples: SAMPLES });
    client.on('series', ({ seriesId, complete }) => complete && told.push(seriesId));
    await nextEvent(client, 'series', ({ seriesId, complete }) => seriesId === second.seriesId && complete);
    // Whatever ranks behind series is done once no series is left.
    await client.call('budget.presets', { id, at: null });
    expect([first.seriesId === second.seriesId, told]).toEqual([false, [second.seriesId]]);
  });
});

describe('the table of presets', () => {
  const names = (figures: readonly PresetFigure[]) => figures.map(({ name }) => name);

  it('is not made to its end for a turn that its client has left', async () => {
    const { client, id } = await opened();
    const ask = (at: number | null) => client.call('budget.presets', { id, at });
    const left = failureOf(ask(500));
    const here = await ask(null);
    expect([(await left).code, here.figures.length > 10]).toEqual(['request.superseded', true]);
  });

  it('is not made to its end for a transcript that its client has left', async () => {
    const { client, connect, id } = await opened();
    await client.call('transcript.open', { id });
    const left = failureOf(client.call('budget.presets', { id, at: null }));
    const others = connect().call('budget.presets', { id, at: null, window: 60_000 });
    await client.call('transcript.close', { id });
    expect([(await left).code, (await others).figures.length > 10]).toEqual(['request.superseded', true]);
  });

  it('answers all who ask the same alike, with and without the first call over', async () => {
    const { client, connect, id } = await opened();
    const told: PresetFigure[] = [];
    client.on('preset', ({ question, figure }) => question.firstOver === true && told.push(figure));
    const question: Params<'budget.presets'> = { id, at: null, window: 60_000 };
    const [card, tab, other] = await Promise.all([
      client.call('budget.presets', question),
      client.call('budget.presets', { ...question, firstOver: true }),
      connect().call('budget.presets', question),
    ]);
    expect(other).toEqual(card);
    expect(tab.figures.map(({ firstOver: _over, ...figure }) => figure)).toEqual(card.figures);
    expect(tab.figures.every(({ firstOver }) => firstOver !== undefined)).toBe(true);
    expect(names(tab.figures)).toContain('all_steps');
    // Line by line before, to each who asks, with the question it belongs to.
    expect(told).toEqual(tab.figures);
  });

  it('says of a turn of a long session what a projection there says', async () => {
    // Long enough for its lines to be reached in steps: shorter sessions are projected.
    const { client, id } = await opened(brief(claudeCodeFile({ messages: 16_800, seed: 24 })));
    const tokenizer = 'o200k_base';
    const { at: callPoints } = await client.call('transcript.callPoints', { id });
    const at = callPoints.find((one) => one >= 16_500) ?? 0;
    // Edits are counted after the answer, if they are many: until then the figure is called estimated.
    const exact = async (spec: unknown) => {
      for (;;) {
        const counted = nextEvent(client, 'transcript', ({ reason }) => reason === 'counted');
        const projection = await client.call('projection.set', { id, spec, at, tokenizer });
        if (projection.projected.provenance === 'exact') return projection;
        await counted;
      }
    };
    // Edits are counted with the projections; a line of the table, asked first, would estimate the last of so many.
    const { presets } = await client.call('spec.describe', {});
    const stepwise = ['clean_then_reclaim', 'retention', 'reducer_pipeline', 'all_steps', 'anthropic_clear_tool_uses'];
    const expected = new Map<string, unknown>();
    for (const { name, spec } of presets.filter((one) => stepwise.includes(one.name))) {
      const { projected, providerSafetyBlocked } = await exact(spec);
      expected.set(name, [name, projected, providerSafetyBlocked]);
    }
    const { figures } = await client.call('budget.presets', { id, at, tokenizer });
    for (const name of stepwise) {
      const line = figures.find((one) => one.name === name);
      expect([line?.name, line?.tokens, line?.blocked]).toEqual(expected.get(name));
    }
  });
});
