import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { IncrementalRun } from '../../view/incremental.ts';
import type { ParamSchema, StageContext, StageDefinition, View } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { conclude, type Decision, nothingToDo, unchanged } from './decision.ts';
import { GcRun } from './gcRun.ts';
import { LiveGc } from './liveGc.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from './options.ts';
import { ROOT_PARAMS, type RootText, readRootTexts, rootLabels } from './roots.ts';

const POLICY = { kind: 'reachability_gc', title: 'Reachability GC' };

const ROOT_WINDOW: ParamSchema = {
  name: 'root_window',
  label: 'Messages that refer',
  aliases: ['recent_messages', 'keep_last'],
  type: 'integer',
  default: 8,
  min: 0,
  softMax: 64,
  unit: 'messages',
  help: 'How many messages at the end are roots: what they name stays. Larger keeps more.',
};

const MIN_CHARS: ParamSchema = {
  name: 'min_chars',
  label: 'Shortest result to reclaim',
  aliases: ['min_reclaim_chars', 'tool_result_min_chars'],
  type: 'integer',
  default: 500,
  min: 0,
  softMax: 10_000,
  unit: 'characters',
  help: 'The shortest tool result worth reclaiming. Larger keeps more.',
};

const REQUIRE_BARRIER: ParamSchema = {
  name: 'require_write_barrier',
  label: 'Only with a write barrier',
  aliases: ['require_barrier'],
  type: 'boolean',
  default: false,
  help: 'Reclaim only if a write barrier is given, that is after working memory was written down.',
};

/** Parameters of reachability_gc. Counts of messages and of Unicode scalars. */
export interface ReachabilityGcParams extends HarnParams {
  readonly rootWindow: number;
  readonly minChars: number;
  readonly requireWriteBarrier: boolean;
  readonly rootTexts: readonly RootText[];
}

/**
 * Replaces old tool results that nothing recent refers to by pointers into the transcript; no message goes. Explains
 * each result it kept or reclaimed. Source: spec of the projection, "reachability_gc".
 */
export const reachabilityGc: StageDefinition<ReachabilityGcParams> = {
  ...POLICY,
  aliases: ['context_gc', 'tool_result_gc'],
  family: 'harn',
  help: 'Replaces the bodies of old tool results by pointers, unless an identifier of theirs (a path, a symbol, an id …) is named in the last messages or in the texts given here. Error results stay.',
  params: [ROOT_WINDOW, MIN_CHARS, REQUIRE_BARRIER, ...ROOT_PARAMS, ...COMMON_PARAMS],
  parse: (options) =>
    parseWith(options, (reader) => ({
      ...readCommon(reader),
      rootWindow: reader.count(ROOT_WINDOW),
      minChars: reader.count(MIN_CHARS),
      requireWriteBarrier: reader.flag(REQUIRE_BARRIER),
      rootTexts: readRootTexts(reader),
    })),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    return conclude(POLICY, view, params, context, decide(view, params, context));
  },
  incremental: (params, context) => (lacksBarrier(params) ? NOTHING : new LiveGc(params, context)),
};

// Without its barrier it does nothing at any call point.
const NOTHING: IncrementalRun = { step: () => {}, fateOf: () => null };

function lacksBarrier({ requireWriteBarrier, rootTexts }: ReachabilityGcParams): boolean {
  return requireWriteBarrier && !rootTexts.some((text) => text.isBarrier);
}

function decide(view: View, params: ReachabilityGcParams, context: StageContext): Decision {
  const { rootWindow, rootTexts, requireWriteBarrier } = params;
  const roots = rootLabels(rootWindow, view.items.length, rootTexts, requireWriteBarrier);
  if (lacksBarrier(params)) {
    const reason = 'kept: no write barrier was given, without which nothing is reclaimed (require_write_barrier)';
    const kept = keptBecause(context.stage, 'write_barrier_missing', reason);
    const summary = 'nothing done: no write barrier was given';
    return unchanged('reachability_gc_write_barrier_missing', summary, () => kept, roots);
  }
  const run = new GcRun(view, params, context);
  const { items, fates, reclaimedChars, reclaimed, unsaved } = run.project();
  const longer = unsaved === 0 ? '' : ` · ${grouped(unsaved)} saved nothing`;
  const summary =
    reclaimed === 0
      ? nothingToDo(view.items.length)
      : `${countOf(reclaimed, 'result')} reclaimed · −${grouped(Math.floor(reclaimedChars / 4))} tok${longer}`;
  const kept = keptBecause(context.stage, NOT_CONCERNED, 'kept: it holds no tool result; only results are reclaimed');
  return { items, fates, explain: () => kept, reason: POLICY.kind, summary, reclaimedChars, roots };
}
