// Every sentence of every stage of a projection, checked again by other means.
import type { TranscriptSource } from '../../../core/model/transcript.ts';
import type { ResolvedStage } from '../../../core/projection/parseSpec.ts';
import { project, type StageStep } from '../../../core/projection/project.ts';
import type { Budget } from '../../../core/tokens/budget.ts';
import { UNTOUCHED } from '../../../core/view/fates.ts';
import type { Fate, StageReport } from '../../../core/view/types.ts';
import { explanationFault } from '../explained.ts';
import { stagesOf } from '../projecting.ts';
import { type Claim, Given, type StageSaid } from './given.ts';
import { HYGIENE } from './hygiene.ts';
import { GC, PIN, PREFIX, RECORDED, REPAIR, SQUASH } from './others.ts';
import { quarterTokens } from './quarterTokens.ts';
import { CAPS, RETENTION, SUMMARY, WINDOW } from './reducers.ts';
import { COMMON, REST } from './rest.ts';
import {
  ADK,
  CLEAR_THINKING,
  CLEAR_USES,
  COMPACTION,
  INSPECT,
  LANGCHAIN_CLEAR,
  PRUNE,
  TRIM,
  TRUNCATION,
} from './vendors.ts';

/** By kind of stage. */
export const CLAIMS: Readonly<Record<string, readonly Claim[]>> = {
  sliding_window: WINDOW,
  tier_caps: CAPS,
  tool_result_retention: RETENTION,
  summary: SUMMARY,
  clean_tool_repair: REPAIR,
  squash_failed_calls: SQUASH,
  reachability_gc: GC,
  summary_prefix: PREFIX,
  pin: PIN,
  anthropic_clear_tool_uses: CLEAR_USES,
  anthropic_clear_thinking: CLEAR_THINKING,
  langchain_clear_tool_uses: LANGCHAIN_CLEAR,
  langchain_trim_messages: TRIM,
  openai_truncation: TRUNCATION,
  inspect_edit: [...INSPECT, ...COMPACTION],
  inspect_trim: [...INSPECT, ...COMPACTION],
  anthropic_compaction: COMPACTION,
  openai_compaction: COMPACTION,
  pi_compaction: COMPACTION,
  adk_compaction: ADK,
  vercel_prune_messages: PRUNE,
  recorded_compaction: RECORDED,
  hygiene: HYGIENE,
  // What follows what a recorded projection says is said by the policy that it followed.
  recorded_projection: [...REPAIR, ...SQUASH, ...GC, ...(REST.reachability_gc ?? []), ...PREFIX],
  raw: [],
  injection: [],
  custom: [],
};

/** What was tried: how often each kind of sentence was said, and what is not so. */
export interface Tried {
  readonly counts: Map<string, number>;
  readonly wrong: Map<string, number>;
  readonly faults: string[];
  readonly unknown: Map<string, number>;
}

export function nothingTried(): Tried {
  return { counts: new Map(), wrong: new Map(), faults: [], unknown: new Map() };
}

interface Subject {
  readonly source: TranscriptSource;
  readonly spec: { readonly stages: readonly { readonly kind: string; readonly options?: unknown }[] };
  readonly at: number;
  readonly budget: Budget | null;
}

/** Projects, and checks every sentence of every stage. */
export function trySentences(subject: Subject, tried: Tried, name: string): void {
  const { source, at, budget } = subject;
  const steps: StageStep[] = [];
  const stages = stagesOf(subject.spec);
  project(source, stages, at, { budget, tokens: quarterTokens(source), observe: (step) => void steps.push(step) });
  for (const [nth, step] of steps.entries()) {
    if (nth >= stages.length) continue;
    const said = saidBy(step, subject, subject.spec.stages[nth]?.options as StageSaid['options'], budget);
    const given = new Given(said);
    const seen = new Set<Fate>();
    for (const [index, fate] of said.fates) {
      const isShared = seen.has(fate);
      seen.add(fate);
      // A sentence that many messages share is true of each: of the first ones all are tried, then some.
      if (isShared && index % 5 !== 0) continue;
      const unexplained = isShared || fate === UNTOUCHED ? null : explanationFault(stages, fate, true);
      if (unexplained !== null) noteWrong(tried, `${step.stage.kind}: explained`, `${name}: #${index} ${unexplained}`);
      const sentences = new Set([fate.reason, ...(fate.parts ?? []).map(({ reason }) => reason)]);
      for (const sentence of [...sentences].flatMap((one) => one.split('; then: ')))
        checkOne(sentence, given, index, step.stage, tried, name);
    }
  }
}

function checkOne(said: string, given: Given, index: number, stage: ResolvedStage, tried: Tried, name: string): void {
  let isKnown = false;
  for (const claim of [...(CLAIMS[stage.kind] ?? []), ...(REST[stage.kind] ?? []), ...COMMON]) {
    const match = claim.says.exec(said);
    if (match === null) continue;
    isKnown = true;
    const key = `${stage.kind}: ${claim.name}`;
    tried.counts.set(key, (tried.counts.get(key) ?? 0) + 1);
    const found = claim.check(match, given, index);
    if (found === true) continue;
    noteWrong(tried, key, `${name}: ${stage.kind} #${index} “${said}”: ${found}`);
  }
  if (!isKnown) {
    const key = `${stage.kind}: ${said.replace(/#?\d[\d,.]*/g, 'N').slice(0, 110)}`;
    tried.unknown.set(key, (tried.unknown.get(key) ?? 0) + 1);
  }
}

function noteWrong(tried: Tried, key: string, fault: string): void {
  const count = (tried.wrong.get(key) ?? 0) + 1;
  tried.wrong.set(key, count);
  if (count <= 2) tried.faults.push(fault);
}

function saidBy(step: StageStep, subject: Subject, options: StageSaid['options'], budget: Budget | null): StageSaid {
  const { stage, before, output } = step;
  const fates = new Map<number, Fate>();
  for (const [position, item] of before.items.entries()) {
    if (item.kind !== 'source') continue;
    fates.set(item.index, output.fates.get(item.index) ?? output.explain?.(position) ?? UNTOUCHED);
  }
  const { source, at, spec } = subject;
  return {
    ...{ source, at, stage, options: options ?? {}, budget, before, fates },
    after: output.view,
    report: output.report as StageReport,
    again(other, otherBudget = budget) {
      const stages = spec.stages.slice(0, stage.position + 1);
      const changed = { version: 1, stages: [...stages.slice(0, -1), { ...stages.at(-1), options: other }] };
      let last: StageStep | null = null;
      const observe = (one: StageStep) => {
        if (one.stage.position === stage.position) last = one;
      };
      project(source, stagesOf(changed), at, { budget: otherBudget, tokens: quarterTokens(source), observe });
      return last === null ? null : saidBy(last, { ...subject, spec: changed as Subject['spec'] }, other, otherBudget);
    },
  };
}
