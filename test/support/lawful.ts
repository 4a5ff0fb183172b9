import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { isGone } from '../../core/engine/rows/goneRuns.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import { PrefixHashCache, prefixHash } from '../../core/projection/prefixHash.ts';
import { project } from '../../core/projection/project.ts';
import type { Projection } from '../../core/projection/types.ts';
import type { Budget } from '../../core/tokens/budget.ts';
import { isOneCause } from '../../core/view/fates.ts';
import { checkLaws } from '../../core/view/laws.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { RunUserCode, StageMemo, UserCodeAnswer } from '../../core/view/types.ts';
import { shownFaults } from './shown.ts';

// Hygiene moves and merges: that its pairs are whole, test/hygiene tells by itself.
const MAY_SPLIT = new Set(['custom', 'summary_prefix', 'recorded_compaction', 'hygiene', 'langchain_trim_messages']);

// What the identity `(m) => m` returns; the second of two runs asks the same again.
let asked = { messagesJson: '', resultJson: '' };
function identity({ messagesJson }: RunUserCode): UserCodeAnswer {
  if (messagesJson !== asked.messagesJson)
    asked = { messagesJson, resultJson: JSON.stringify(JSON.parse(messagesJson)) };
  return { ok: true, resultJson: asked.resultJson, steps: 1, logs: [] };
}

/** What may be shared by many checks of one transcript. */
export interface LawfulContext {
  readonly memo: StageMemo;
  readonly cache: PrefixHashCache;
  /** See frozenSource. */
  readonly isFrozen: boolean;
  /** What the request may hold; absent = not known. */
  readonly budget?: Budget | null;
}

/** The laws a projection breaks. Without a context the first of its two runs starts cold. */
export function checkProjection(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  at: number,
  context: LawfulContext = coldContext(),
): readonly string[] {
  return lawfully(source, stages, at, context).faults;
}

/** Nothing remembered yet. */
export function coldContext(budget: Budget | null = null): LawfulContext {
  return { memo: createMemo(), cache: new PrefixHashCache(), isFrozen: false, budget };
}

/** A projection and the laws it breaks; `only project` = they are not looked at. */
export function lawfully(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  at: number,
  { memo, cache, isFrozen, budget = null }: LawfulContext = coldContext(),
  what: 'check' | 'only project' = 'check',
): { readonly projection: Projection; readonly faults: readonly string[] } {
  const run = () => project(source, stages, at, { memo, sha256: nodeSha256, budget, runUserCode: identity });
  if (what === 'only project') return { projection: run(), faults: [] };
  let first: Projection | null = null;
  let runs: readonly number[] = [];
  const faults = checkLaws({
    source,
    at,
    run() {
      const made = run();
      // Before fates are made: then stages are not asked for causes any more.
      if (first === null) runs = goneTogether(made, (a, b) => made.said.areOfOneCause(a, b));
      first ??= made;
      return made;
    },
    hash: (view) => prefixHash(source, view, nodeSha256, cache),
    sha256: nodeSha256,
    maySplitPairs: stages.some((stage) => MAY_SPLIT.has(stage.kind)),
    isFrozen,
  });
  const projection = first ?? run();
  const byFates = goneTogether(projection, (a, b) => isOneCause(projection.said.fateOf(a), projection.said.fateOf(b)));
  const causes = runs.join() === byFates.join() ? [] : ['messages leave for one cause, and their fates say another'];
  return { projection, faults: [...faults, ...causes, ...shownFaults(source, projection, memo)] };
}

// The messages that left as the one before them did, for one cause.
function goneTogether({ at, said }: Projection, areOfOneCause: (a: number, b: number) => boolean): readonly number[] {
  const together: number[] = [];
  for (let index = 1; index < at; index++) {
    const kind = said.kindOf(index);
    if (isGone(kind) && kind === said.kindOf(index - 1) && areOfOneCause(index - 1, index)) together.push(index);
  }
  return together;
}

/** The same transcript with facts that throw if they are changed. */
export function frozenSource(source: TranscriptSource): TranscriptSource {
  const frozen = new Set<number>();
  return {
    length: source.length,
    summary: source.summary,
    compactions: () => source.compactions(),
    summaries: () => source.summaries(),
    text: (index) => source.text(index),
    facts(index) {
      const facts = source.facts(index);
      if (!frozen.has(index)) {
        for (const part of facts.parts) Object.freeze(Object.freeze(part).path);
        Object.freeze(Object.freeze(facts).parts);
        frozen.add(index);
      }
      return facts;
    },
  };
}

/** At most `limit` of the values, evenly spread, the first and the last always among them. */
export function sampled<T>(values: readonly T[], limit: number): readonly T[] {
  if (values.length <= limit) return values;
  const step = (values.length - 1) / (limit - 1);
  return Array.from({ length: limit }, (_, i) => values[Math.round(i * step)]!);
}
