// A recorded projection's policy, run again with the options that the event gives.
import { oneStep } from '../../view/oneStep.ts';
import type { RecordedProjection } from '../../view/recordedProjection.ts';
import type { StageContext, StageDefinition, StageRun, View } from '../../view/types.ts';
import { cleanToolRepair } from './cleanToolRepair.ts';
import { raw } from './raw.ts';
import { reachabilityGc } from './reachabilityGc.ts';
import { squashFailedCalls } from './squashFailedCalls.ts';
import { summaryPrefix } from './summaryPrefix.ts';

type Options = Readonly<Record<string, unknown>>;
/** Runs a policy with these options; null if it does not take them. */
type RunPolicy = (options: Options, view: View, context: StageContext) => StageRun | null;

const POLICIES: ReadonlyMap<string, RunPolicy> = new Map([
  ...named(raw),
  ...named(cleanToolRepair),
  ...named(squashFailedCalls),
  ...named(summaryPrefix),
  ...named(reachabilityGc),
]);

function named<P>(definition: StageDefinition<P>): (readonly [string, RunPolicy])[] {
  const run: RunPolicy = (options, view, context) => {
    const { params } = definition.parse(options);
    return params === null ? null : oneStep(definition.incremental(params, context), definition, view, context);
  };
  return [definition.kind, ...definition.aliases].map((name) => [name, run] as const);
}

/** The runs that may have made the recorded projection of the first `at` messages: an event does not give every option. */
export function recordedRuns(recorded: RecordedProjection, at: number, view: View, context: StageContext): StageRun[] {
  const policy = POLICIES.get(recorded.policy);
  if (policy === undefined) return [];
  return optionsOf(recorded, at).flatMap((options) => {
    const run = policy(options, view, context);
    return run === null ? [] : [run];
  });
}

// A summary is not recorded, and a transcript may have got its own only later.
function optionsOf(recorded: RecordedProjection, at: number): readonly Options[] {
  const options = asRecorded(recorded);
  if (recorded.policy !== summaryPrefix.kind) return [options];
  const keepLast = recorded.summaryKeepLast ?? recorded.keptIndices?.length ?? 0;
  const guessed = { ...options, keep_last: keepLast };
  return [guessed, { ...guessed, summary: `[${at - keepLast} earlier messages summarized]` }];
}

function asRecorded(recorded: RecordedProjection): Options {
  const window = recorded.rootsConsulted.map((label) => /^last_(\d+)_messages$/.exec(label)?.[1]).find(Boolean);
  return {
    respect_provider_signatures: recorded.respectsProviderSignatures,
    ...(window !== undefined && { root_window: Number(window) }),
    ...(recorded.rootsConsulted.includes('write_barrier_required') && { require_write_barrier: true }),
  };
}
