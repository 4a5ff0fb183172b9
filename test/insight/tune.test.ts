import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { aimKey, brokenConditions } from '../../core/insight/tune/aim.ts';
import { criticalValues } from '../../core/insight/tune/critical.ts';
import { type Comparable, frontierOf } from '../../core/insight/tune/front.ts';
import { compareKeys, type Place, searchGrid } from '../../core/insight/tune/search.ts';
import { followTogether } from '../../core/insight/tune/together.ts';
import { orderedAxes, placesOf, readVariation, specAt } from '../../core/insight/tune/vary.ts';
import { WatchedTexts } from '../../core/insight/tune/watch.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { type CallPointsRun, followCallPoints, type ReachedPoint } from '../../core/projection/allCallPoints.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { seededRng } from '../../core/util/rng.ts';
import { itemText } from '../../core/view/reader.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';
import { randomTranscript } from '../support/randomTranscript.ts';
import { corpusFiles } from '../support/shared.ts';

function specOf(value: unknown): ProjectionSpec {
  const parsed = parseSpec(value, STAGES);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value.spec;
}

const TWO = specOf({ version: 1, stages: ['clean_tool_repair', 'reachability_gc'] });

describe('an option that is varied', () => {
  const read = (given: string, spec = TWO) => readVariation(given, spec, STAGES);

  it.each([
    ['reachability_gc.root_window=4..16:4', [4, 8, 12, 16]],
    ['reachability_gc.root_window=4..15:4', [4, 8, 12]],
    ['reachability_gc.root_window=3..5', [3, 4, 5]],
    ['1.root_window=4,8,4', [4, 8]],
    [' reachability_gc.root_window = 7', [7]],
    ['reachability_gc.root_window=critical', 'critical'],
  ])('%s', (given, values) => {
    const result = read(given);
    expect(result.ok && result.value).toMatchObject({ name: 'reachability_gc.root_window', stage: 1, values });
  });

  it.each([
    ['root_window=4', 'is not STAGE.OPTION=VALUES'],
    ['hygiene.x=4', 'the spec has no stage hygiene; it has 0 = clean_tool_repair, 1 = reachability_gc'],
    ['4.root_window=4', 'the spec has no stage 4'],
    ['reachability_gc.nothing=4', 'reachability_gc has no option nothing'],
    ['reachability_gc.root_window=4..2', 'from the smaller value to the larger'],
    ['reachability_gc.root_window=1..5:0', 'by more than 0'],
    ['reachability_gc.root_window=1..5:0.5', 'a whole number'],
    ['reachability_gc.root_window=a', 'root_window cannot be a'],
    ['reachability_gc.root_window=', 'has no values'],
    ['reachability_gc.root_window=1..100000', '1000 at most'],
  ])('%s is refused', (given, said) => {
    const result = read(given);
    expect(result.ok ? '' : result.error).toContain(said);
  });

  it('of a stage that stands there twice is named by position', () => {
    const twice = specOf({ version: 1, stages: ['reachability_gc', 'reachability_gc'] });
    const refused = read('reachability_gc.root_window=4', twice);
    expect(refused.ok ? '' : refused.error).toContain('0 = reachability_gc, 1 = reachability_gc');
    const named = read('1.root_window=4', twice);
    expect(named.ok && named.value.name).toBe('1.reachability_gc.root_window');
  });

  it('takes the place of another word for it, and of nothing else', () => {
    const variation = read('reachability_gc.root_window=9');
    if (!variation.ok || variation.value.values === 'critical') throw new Error('not read');
    const { values, ...option } = variation.value;
    const alias = option.param.aliases?.[0];
    const spec = specOf({
      version: 1,
      stages: ['raw', { kind: 'reachability_gc', options: { [alias ?? 'root_window']: 3 } }],
    });
    const made = specAt(spec, [{ option, values }], [0]);
    expect(made.spec.stages).toEqual([spec.stages[0], { kind: 'reachability_gc', options: { root_window: 9 } }]);
    expect(made.values).toEqual({ 'reachability_gc.root_window': 9 });
  });
});

describe('a grid', () => {
  it('varies later stages fastest', () => {
    const axes = ['reachability_gc.root_window=1,2,3', 'clean_tool_repair.enabled=x'].slice(0, 1).map((given) => {
      const variation = readVariation(given, TWO, STAGES);
      if (!variation.ok || variation.value.values === 'critical') throw new Error('not read');
      const { values, ...option } = variation.value;
      return { option, values };
    });
    const first = { option: { ...axes[0]!.option, stage: 0, name: 'first' }, values: [1, 2] };
    expect(placesOf(orderedAxes([axes[0]!, first]))).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
  });
});

