import { amount } from '../../view/amount.ts';
import { keptBecause } from '../../view/fates.ts';
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import type { ParamSchema, StageDefinition } from '../../view/types.ts';
import { policyReport } from './decision.ts';
import { GcRun } from './gcRun.ts';
import { KeepsAll } from './keepsAll.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from './options.ts';
import { ROOT_PARAMS, type RootText, readRootTexts, rootLabels } from './roots.ts';

const POLICY = { kind: 'reachability_gc', title: 'Reachability GC' };

const ROOT_WINDOW: ParamSchema = {
  name: 'root_window',
  label: 'Messages that refer',
  aliases: ['recent_messages', 'keep_last'],
  ...amount('messages', 8, { to: 64 }),
  help: 'How many messages at the end are roots: what they name stays. Larger keeps more.',
};

const MIN_CHARS: ParamSchema = {
  name: 'min_chars',
  label: 'Shortest result to reclaim',
  aliases: ['min_reclaim_chars', 'tool_result_min_chars'],
  ...amount('characters', 500, { to: 10_000 }),
  help: 'The shortest tool result worth reclaiming. Larger keeps more.',
};

const REQUIRE_BARRIER: ParamSchema = {
  name: 'require_write_barrier',
  label: 'Only with a write barrier',
  aliases: ['require_barrier'],
  type: 'boolean',
  default: false,
  relax: { values: [true] },
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
  traits: { leavesMost: true, readsAhead: 'results', clientTakes: 'results' },
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
  incremental: (params, context) =>
    lacksBarrier(params) ? withoutBarrier(params, context) : new GcRun(params, context),
};

function lacksBarrier({ requireWriteBarrier, rootTexts }: ReachabilityGcParams): boolean {
  return requireWriteBarrier && !rootTexts.some((text) => text.isBarrier);
}

// Without its barrier it does nothing at any call point.
function withoutBarrier(params: ReachabilityGcParams, { stage }: IncrementalContext): IncrementalRun {
  const { rootWindow, rootTexts, requireWriteBarrier } = params;
  const why = 'kept: no write barrier was given, without which nothing is reclaimed (require_write_barrier)';
  return new KeepsAll(keptBecause(stage, 'write_barrier_missing', why), (done, messages) =>
    policyReport(done, params, {
      reason: 'reachability_gc_write_barrier_missing',
      summary: 'nothing done: no write barrier was given',
      roots: rootLabels(rootWindow, messages, rootTexts, requireWriteBarrier),
    }),
  );
}
