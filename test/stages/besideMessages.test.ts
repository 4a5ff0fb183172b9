// Stages that must fit a budget leave room for what stands beside the messages: a budget of which so much is taken is, to
// the messages, one that is smaller by so much. At one call point, and along all of them.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { callPoints } from '../../core/model/turns.ts';
import { runCallPoints } from '../../core/projection/allCallPoints.ts';
import { project } from '../../core/projection/project.ts';
import { type Budget, createBudget } from '../../core/tokens/budget.ts';
import { type CountedOverhead, overheadOf } from '../../core/tokens/overhead.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemText } from '../../core/view/reader.ts';
import { comparable, naiveCallPoints, plainTally } from '../oracle/callPoints.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';

const budgetOf = (window: number, beside?: CountedOverhead) =>
  createBudget({ window, reserveOutput: 0, injectionReserve: 0, caps: {}, beside });
const BESIDE = overheadOf({ system: 120, tools: 300 }, 80);

/** Stages with the window under which each must act, and what of BESIDE counts for it. */
const CASES: readonly (readonly [string, object, number])[] = [
  ['sliding_window', { turns: 40, fit_budget: true }, BESIDE.total],
  ['summary', { when: 'over_budget', keep_turns: 1 }, BESIDE.total],
  ['context_policy', { model: 'auto', reserve_output_tokens: 0, keep_last_turns: 1 }, BESIDE.total],
  ['openai_truncation', {}, BESIDE.total],
  ['pi_compaction', { reserve_tokens: 0, keep_recent_tokens: 200 }, BESIDE.total],
];

function sourceOf(seed: number) {
  const shape = SHAPES[seed % SHAPES.length]!;
  return memorySource(randomTranscript({ seed, turns: 14, shape, broken: false, files: 5 }), null, [], []);
}

function followsNaive(kind: string, seed: number, stages: ReturnType<typeof stagesOf>, budget: Budget): void {
  const source = sourceOf(seed);
  const points = callPoints(source);
  const expected = naiveCallPoints(source, stages, points, { budget });
  const memo = createMemo();
  const tally = plainTally(source, memo);
  const found = runCallPoints({ source, stages, points, tally, options: { budget, memo } }, () => {
    throw new Error('nothing is asked for');
  });
  for (const [at, figures] of found.entries()) {
    expect(comparable(figures, expected[at]), `replay: ${kind}, seed ${seed}, at ${at}`).toEqual(expected[at]);
  }
}

describe.each(CASES)('%s', (kind, options, taken) => {
  const stages = stagesOf({ version: 1, stages: [{ kind, options }] });

  it('gives messages what is left', () => {
    let acted = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const source = sourceOf(seed);
      const texts = (window: number, beside?: CountedOverhead) => {
        const { view } = project(source, stages, source.length, { budget: budgetOf(window, beside) });
        return view.items.map((item) => itemText(item, source));
      };
      const window = 900 + seed * 40;
      const given = texts(window, BESIDE);
      expect(given, `replay: ${kind}, seed ${seed}`).toEqual(texts(window - taken));
      if (given.length !== texts(window).length) acted++;
    }
    expect(acted).toBeGreaterThan(3);
  });

  it('does so at every call point as if projected there', () => {
    for (let seed = 1; seed <= 25; seed++) followsNaive(kind, seed, stages, budgetOf(900 + seed * 40, BESIDE));
  });
});

/** Vendors whose threshold is one of the whole prompt; anthropic_compaction, whose least is 50,000, runs as OpenAI's does. */
const PROMPTS: readonly (readonly [string, (threshold: number) => object])[] = [
  ['anthropic_clear_tool_uses', (trigger) => ({ trigger, keep: 1 })],
  ['openai_compaction', (threshold) => ({ compact_threshold: threshold })],
  ['adk_compaction', (threshold) => ({ token_threshold: threshold, event_retention_size: 2 })],
];

