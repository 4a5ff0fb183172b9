// What holds of the reducers whatever the transcript and the options: seeded; a failure prints what to run again.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { project } from '../../core/projection/project.ts';
import { createBudget } from '../../core/tokens/budget.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemText } from '../../core/view/reader.ts';
import { estimatedTokens, itemTokens } from '../../core/view/tokens.ts';
import type { View } from '../../core/view/types.ts';
import { checkProjection, sampled } from '../support/lawful.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';

const SEEDS = 40;
const TOOLS = ['read', 'run', 'Grep', 'edit_file', 'lookup', 'unheard_of'];

interface Case {
  readonly source: TranscriptSource;
  readonly rng: Rng;
  readonly replay: string;
}

function forEachCase(check: (given: Case) => void): void {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const shape = SHAPES[seed % SHAPES.length]!;
    const texts = randomTranscript({ seed, turns: 16, shape, broken: seed % 3 === 0, signed: seed % 4 === 0 });
    check({ source: memorySource(texts), rng: seededRng(seed * 7919), replay: `replay: seed ${seed}, shape ${shape}` });
  }
}

function randomRule(rng: Rng): object {
  return { mode: rng.pick(['age', 'count', 'never']), value: rng.below(5) };
}

function randomRetention(rng: Rng): object {
  const perTool = Object.fromEntries(TOOLS.filter(() => rng.chance(0.3)).map((name) => [name, randomRule(rng)]));
  const base = rng.chance(0.5) ? randomRule(rng) : { default: randomRule(rng) };
  return { ...base, per_tool: perTool, never_evict: TOOLS.filter(() => rng.chance(0.1)), every: 1 + rng.below(4) };
}

const stage = (kind: string, options: object) => ({ version: 1, stages: [{ kind, options }] });
const textsOf = (view: View, source: TranscriptSource): string[] => view.items.map((item) => itemText(item, source));

describe('retention', () => {
  it('keeps order and number, changes results only, and changes them once', () => {
    forEachCase(({ source, rng, replay }) => {
      const spec = stage('tool_result_retention', randomRetention(rng));
      const stages = stagesOf(spec);
      const why = `${replay}, ${JSON.stringify(spec)}`;
      const { view, fates } = project(source, stages, source.length);
      expect(
        view.items.map((item) => item.kind === 'source' && item.index),
        why,
      ).toEqual([...Array(source.length).keys()]);
      for (const [index, item] of view.items.entries()) {
        const holdsResult = source.facts(index).parts.some(({ kind }) => kind === 'tool_result');
        if (!holdsResult) expect(item.text, why).toBeUndefined();
        expect(fates[index]?.kind, why).toBe(item.text === undefined ? 'kept' : 'redacted');
      }
      const once = textsOf(view, source);
      const again = memorySource(once);
      expect(textsOf(project(again, stages, again.length).view, again), why).toEqual(once);
    });
  });

  it('lets nothing come back as turns go on, unless it counts by chunks that have not begun', () => {
    forEachCase(({ source, rng, replay }) => {
      const stages = stagesOf(stage('tool_result_retention', { ...randomRule(rng), every: 1 + rng.below(3) }));
      let gone = new Set<number>();
      for (const at of callPoints(source)) {
        const now = new Set(project(source, stages, at).redactedIndices);
        for (const index of gone) expect(now.has(index), `${replay}: #${index} is back at ${at}`).toBe(true);
        gone = now;
      }
    });
  });
});

describe('the window', () => {
  it('is the head and a run of whole turns at the end, no fewer than asked for', () => {
    forEachCase(({ source, rng, replay }) => {
      const turns = rng.below(6);
      const { view } = project(source, stagesOf(stage('sliding_window', { turns })), source.length);
      const indices = view.items.map((item) => (item.kind === 'source' ? item.index : -1));
      const starts = [...Array(source.length).keys()].filter((index) => source.facts(index).beginsTurn);
      const gap = indices.findIndex((index, at) => index !== at);
      const tail = gap < 0 ? [] : indices.slice(gap);
      expect(tail, replay).toEqual(tail.map((_, at) => source.length - tail.length + at));
      if (tail.length > 0) expect(starts, replay).toContain(tail[0]);
      const kept = indices.filter((index) => starts.includes(index)).length;
      expect(kept, replay).toBeGreaterThanOrEqual(Math.min(turns, starts.length));
    });
  });

  it('is within its cap, or holds the least there can be', () => {
    forEachCase(({ source, rng, replay }) => {
      const tokens = 1 + rng.below(2000);
      const { view } = project(source, stagesOf(stage('sliding_window', { turns: 1000, tokens })), source.length);
      const context = { source, tokens: estimatedTokens(source), memo: createMemo() };
      const held = view.items.reduce((sum, item) => sum + itemTokens(item, context), 0);
      const least = project(source, stagesOf(stage('sliding_window', { tokens: 1 })), source.length).view;
      if (held > tokens) expect(view, `${replay}, cap ${tokens}, holds ${held}`).toEqual(least);
    });
  });
});

