// A stage is written once, and kept while call points and options change. The law behind it, for every kind of stage with
// others before and behind it: any way of call points and options gives what one step gives, in views, fates with their
// sentences, those of messages that stay too, and reports.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../core/model/summary.ts';
import { effectiveFrom, type TranscriptSource } from '../../core/model/transcript.ts';
import { followCallPoints } from '../../core/projection/allCallPoints.ts';
import { KeptPipeline } from '../../core/projection/keptPipeline.ts';
import { parseSpec, type ResolvedStage } from '../../core/projection/parseSpec.ts';
import { type ProjectOptions, project } from '../../core/projection/project.ts';
import { createRegistry } from '../../core/projection/registry.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { Projection } from '../../core/projection/types.ts';
import type { Rng } from '../../core/util/rng.ts';
import { seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import type {
  RunUserCode,
  StageAnswer,
  StageEffect,
  StageReport,
  StageTokens,
  UserCodeAnswer,
} from '../../core/view/types.ts';
import { pin as PIN } from '../oracle/stages/pin.ts';
import { plain } from '../oracle/stages/plain.ts';
import { SMALL_SPECS } from '../stages/vendors/smallSpecs.ts';
import { withAsides } from '../support/asides.ts';
import { withCacheMarks } from '../support/cacheMarks.ts';
import { randomCompactions } from '../support/randomCompactions.ts';
import { withProjections } from '../support/randomProjections.ts';
import { randomBudget, randomStage, spec } from '../support/randomStages.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';
import { corpusFiles } from '../support/shared.ts';
import { tightContext } from '../support/tightContext.ts';
import { tightBudget, tightReducer } from '../support/tightReducers.ts';

const FORMATS = ['claude-code', 'codex', 'pi', 'openai-chat', 'gemini-contents', 'harn'];

/** All stages, with pin as its description alone has it. */
const PLAIN_STAGES = createRegistry(STAGES.stages.map((stage) => (stage.kind === 'pin' ? plain(PIN) : stage)));
/** All kinds of stage. */
const KINDS = STAGES.stages.map(({ kind }) => kind);
/** In how many projections each kind touched something. */
const acted = new Map<string, number>(KINDS.map((kind) => [kind, 0]));

interface Given {
  readonly source: TranscriptSource;
  readonly at: number;
  readonly spec: unknown;
  readonly options: ProjectOptions;
  readonly label: string;
}

function stagesIn(chosen: unknown, registry: typeof STAGES): readonly ResolvedStage[] {
  const parsed = parseSpec(chosen, registry);
  if (!parsed.ok) throw new Error(`${JSON.stringify(chosen)}: ${parsed.error.map(({ text }) => text).join(', ')}`);
  return parsed.value.stages;
}

/** All that a person can see of a projection, as data. */
function seen({ view, fates, reports, problems, keptIndices, droppedIndices, redactedIndices }: Projection): unknown {
  return JSON.parse(
    JSON.stringify({ items: view.items, fates, reports, problems, keptIndices, droppedIndices, redactedIndices }),
  );
}

function compare({ source, at, spec: chosen, options, label }: Given): void {
  const given = { ...options, runUserCode };
  const found = seen(project(source, stagesIn(chosen, STAGES), at, given));
  const expected = seen(project(source, stagesIn(chosen, PLAIN_STAGES), at, given));
  same(found, expected, label);
}

// The comparison in words is slow: only where there is something to tell.
function same(found: unknown, expected: unknown, label: string): void {
  if (!isDeepStrictEqual(found, expected)) expect(found, `replay: ${label}`).toEqual(expected);
}

function note({ reports }: Projection): void {
  for (const { kind, counts, summary } of reports) {
    const adds = kind === 'injection' && summary !== 'nothing to inject';
    if (acted.has(kind) && (adds || Object.keys(counts).length > 0)) acted.set(kind, (acted.get(kind) ?? 0) + 1);
  }
}

// What a person's function might do: leave messages out, change some, add one, or fail. By what it is given.
function runUserCode({ messagesJson }: RunUserCode): UserCodeAnswer {
  const messages = JSON.parse(messagesJson) as readonly object[];
  if (messagesJson.length % 9 === 0) {
    return { ok: false, code: 'threw', message: 'no', line: 1, column: 2, logs: ['about to fail'] };
  }
  const kept = messages.flatMap((message, at): readonly object[] => {
    if (at % 5 === messagesJson.length % 5) return [];
    return [at % 7 === 3 && !('signature' in message) ? { ...message, seen: at } : message];
  });
  const added = messagesJson.length % 2 === 0 ? [{ role: 'user', content: 'added' }] : [];
  return { ok: true, resultJson: JSON.stringify([...added, ...kept]), steps: 1, logs: [] };
}

/** Counts many times as large: thresholds that a provider asks for are reached by short transcripts. */
function largeTokens(source: TranscriptSource, factor: number): StageTokens {
  const plain = estimatedTokens(source);
  return {
    ...plain,
    parts: (index) => plain.parts(index).map((count) => count * factor),
    message: (index) => plain.message(index) * factor,
    range: (from, to) => plain.range(from, to) * factor,
    text: (...texts) => plain.text(...texts) * factor,
  };
}

const RECORDED = FORMATS.flatMap((format): { readonly name: string; readonly source: TranscriptSource }[] => {
  const [path] = corpusFiles(format);
  if (path === undefined) return [];
  const { transcripts } = importText(readFileSync(path), { unpack: unpackZlib });
  return transcripts.slice(0, 2).map((one, nth) => ({ name: `${path} ${nth}`, source: MemoryTranscript.of(one) }));
});

function randomSource(
  rng: Rng,
  seed: number,
  kind: string,
): { readonly source: TranscriptSource; readonly label: string; readonly points?: readonly number[] } {
  const thinks = kind.includes('thinking');
  const projects = kind === 'recorded_projection';
  const recorded = !projects && rng.chance(0.08) && RECORDED.length > 0 ? rng.pick(RECORDED) : null;
  if (recorded !== null) return { source: recorded.source, label: recorded.name };
  const made = {
    seed,
    turns: 4 + rng.below(18),
    shape: thinks ? rng.pick(['anthropic', 'mixed'] as const) : rng.pick(SHAPES),
    broken: rng.chance(0.4),
    signed: thinks || rng.chance(0.4),
    files: 6,
  };
  const label = JSON.stringify(made);
  const system = rng.chance(0.3) ? ['{"role":"system","content":"Be brief."}'] : [];
  const texts = [...system, ...randomTranscript(made)];
  if (rng.chance(0.15)) return { source: withAsides(texts, seededRng(seed)), label: `${label} with asides` };
  const marked = rng.chance(0.2) ? withCacheMarks(texts, seededRng(seed)) : texts;
  const compactions =
    kind === 'recorded_compaction' || rng.chance(0.4) ? randomCompactions(seededRng(seed), marked) : [];
  const summaries = rng.chance(0.4) ? randomSummaries(seededRng(seed), marked.length) : [];
  const own = rng.chance(0.2) ? 'what was said before' : null;
  const about = `${system.length} system, ${compactions.length} compactions, ${summaries.length} summaries`;
  const source = memorySource(marked, own, compactions, summaries);
  if (projects) return { ...withProjections(source, seededRng(seed)), label: `${label}, ${about}, with projections` };
  return { source, label: `${label}, ${about}` };
}

function randomSummaries(rng: Rng, length: number): SummaryArtifact[] {
  const ends = [...new Set(Array.from({ length: 5 }, () => 1 + rng.below(length)))].sort((a, b) => a - b);
  return ends.map((to): SummaryArtifact => ({ from: 0, to, content: `up to ${to}`, version: 1, origin: 'written' }));
}

/** What pin puts back has to be taken first. */
const TAKING = KINDS.filter((kind) => !['raw', 'pin', 'injection', 'recorded_projection', 'custom'].includes(kind));
const SMALL = SMALL_SPECS.flatMap(({ stages }) => stages);

const REDUCERS = new Set(STAGES.stages.flatMap(({ family, kind }) => (family === 'reducers' ? [kind] : [])));

function withTightOptions({ kind, options }: { readonly kind: string; readonly options: unknown }, rng: Rng) {
  return REDUCERS.has(kind) ? { kind, options: { ...Object(options), ...tightReducer(kind, rng) } } : { kind, options };
}

function randomRun(run: number): Given {
  const rng = seededRng(run * 7919 + 17);
  const kind = KINDS[run % KINDS.length] ?? 'raw';
  const { source, label, points } = randomSource(rng, run, kind);
  const small = SMALL.filter((stage) => JSON.stringify(stage).includes(`"${kind}"`));
  const isTight = kind === 'context_policy' && rng.chance(0.7);
  const tried = isTight ? { kind, options: tightContext(rng) } : withTightOptions(randomStage(kind, rng), rng);
  const own = small.length > 0 && rng.chance(0.5) ? rng.pick(small) : tried;
  const before = rng.chance(kind === 'pin' ? 1 : 0.35)
    ? [randomStage(rng.pick(kind === 'pin' ? TAKING : KINDS), rng)]
    : [];
  const behind = rng.chance(0.35) ? [randomStage(rng.pick(KINDS), rng)] : [];
  const isCapped = REDUCERS.has(kind) && rng.chance(0.8);
  const budget = isCapped ? tightBudget(rng) : rng.chance(0.2) ? null : randomBudget(rng);
  const factor = rng.pick([1, 1, 40, 400]);
  const most = Math.min(source.length, 400);
  const at = rng.chance(points === undefined ? 0.6 : 0.9) ? rng.pick(points ?? [most]) : rng.below(most + 1);
  const chosen = spec(...before, own, ...behind);
  return {
    source,
    at,
    spec: chosen,
    options: { budget, ...(factor > 1 && { tokens: largeTokens(source, factor) }) },
    label: `run ${run}: ${label}, at ${at}, tokens × ${factor}, ${JSON.stringify(chosen)}, ${JSON.stringify(budget)}`,
  };
}

describe('pin at one call point is what its description says', () => {
  it('random specs and views', () => {
    for (let nth = 0; nth < 400; nth++) compare(randomRun(nth * KINDS.length + KINDS.indexOf('pin')));
  });
});

describe('any way of call points and options gives what one step gives', () => {
  it.each(KINDS)('%s', (kind) => {
    for (let nth = 0; nth < 60; nth++) {
      const run = nth * KINDS.length + KINDS.indexOf(kind);
      const { source, at: begin, spec: first, options, label } = randomRun(run);
      const rng = seededRng(run);
      const kept = new KeptPipeline();
      const given = { ...options, memo: createMemo(), tokens: options.tokens ?? estimatedTokens(source), runUserCode };
      const end = Math.min(source.length, 120);
      let chosen = first;
      let at = rng.chance(0.5) ? Math.min(begin, end) : rng.below(end + 1);
      const way: string[] = [];
      let last: { readonly projection: Projection; readonly seen: unknown } | null = null;
      for (let step = 0; step < 8; step++) {
        way.push(`${at} ${JSON.stringify(chosen)}`);
        const replay = `${label}, by ${way.join(' → ')}`;
        const stages = stagesIn(chosen, STAGES);
        const projection = project(source, stages, at, { ...given, kept });
        const expected = seen(project(source, stages, at, { ...options, runUserCode }));
        // What was given before stays as it was, whatever moves on.
        if (last !== null) same(seen(last.projection), last.seen, `${replay}, the one before`);
        if (rng.chance(0.7)) same(seen(projection), expected, replay);
        note(projection);
        last = { projection, seen: expected };
        if (rng.chance(0.6)) chosen = withAnother(chosen, rng);
        if (rng.chance(0.6)) at = rng.chance(0.7) ? Math.min(end, at + rng.below(6)) : rng.below(end + 1);
      }
    }
  });

  it('each stage acted in fifty projections', () => {
    for (const [kind, runs] of acted) if (kind !== 'raw') expect(runs, kind).toBeGreaterThanOrEqual(50);
  });

  afterAll(() => {
    if (process.env.PARALLAX_TABLE === undefined) return;
    for (const [kind, runs] of acted) console.log(`${kind.padEnd(28)} acted in ${runs} projections`);
  });
});

// A slider moves one stage.
function withAnother(chosen: unknown, rng: Rng): unknown {
  const { stages } = chosen as { readonly stages: readonly { readonly kind: string }[] };
  const moved = rng.below(stages.length);
  return spec(...stages.map((stage, at) => (at === moved ? randomStage(stage.kind, rng) : stage)));
}

describe('any way of call points gives what one step gives', () => {
  it.each(KINDS)('%s', (kind) => {
    for (let nth = 0; nth < 40; nth++) {
      const run = nth * KINDS.length + KINDS.indexOf(kind);
      const { source, spec: chosen, options, label } = randomRun(run);
      const rng = seededRng(run);
      const end = Math.min(source.length, 120);
      const points = Array.from({ length: end + 1 }, (_, at) => at).filter((at) => at === end || rng.chance(0.3));
      const stages = stagesIn(chosen, STAGES);
      for (const reports of reportsAlong(source, stages, points, options)) {
        const { at } = reports;
        const expected = project(source, stages, at, { ...options, runUserCode }).reports.slice(0, stages.length);
        for (const [position, report] of reports.reports.entries()) {
          if (report !== null) expect(report, `replay: ${label}, followed to ${at}`).toEqual(expected[position]);
        }
      }
    }
  });
});

describe('a transcript that grows gives what it gives when it is read at once', () => {
  let kept = 0;

  it.each(KINDS)('%s', (kind) => {
    for (let nth = 0; nth < 40; nth++) {
      const run = nth * KINDS.length + KINDS.indexOf(kind);
      const { source: whole, spec: chosen, options, label } = randomRun(run);
      const rng = seededRng(run + 1);
      const end = Math.min(whole.length, 120);
      const growing = growingSource(whole, rng.below(end + 1));
      const stages = stagesIn(chosen, STAGES);
      const pipeline = new KeptPipeline();
      const tokens = options.tokens ?? estimatedTokens(growing.source);
      const given = { ...options, memo: createMemo(), tokens, runUserCode };
      const way: number[] = [];
      while (way.length < 12) {
        const at = rng.chance(0.8) ? growing.source.length : rng.below(growing.source.length + 1);
        way.push(at);
        const projection = project(growing.source, stages, at, { ...given, kept: pipeline });
        const expected = project(growing.source, stages, at, { ...options, tokens, runUserCode });
        same(seen(projection), seen(expected), `${label}, grown by ${way.join(' → ')}`);
        const more = rng.chance(0.7) ? 1 + rng.below(6) : 0;
        if (more > 0 && growing.grow(Math.min(end, growing.source.length + more))) kept++;
      }
    }
  });

  it('most of the time without reading it again', () => {
    expect(kept).toBeGreaterThan(4_000);
  });
});

/** A transcript of which only some messages are there yet. `grow` tells if nothing but messages came. */
function growingSource(whole: TranscriptSource, begin: number) {
  let length = begin;
  let compactions = whole.compactions();
  let projections = whole.projections?.() ?? [];
  const take = (): boolean => {
    const [had, told] = [compactions, projections];
    const there = whole.compactions().filter((one) => effectiveFrom(one) <= length && (one.summaryIndex ?? 0) < length);
    const events = (whole.projections?.() ?? []).filter(({ at }) => at <= length);
    if (there.length !== compactions.length) compactions = there;
    if (events.length !== projections.length) projections = events;
    return had === compactions && told === projections;
  };
  take();
  const source: TranscriptSource = {
    get length() {
      return length;
    },
    summary: whole.summary,
    text: (index) => whole.text(index),
    facts: (index) => whole.facts(index),
    compactions: () => compactions,
    summaries: () => whole.summaries().filter(({ to }) => to <= length),
    projections: () => projections,
  };
  return {
    source,
    grow(to: number): boolean {
      const hasGrown = to > length;
      length = to;
      return take() && hasGrown;
    },
  };
}

function* reportsAlong(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  points: readonly number[],
  options: ProjectOptions,
): Generator<{ readonly at: number; readonly reports: readonly (StageReport | null)[] }> {
  const run = followCallPoints({ source, stages, points, options }, ({ at, stages: live }) => ({
    at,
    reports: live.slice(0, stages.length).map((one) => ('report' in one ? (one.report as StageReport) : null)),
  }));
  let step = run.next(null);
  while (step.done !== true) {
    if (step.value.kind === 'point') yield step.value.figures;
    step = run.next(step.value.kind === 'effect' ? answer(step.value.effect) : null);
  }
}

function answer(effect: StageEffect): StageAnswer {
  return effect.effect === 'run_user_code' ? runUserCode(effect) : IMAGES;
}

const IMAGES: StageAnswer = {
  effect: 'resize_image',
  ok: false,
  code: 'unavailable',
  message: 'no image library is available here',
};
