// The laws over a file: every transcript in it × every preset × sampled call points. Counted, not asserted, so that the
// table and the tests can each do with it what they want.
import { readFileSync } from 'node:fs';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { resolveBudget } from '../../core/projection/budgetSpec.ts';
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import { PrefixHashCache } from '../../core/projection/prefixHash.ts';
import { PRESETS, presetsFor } from '../../core/projection/presets.ts';
import { modelFacts } from '../../core/tokens/models.ts';
import { seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { View } from '../../core/view/types.ts';
import { explanationFaults } from './explained.ts';
import { frozenSource, type LawfulContext, lawfully } from './lawful.ts';
import { hygieneFaults } from './lawfulHygiene.ts';
import { commonPrefix, tokensOfView } from './prefixes.ts';
import { stagesOf } from './projecting.ts';

/** How much of a file is looked at, and from which seed the sample is drawn. */
export interface SurveyOptions {
  /** Call points of each transcript, besides its end; Infinity = all. */
  readonly points: number;
  /** Transcripts of each file; Infinity = all. */
  readonly transcripts: number;
  readonly seed: number;
}

/** What was found of one preset. Tokens are estimates. */
export interface PresetTally {
  transcripts: number;
  points: number;
  projections: number;
  rawTokens: number;
  projectedTokens: number;
  /** Tokens of the requests before the sampled ones, and how many of them stood unchanged at the front of those. */
  previousTokens: number;
  prefixTokens: number;
  violations: number;
}

/** What was found in one file. */
export interface FileSurvey {
  readonly found: number;
  readonly surveyed: number;
  readonly presets: ReadonlyMap<string, PresetTally>;
  /** Each with what repeats it. */
  readonly violations: readonly string[];
}

/** The window where the model's is not known. Unit: tokens. */
export const UNKNOWN_WINDOW = 32_768;

/** An empty tally. */
export function emptyTally(): PresetTally {
  return {
    transcripts: 0,
    points: 0,
    projections: 0,
    rawTokens: 0,
    projectedTokens: 0,
    previousTokens: 0,
    prefixTokens: 0,
    violations: 0,
  };
}

/** Imports a file and surveys its transcripts. */
export function surveyFile(path: string, options: SurveyOptions): FileSurvey {
  const { transcripts } = importText(readFileSync(path), { unpack: unpackZlib });
  const held = transcripts.filter(({ messages }) => messages.length > 0);
  const presets = new Map<string, PresetTally>();
  const violations: string[] = [];
  const chosen = choose(held, options.transcripts, options.seed);
  for (const transcript of chosen) {
    const window = modelFacts(transcript.meta.models?.at(-1) ?? null).window ?? UNKNOWN_WINDOW;
    const survey = new TranscriptSurvey(frozenSource(MemoryTranscript.of(transcript)), window, options);
    for (const fault of survey.run(presets)) violations.push(`${path}, ${transcript.key}: ${fault}`);
  }
  return { found: held.length, surveyed: chosen.length, presets, violations };
}

/** `count` of the values in their order, the same for the same seed. */
export function choose<T>(values: readonly T[], count: number, seed: number): readonly T[] {
  if (values.length <= count) return values;
  const order = seededRng(seed)
    .shuffle([...values.keys()])
    .slice(0, count);
  return order.sort((a, b) => a - b).map((at) => values[at]!);
}

class TranscriptSurvey {
  readonly #source: TranscriptSource;
  readonly #options: SurveyOptions;
  readonly #window: number;
  /** Views whose repairs were looked at: presets often leave the same. */
  readonly #repaired = new Set<string>();
  #context: LawfulContext = { memo: createMemo(), cache: new PrefixHashCache(), isFrozen: true };

  constructor(source: TranscriptSource, window: number, options: SurveyOptions) {
    this.#source = source;
    this.#window = window;
    this.#options = options;
  }

  run(tallies: Map<string, PresetTally>): string[] {
    const points = callPoints(this.#source);
    const chosen = choose([...points.keys()], this.#options.points, this.#options.seed + points.length);
    const faults: string[] = [];
    const hasCompactions = this.#source.compactions().length > 0;
    // On what the runtime kept as well as on the raw history: a preset is offered either way.
    const offered = [false, hasCompactions].flatMap((after) => presetsFor(PRESETS, hasCompactions, after));
    for (const { name, spec } of new Map(offered.map((one) => [one.name, one])).values()) {
      const tally = tallies.get(name) ?? emptyTally();
      tallies.set(name, tally);
      tally.transcripts++;
      const stages = stagesOf(spec);
      this.#context = { ...this.#context, budget: resolveBudget(spec.budget, { own: this.#window }) };
      const check = (at: number, before: number | null): void => {
        const found = this.#check(stages, at, before, tally);
        tally.violations += found.length;
        for (const fault of found) faults.push(`preset ${name} at ${at}: ${fault}`);
      };
      for (const position of chosen) check(points[position] ?? 0, points[position - 1] ?? null);
      if (points.at(-1) !== this.#source.length) check(this.#source.length, points.at(-1) ?? null);
    }
    return faults;
  }

  #check(stages: readonly ResolvedStage[], at: number, before: number | null, tally: PresetTally): readonly string[] {
    try {
      return this.#lawsOf(stages, at, before, tally);
    } catch (error) {
      return [`crashed: ${error instanceof Error ? error.message : String(error)}`];
    }
  }

  #lawsOf(stages: readonly ResolvedStage[], at: number, before: number | null, tally: PresetTally): readonly string[] {
    const source = this.#source;
    const { projection, faults } = lawfully(source, stages, at, this.#context);
    tally.points++;
    tally.projections += 2;
    tally.rawTokens += tokensOfView(source, null, at, this.#context.memo);
    tally.projectedTokens += tokensOfView(source, projection.view, at, this.#context.memo);
    if (before !== null) {
      const previous = lawfully(source, stages, before, this.#context, 'only project').projection;
      const { prefixTokens, previousTokens } = commonPrefix(source, previous.view, projection.view, this.#context.memo);
      tally.previousTokens += previousTokens;
      tally.prefixTokens += prefixTokens;
      tally.projections++;
    }
    return [...faults, ...explanationFaults(stages, projection.fates), ...this.#faultsOfRepair(projection.view, at)];
  }

  /** Once for each view: what is wrong with it is told of the first preset that leaves it. */
  #faultsOfRepair(view: View, at: number): readonly string[] {
    const known = nodeSha256()
      .update(JSON.stringify([at, view.items]))
      .hex();
    if (this.#repaired.has(known)) return [];
    this.#repaired.add(known);
    return hygieneFaults(this.#source, view, at, this.#context.memo, nodeSha256);
  }
}