describe('injection', () => {
  it('puts nothing between calls and the results right behind them', () => {
    forEachCase(({ source, rng, replay }) => {
      const spec = stage('injection', { entries: { plan: 'mend it' }, place: rng.pick(['before', 'after']) });
      const holdsResult = (index: number) => source.facts(index).parts.some(({ kind }) => kind === 'tool_result');
      for (const at of callPoints(source)) {
        const { items } = project(source, stagesOf(spec), at).view;
        const made = items.findIndex(({ kind }) => kind === 'synthetic');
        if (made <= 0 || made >= at || !holdsResult(made)) continue;
        const isOfUser = source.facts(made - 1).role === 'user' && !holdsResult(made - 1);
        expect(isOfUser, `${replay}, at ${at}, ${JSON.stringify(spec)}: between #${made - 1} and #${made}`).toBe(true);
      }
    });
  });
});

describe('the pipeline', () => {
  it('keeps the laws with any options, at any call point', () => {
    forEachCase(({ source, rng, replay }) => {
      const budget = {
        window: 200 + rng.below(4000),
        reserve_output: rng.below(100),
        injection_reserve: rng.below(50),
      };
      const spec = {
        version: 1,
        budget,
        stages: [
          { kind: 'tool_result_retention', options: randomRetention(rng) },
          {
            kind: 'sliding_window',
            options: { turns: rng.below(8), every: 1 + rng.below(3), tokens: rng.pick([0, 500]) },
          },
          {
            kind: 'summary',
            options: { when: rng.pick(['over_budget', 'always']), keep_turns: rng.below(4), every: 1 + rng.below(4) },
          },
          {
            kind: 'injection',
            options: { entries: { a: 'one', b: { text: 'two' } }, place: rng.pick(['before', 'after']) },
          },
        ],
      };
      for (const at of sampled(callPoints(source), 4)) {
        expect(checkProjection(source, stagesOf(spec), at), `${replay}, at ${at}, ${JSON.stringify(spec)}`).toEqual([]);
      }
    });
  });

  it('parts no call from its result, wherever a summary ends', () => {
    forEachCase(({ source: { length, text }, rng, replay }) => {
      const texts = Array.from({ length }, (_, index) => text(index));
      const written = Array.from({ length: 1 + rng.below(3) }, (_, at) => {
        const to = 1 + rng.below(length);
        return { from: 0, to, content: `up to ${to}`, version: at + 1, origin: 'written' as const };
      });
      const source = memorySource(texts, null, [], written);
      const spec = stage('summary', { when: 'always', keep_turns: rng.below(3) });
      for (const at of sampled(callPoints(source), 6)) {
        const why = `${replay}, at ${at}, summaries up to ${written.map(({ to }) => to)}, ${JSON.stringify(spec)}`;
        expect(checkProjection(source, stagesOf(spec), at), why).toEqual([]);
      }
    });
  });

  it('fits its budget if it is told to, down to the last turn', () => {
    forEachCase(({ source, rng, replay }) => {
      const window = 300 + rng.below(3000);
      const budget = createBudget({ window, reserveOutput: 0, injectionReserve: 0, caps: {} });
      const spec = { version: 1, stages: [{ kind: 'sliding_window', options: { fit_budget: true } }] };
      const tokens = estimatedTokens(source);
      const { view } = project(source, stagesOf(spec), source.length, { tokens, budget });
      const held = view.items.reduce((sum, item) => sum + itemTokens(item, { source, tokens, memo: createMemo() }), 0);
      const least = project(source, stagesOf(stage('sliding_window', { tokens: 1 })), source.length).view;
      if (held > budget.total) expect(view, `${replay}, total ${budget.total}, holds ${held}`).toEqual(least);
    });
  });
});
