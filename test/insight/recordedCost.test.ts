// What requests cost: input with the cache, and answers, held against a plain sum over the recorded numbers; and one figure
// wherever it is told.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { costAsRecorded } from '../../cli/support/usage.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { billedInputs, recordedCost, SessionSums } from '../../core/insight/money.ts';
import { PRICES, type Price, priceAt, priceOf } from '../../core/insight/prices.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import { surveyFigures } from '../../core/insight/survey/figures.ts';
import { includesCache } from '../../core/insight/usage/input.ts';
import type { Usage } from '../../core/model/message.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { coverWords } from '../../core/view/costCover.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';

const PRICE: Price = {
  ...{ model: 'm', input: 2, cachedRead: 0.2, cacheWrite: 2.5, cacheWrite1h: 4, output: 10 },
  above: [{ tokens: 1000, input: 4, cachedRead: 0.4, cacheWrite: 5, cacheWrite1h: 8, output: 15 }],
};

const recordedOf = (usages: readonly Usage[]) => usages.map((usage, at) => ({ at, usage }));

type Form = 'apart' | 'within' | 'thinking apart';

// As Anthropic, OpenAI and Gemini record it, with what it costs: dollars for a million of everything by itself.
function answer(rng: Rng, form: Form): { readonly usage: Usage; readonly input: number; readonly output: number } {
  const [fresh, read, written, said, thought] = [600, 500, 300, 200, 90].map((most) => rng.below(most) + 1);
  const [f = 0, r = 0, w = 0, s = 0, t = 0] = [fresh, read, form === 'apart' ? written : 0, said, thought];
  const rate = f + r + w > 1000 ? 2 : 1;
  const input = (rate * (f * 2 + r * 0.2 + w * 2.5)) / 1e6;
  const output = ((rate === 2 ? 15 : 10) * (s + t)) / 1e6;
  if (form === 'apart') return { usage: { input: f, cacheRead: r, cacheWrite: w, output: s + t }, input, output };
  const all = { input: f + r, cacheRead: r, total: f + r + s + t };
  if (form === 'within') return { usage: { ...all, output: s + t, reasoning: t }, input, output };
  return { usage: { ...all, output: s, reasoning: t }, input, output };
}

describe.each<Form>(['apart', 'within', 'thinking apart'])('usage whose parts are recorded %s', (form) => {
  it('costs what each of its tokens costs', () => {
    const rng = seededRng(7);
    const answers = Array.from({ length: 200 }, () => answer(rng, form));
    const usages = answers.map(({ usage }) => usage);
    const includes = includesCache(usages);
    expect(includes).toBe(form !== 'apart');
    const cost = recordedCost(Pricing.one({ price: PRICE }), recordedOf(usages), includes);
    expect(cost?.output).toBeCloseTo(
      answers.reduce((sum, { output }) => sum + output, 0),
      9,
    );
    expect(cost?.total).toBeCloseTo(
      answers.reduce((sum, { input, output }) => sum + input + output, 0),
      9,
    );
    expect(cost).toMatchObject({ requests: 200, answers: 200 });
  });
});

it('says what it covers where answers are not recorded, or have no price', () => {
  const { output: _, above: _above, ...inputAlone } = PRICE;
  const usages: Usage[] = [{ input: 100, output: 10 }, { input: 100 }];
  expect(recordedCost(Pricing.one({ price: PRICE }), recordedOf(usages), true)).toMatchObject({
    requests: 2,
    answers: 1,
    output: 100 / 1e6,
  });
  const without = recordedCost(Pricing.one({ price: inputAlone }), recordedOf(usages), true);
  expect(without).toMatchObject({ total: 400 / 1e6, output: 0, answers: 0 });
  expect(without && coverWords(without)).toBe('input alone');
});

it('has a price of output for every model it has one of input for', () => {
  for (const { model, input, output = 0, above = [] } of PRICES) {
    expect([model, output >= 2 * input]).toEqual([model, true]);
    // Haiku 5.5 alone has a step of another kind: see the prices below.
    const times = model === 'claude-haiku-5-5' ? 5 : 1.5;
    for (const step of above) expect([model, step.output]).toEqual([model, output * times]);
  }
});

it.skipIf(!sharedDir())('is one figure: of a session, of its sums request by request, and of the library', () => {
  let priced = 0;
  for (const path of ['claude-code', 'codex', 'gemini-cli', 'pi'].flatMap((format) => corpusFiles(format))) {
    const bytes = readFileSync(path);
    if (bytes.length > 1_500_000) continue;
    for (const transcript of importText(bytes).transcripts) {
      const { cost, pricing } = costAsRecorded(transcript);
      if (cost === null) continue;
      priced++;
      const answered = transcript.messages.flatMap(({ meta: { apiError, usage } }, at) =>
        apiError === true || usage === undefined ? [] : [{ at, usage }],
      );
      const includes = includesCache(answered.map(({ usage }) => usage));
      const sums = new SessionSums(pricing);
      for (const { at, usage } of answered) sums.add(at, billedInputs(usage, includes), 0);
      expect(sums.cost.recorded).toBeCloseTo(cost.total, 9);
      expect(sums.cost.policy).toBeCloseTo(cost.output, 9);
      const meta = (index: number) => transcript.messages[index]?.meta ?? {};
      const source = MemoryTranscript.of(transcript);
      const { slots } = surveyFigures({ source, meta, pricing, tokens: () => 0 });
      expect(slots.reduce((sum, slot) => sum + (slot.cost ?? 0), 0)).toBeCloseTo(cost.total, 6);
    }
  }
  expect(priced).toBeGreaterThan(10);
});

it.each([
  ['claude-sonnet-5-5', 50_000, [2, 0.1, 2.5, 4, 10]],
  ['claude-haiku-5-5-20261007', 100_000, [0.1, 0.01, 0.125, 0.2, 0.5]],
  ['claude-haiku-5-5', 100_001, [0.5, 0.05, 0.625, 1, 2.5]],
  ['claude-haiku-4-5', 150_000, [1, 0.1, 1.25, 2, 5]],
  ['gpt-6.1-sol', 272_001, [4, 0.2, 5, undefined, 15]],
  ['gpt-6.1-terra', 1000, [1, 0.05, 1.25, undefined, 5]],
] as const)('the price of %s at %i tokens', (model, tokens, rates) => {
  const found = priceOf(PRICES, model);
  if (found === null) throw new Error('no price');
  const { input, cachedRead, cacheWrite, cacheWrite1h, output } = priceAt(found, tokens);
  const close = (value: number | undefined) => (value === undefined ? undefined : Number(value.toFixed(6)));
  expect([input, cachedRead, cacheWrite, cacheWrite1h, output].map(close)).toEqual(rates);
});