describe('the frontier', () => {
  const point = (price: number, usesGone: number, watchpointsGone = 0): Comparable => ({
    price,
    usesGone,
    watchpointsGone,
  });

  it('holds what nothing beats in all at once; equal points together', () => {
    const points = [point(1, 5), point(2, 3), point(2, 3), point(3, 3), point(4, 0), point(4, 0, 1), point(5, 9)];
    expect(frontierOf(points)).toEqual([true, true, true, false, true, false, false]);
  });
});

describe('the search of a grid', () => {
  // Bowls with one lowest place: along any axis there is a way down.
  function search(sizes: readonly number[], lowest: Place, seed = 1) {
    const steps = searchGrid({ sizes, start: sizes.map(() => 0), starts: 3, seed });
    const asked: string[] = [];
    let step = steps.next();
    while (step.done !== true) {
      asked.push(...step.value.map(String));
      step = steps.next(
        step.value.map((place) => [place.reduce((sum, at, axis) => sum + (at - lowest[axis]!) ** 2, 0)]),
      );
    }
    return { best: step.value, asked };
  }

  it('finds the lowest place, asks for none twice, and for far fewer than there are', () => {
    const { best, asked } = search([40, 40, 40], [17, 3, 39]);
    expect(best).toEqual([17, 3, 39]);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.length).toBeLessThan(600);
  });

  it('asks for the same places in the same order for the same seed', () => {
    expect(search([9, 9], [4, 4], 7).asked).toEqual(search([9, 9], [4, 4], 7).asked);
  });
});

describe('critical values', () => {
  // What comes of a value: how many of the thresholds it reaches.
  function search(
    thresholds: readonly number[],
    most: number,
    { least = 0, step = 1, limit = Number.POSITIVE_INFINITY } = {},
  ) {
    const tried = new Set<number>();
    const steps = criticalValues({ least, step, most });
    let next = steps.next();
    while (next.done !== true) {
      for (const value of next.value) tried.add(value);
      next = steps.next(
        next.value.map((value) => (value > limit ? null : String(thresholds.filter((each) => value >= each).length))),
      );
    }
    return { values: next.value, tried };
  }

  it.each<readonly [readonly number[], readonly number[]]>([
    [[], [0]],
    [[1], [0, 1]],
    [
      [3, 4, 5, 300, 70_001],
      [0, 3, 4, 5, 300, 70_001],
    ],
  ])('of %j', (thresholds, values) => {
    const found = search(thresholds, 16);
    expect(found.values).toEqual(values);
    for (const value of found.values.slice(1)) expect(found.tried.has(value - 1)).toBe(true);
  });

  it('are no more than asked for, and each is one', () => {
    const thresholds = Array.from({ length: 500 }, (_, at) => 7 * (at + 1));
    const { values } = search(thresholds, 8);
    expect(values.length).toBeLessThanOrEqual(9);
    expect(values.slice(1).every((value) => thresholds.includes(value))).toBe(true);
  });

  it('are looked for in whole steps, from the least value, and none that is not accepted', () => {
    expect(search([0.35, 0.9, 5], 8, { least: 0.1, step: 0.01, limit: 1 }).values).toEqual([0.1, 0.35, 0.9]);
  });
});

describe('an aim', () => {
  const figures = {
    tokens: { mean: 10, p95: 20, peak: 30 },
    cost: 1,
    unpriced: 0,
    usesGone: 2,
    watchpointsGone: 1,
    over: 0,
    refused: 0,
  };

  it('names the conditions that a point breaks', () => {
    expect(brokenConditions(figures, {})).toEqual([]);
    expect(brokenConditions(figures, { maxPeak: 29, maxUsesGone: 1, keepsWatched: true })).toEqual([
      'max_peak',
      'max_uses_gone',
      'keep',
    ]);
  });

  it('puts conditions before what fits, and that before the aim', () => {
    const conditions = { maxPeak: 25 };
    const meets = { ...figures, tokens: { ...figures.tokens, peak: 25 }, cost: 9, over: 3 };
    const key = (point: typeof figures) => aimKey(point, 'money', conditions);
    expect(compareKeys(key(meets), key(figures))).toBeLessThan(0);
    expect(compareKeys(key({ ...meets, over: 0, cost: 99 }), key(meets))).toBeLessThan(0);
    expect(compareKeys(key({ ...meets, cost: 8 }), key(meets))).toBeLessThan(0);
  });
});

function reach<T>(run: CallPointsRun<T>): readonly T[] {
  const found: T[] = [];
  for (let step = run.next(null); step.done !== true; step = run.next(null)) {
    if (step.value.kind === 'point') found.push(step.value.figures);
  }
  return found;
}