describe.each(PROMPTS)('the threshold of %s', (kind, optionsOf) => {
  const stagesAt = (threshold: number) => stagesOf({ version: 1, stages: [{ kind, options: optionsOf(threshold) }] });

  it('is reached sooner by what stands beside the messages', () => {
    let acted = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const source = sourceOf(seed);
      const texts = (threshold: number, beside?: CountedOverhead) => {
        const { view } = project(source, stagesAt(threshold), source.length, { budget: budgetOf(9_000, beside) });
        return view.items.map((item) => itemText(item, source));
      };
      const threshold = 900 + seed * 40;
      const given = texts(threshold, BESIDE);
      expect(given, `replay: ${kind}, seed ${seed}`).toEqual(texts(threshold - BESIDE.total));
      if (given.join() !== texts(threshold).join()) acted++;
    }
    expect(acted).toBeGreaterThan(3);
  });

  it('is so at every call point as if projected there', () => {
    for (let seed = 1; seed <= 25; seed++) followsNaive(kind, seed, stagesAt(900 + seed * 40), budgetOf(9_000, BESIDE));
  });

  it('says what counts', () => {
    const source = sourceOf(3);
    const { reports } = project(source, stagesAt(50_000), source.length, { budget: budgetOf(90_000, BESIDE) });
    const { fates } = project(source, stagesAt(600), source.length, { budget: budgetOf(90_000, BESIDE) });
    const said = [...reports.map(({ summary }) => summary), ...fates.map(({ reason }) => reason)].join('\n');
    expect(said).toContain(kind === 'adk_compaction' ? 'the prompt held' : '500 of them overhead');
  });
});

describe('reasons', () => {
  const texts = Array.from({ length: 4 }, (_, turn) => [
    JSON.stringify({ role: 'user', content: `question ${turn} ${'x'.repeat(800)}` }),
    JSON.stringify({ role: 'assistant', content: 'yes' }),
  ]).flat();
  const source = memorySource(texts, null, [], []);
  const reasonOf = (kind: string, options: object, window = 1000) => {
    const stages = stagesOf({ version: 1, stages: [{ kind, options }] });
    const { fates, problems } = project(source, stages, source.length, { budget: budgetOf(window, BESIDE) });
    return [...fates.map(({ reason }) => reason), ...problems.map(({ text }) => text)].join('\n');
  };

  it.each<[string, object, string]>([
    ['sliding_window', { fit_budget: true }, 'tokens > 500, the budget (1,000 − 500 overhead)'],
    ['summary', { keep_turns: 1 }, 'tokens > 1,000 − 500 overhead of the budget'],
    [
      'context_policy',
      { model: 'auto', reserve_output_tokens: 0, keep_last_turns: 1 },
      'max_input_tokens 1,000 − reserve_output_tokens 0 − system 120 − tools and what is not recorded 380',
    ],
    ['openai_truncation', {}, '> 500 (window 1,000 − 500 overhead); the oldest go first'],
    [
      'pi_compaction',
      { reserve_tokens: 0, keep_recent_tokens: 100 },
      '> 500 (window 1,000 − 0 reserve_tokens − 500 overhead)',
    ],
  ])('of %s name the numbers', (kind, options, words) => {
    expect(reasonOf(kind, options)).toContain(words);
  });

  it('say that nothing is left', () => {
    const options = { model: 'auto', reserve_output_tokens: 0 };
    expect(reasonOf('context_policy', options, 400)).toContain(
      'The system segment takes 120 tokens, tools and what is not recorded 380, the budget is 400',
    );
  });
});

it('a context policy’s own max_input_tokens speaks of its segments: the system prompt is one, tools are none', () => {
  const source = sourceOf(3);
  const shown = (max: number, beside?: CountedOverhead) => {
    const options = { max_input_tokens: max, reserve_output_tokens: 0, keep_last_turns: 1 };
    const stages = stagesOf({ version: 1, stages: [{ kind: 'context_policy', options }] });
    const { view } = project(source, stages, source.length, { budget: budgetOf(100_000, beside) });
    return view.items.map((item) => itemText(item, source));
  };
  expect(shown(800, BESIDE)).toEqual(shown(800 - BESIDE.system));
  expect(shown(800, overheadOf({ system: 0, tools: 300 }, 80))).toEqual(shown(800));
});