const told = (source: TranscriptSource, { at, view, stages }: ReachedPoint): string =>
  JSON.stringify([
    at,
    view.toView().items.map((item) => itemText(item, source)),
    stages.map((stage) => Array.from({ length: at }, (_, index) => stage.kind(index))),
  ]);

function expectTogether(source: TranscriptSource, specs: readonly unknown[]) {
  const points = callPoints(source);
  const parsed = specs.map(stagesOf);
  const together = specs.map((): string[] => []);
  const run = followTogether({ source, specs: parsed, points });
  for (let step = run.next(null); step.done !== true; step = run.next(null)) {
    if (step.value.kind === 'point') together[step.value.figures.spec]?.push(told(source, step.value.figures.point));
  }
  for (const [at, stages] of parsed.entries()) {
    const alone = reach(followCallPoints({ source, stages, points }, (point) => told(source, point)));
    expect(together[at]).toEqual(alone);
  }
}

const GC = (root_window: number) => ({ kind: 'reachability_gc', options: { root_window } });
const VARIED: readonly unknown[] = [
  { version: 1, stages: ['clean_tool_repair', GC(2)] },
  { version: 1, stages: ['clean_tool_repair', GC(5)] },
  { version: 1, stages: ['clean_tool_repair', GC(5), { kind: 'hygiene', options: { profile: 'anthropic' } }] },
  { version: 1, stages: [GC(5), 'clean_tool_repair'] },
  { version: 1, stages: [{ kind: 'clean_tool_repair', enabled: false }, GC(2)] },
  { version: 1, stages: [] },
  { version: 1, stages: ['recorded_compaction', { kind: 'summary_prefix', options: { keep_last: 4 } }] },
  { version: 1, stages: ['recorded_compaction', { kind: 'summary_prefix', options: { keep_last: 8 } }] },
];

describe('several specs at once', () => {
  it.each([1, 2, 3, 4, 5, 6])('seed %i: each as by itself', (seed) => {
    const source = transcriptOf(
      randomTranscript({ seed, turns: 14, broken: seed % 2 === 0 }).map((text) => JSON.parse(text)),
    );
    const rng = seededRng(seed);
    expectTogether(source, rng.shuffle(VARIED));
  });

  const files = ['claude-code', 'codex', 'openai-chat', 'swe-agent']
    .flatMap((format) =>
      corpusFiles(format)
        .filter((path) => statSync(path).size < 150_000)
        .slice(0, 3),
    )
    .map((path) => [basename(path), path] as const);

  it.runIf(files.length > 0).each(files)('%s: each as by itself', (_, path) => {
    const [transcript] = importText(readFileSync(path), { unpack: unpackZlib }).transcripts;
    if (transcript === undefined || transcript.messages.length > 300) return;
    expectTogether(MemoryTranscript.of(transcript), VARIED);
  });
});

describe('texts that are watched', () => {
  const session = [
    { role: 'user', content: 'the port is 8443' },
    { role: 'assistant', content: 'noted' },
    { role: 'user', content: 'go on' },
    { role: 'assistant', content: 'done' },
    { role: 'user', content: 'again' },
    { role: 'assistant', content: 'done again' },
  ];

  it.each([
    ['raw', 0],
    [{ policy: 'summary_prefix', keep_last: 2 }, 1],
  ])('under %j: %i gone', (spec, gone) => {
    const source = transcriptOf(session);
    const watched = new WatchedTexts(source, {}, ['port is  8443', 'said nowhere']);
    expect(watched.unsaid).toEqual(['said nowhere']);
    const follower = watched.follow();
    reach(
      followCallPoints({ source, stages: stagesOf(spec), points: callPoints(source) }, (point) => follower.take(point)),
    );
    expect(follower.gone).toBe(gone);
  });

  it('are those given and the watchpoints, each once, compared as it says', () => {
    const source = transcriptOf(session);
    const own = [
      { text: 'the port', matchCase: false, wholeWord: false },
      { text: 'THE PORT', matchCase: true, wholeWord: false },
      { text: 'go on', matchCase: false, wholeWord: true },
    ];
    const watched = new WatchedTexts(source, {}, ['the port'], own);
    expect(watched.unsaid).toEqual([]);
    const follower = watched.follow();
    const stages = stagesOf({ policy: 'summary_prefix', keep_last: 2 });
    reach(followCallPoints({ source, stages, points: callPoints(source) }, (point) => follower.take(point)));
    // The port and the question behind it; nothing says THE PORT, so no request lost it.
    expect(follower.gone).toBe(2);
  });
});
