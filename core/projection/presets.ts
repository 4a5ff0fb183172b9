// browser-safe
// The presets, as data. A preset is one spec, the same in the app, on the command line and in every table.
import type { ProjectionSpec, StageSpec } from './types.ts';
import { VENDOR_PRESETS } from './vendorPresets.ts';

/** A spec with a name to choose it by. */
export interface Preset {
  readonly name: string;
  readonly title: string;
  /** One sentence: what it does, and when it helps. */
  readonly help: string;
  /** Whose rules they are: a heading for lists. */
  readonly group?: PresetGroup;
  readonly spec: ProjectionSpec;
}

/** A family of stages, or the vendor whose documentation states the rules. */
export type PresetGroup =
  | 'harn'
  | 'reducers'
  | 'context'
  | 'Anthropic'
  | 'LangChain'
  | 'Vercel AI SDK'
  | 'OpenAI'
  | 'pi'
  | 'Google ADK'
  | 'inspect_ai'
  | 'hygiene';

/** What the runtime kept of the history at each call point: the stage alone, its options at their defaults. */
export const KEPT_HISTORY: ProjectionSpec = { version: 1, stages: [{ kind: 'recorded_compaction' }] };

/** Takes all thinking out: no block is left that a provider could refuse. */
export const WITHOUT_THINKING: StageSpec = {
  kind: 'vercel_prune_messages',
  options: { reasoning: 'all', empty_messages: 'keep' },
};

/** The presets, from doing nothing to doing much. Data: add one here and it is offered everywhere. */
export const PRESETS: readonly Preset[] = [
  {
    name: 'raw',
    title: 'Raw',
    help: 'Everything as it happened: what the others are compared with.',
    spec: { version: 1, name: 'raw', stages: [] },
  },
  {
    name: 'as_recorded',
    title: 'As recorded',
    help: 'What the runtime really kept after its own compactions: the default where the transcript records any.',
    spec: { version: 1, name: 'as_recorded', stages: [{ kind: 'recorded_compaction' }] },
  },
  {
    name: 'as_projected',
    title: 'As projected',
    help: 'What the runtime really sent under its own projections: the default where the transcript records any.',
    spec: { version: 1, name: 'as_projected', stages: [{ kind: 'recorded_projection' }] },
  },
  {
    name: 'clean_tool_repair',
    title: 'Clean tool repair',
    help: 'Hides failed calls whose tool succeeded later.',
    group: 'harn',
    spec: { version: 1, name: 'clean_tool_repair', stages: [{ kind: 'clean_tool_repair' }] },
  },
  {
    name: 'squash_failed_calls',
    title: 'Squash failed calls',
    help: 'Hides turns in which every call failed and nothing was said.',
    group: 'harn',
    spec: { version: 1, name: 'squash_failed_calls', stages: [{ kind: 'squash_failed_calls' }] },
  },
  {
    name: 'reachability_gc',
    title: 'Reachability GC',
    help: 'Puts a pointer in place of old tool results that nothing recent refers to.',
    group: 'harn',
    spec: { version: 1, name: 'reachability_gc', stages: [{ kind: 'reachability_gc' }] },
  },
  {
    name: 'clean_then_reclaim',
    title: 'Clean, then reclaim',
    help: 'Hides repaired failures first, then reclaims results that nothing recent refers to.',
    group: 'harn',
    spec: {
      version: 1,
      name: 'clean_then_reclaim',
      stages: [{ kind: 'clean_tool_repair' }, { kind: 'reachability_gc' }],
    },
  },
  {
    name: 'summary_prefix_12',
    title: 'Summary + last 12',
    help: 'A summary in place of all but the last twelve messages.',
    group: 'harn',
    spec: {
      version: 1,
      name: 'summary_prefix_12',
      stages: [{ kind: 'summary_prefix', options: { keep_last: 12 } }],
    },
  },
  {
    name: 'retention',
    title: 'Tool-result retention',
    help: 'Tool results expire after six turns; the calls stay.',
    group: 'reducers',
    spec: { version: 1, name: 'retention', stages: [{ kind: 'tool_result_retention' }] },
  },
  {
    name: 'retention_chunked',
    title: 'Retention, every 5 turns',
    help: 'The same rule applied every fifth turn only: the provider’s cache survives in between.',
    group: 'reducers',
    spec: {
      version: 1,
      name: 'retention_chunked',
      stages: [{ kind: 'tool_result_retention', options: { every: 5 } }],
    },
  },
  {
    name: 'window_40',
    title: 'Last 40 turns',
    help: 'What comes before the first turn, and the last forty turns.',
    group: 'reducers',
    spec: { version: 1, name: 'window_40', stages: [{ kind: 'sliding_window' }] },
  },
  {
    name: 'reducer_pipeline',
    title: 'Reducer pipeline',
    help: 'Cheapest first: results expire, tiers are cut to their caps, old turns are dropped, and only if that is still over budget does a summary replace the rest.',
    group: 'reducers',
    spec: {
      version: 1,
      name: 'reducer_pipeline',
      stages: [
        { kind: 'tool_result_retention' },
        { kind: 'tier_caps' },
        { kind: 'sliding_window' },
        { kind: 'summary' },
      ],
    },
  },
  {
    name: 'all_steps',
    title: 'All steps',
    help: 'Every step in the stated order: repaired failures, what nothing refers to, old results, what is over a cap, old turns, a summary if need be, then what the provider asks for.',
    group: 'reducers',
    spec: {
      version: 1,
      name: 'all_steps',
      stages: [
        { kind: 'clean_tool_repair' },
        { kind: 'reachability_gc' },
        { kind: 'tool_result_retention' },
        { kind: 'tier_caps' },
        { kind: 'sliding_window' },
        { kind: 'summary' },
        { kind: 'hygiene' },
      ],
    },
  },
  {
    name: 'context_default',
    title: 'Context policy',
    help: 'Jido’s context policy with its defaults: 8,000 tokens, 2,000 of them for the answer, the last 3 turns always.',
    group: 'context',
    spec: { version: 1, name: 'context_default', stages: [{ kind: 'context_policy' }] },
  },
  {
    name: 'short_context',
    title: 'Short context',
    help: 'Jido’s policy for small windows: 6,000 tokens, the last 2 turns always.',
    group: 'context',
    spec: {
      version: 1,
      name: 'short_context',
      stages: [{ kind: 'context_policy', options: { max_input_tokens: 6000, keep_last_turns: 2 } }],
    },
  },
  {
    name: 'long_context',
    title: 'Long context',
    help: 'Jido’s policy for large windows: 100,000 tokens, the last 10 turns always.',
    group: 'context',
    spec: {
      version: 1,
      name: 'long_context',
      stages: [{ kind: 'context_policy', options: { max_input_tokens: 100_000, keep_last_turns: 10 } }],
    },
  },
  {
    name: 'tool_focused',
    title: 'Tool focused',
    help: 'Jido’s policy for work with many tools: the last 5 turns always, no summaries.',
    group: 'context',
    spec: {
      version: 1,
      name: 'tool_focused',
      stages: [
        {
          kind: 'context_policy',
          options: {
            keep_last_turns: 5,
            include_kinds: ['message', 'tool_call', 'tool_result'],
            summarization: 'none',
          },
        },
      ],
    },
  },
  {
    name: 'context_for_model',
    title: 'Context for the model',
    help: 'Jido’s policy with the context window of the transcript’s model, or of any model named in its options.',
    group: 'context',
    spec: {
      version: 1,
      name: 'context_for_model',
      stages: [{ kind: 'context_policy', options: { model: 'auto' } }],
    },
  },
  ...VENDOR_PRESETS,
  {
    name: 'provider_hygiene',
    title: 'Provider hygiene',
    help: 'Repairs the history as its provider asks for it: pairs, ids, order of turns, empty content, images.',
    group: 'hygiene',
    spec: { version: 1, name: 'provider_hygiene', stages: [{ kind: 'hygiene' }] },
  },
];

const RECORDED = 'recorded_compaction';
const PROJECTED = 'recorded_projection';

/**
 * The presets to offer for a transcript. Each is the same spec wherever it is named: on screen, on the command line, in
 * the table. With `after` those that act on what the runtime kept take their place, under names that say so. Where no
 * compactions are recorded, `as_recorded` would do nothing, and neither is offered; `as_projected` likewise where no
 * projections are.
 */
export function presetsFor<P extends Pick<Preset, 'name' | 'title' | 'spec'>>(
  presets: readonly P[],
  hasCompactions: boolean,
  after = false,
  hasProjections = false,
): readonly P[] {
  const offered = hasProjections ? presets : presets.filter(({ spec }) => !holds(spec, PROJECTED));
  if (!hasCompactions) return offered.filter(({ spec }) => !beginsRecorded(spec));
  return after ? offered.map(afterRecorded) : offered;
}

/** The preset on what the runtime kept, under a separate name. `raw`, `as_recorded` and `as_projected` are what they are. */
export function afterRecorded<P extends Pick<Preset, 'name' | 'title' | 'spec'>>(preset: P): P {
  const { name, title, spec } = preset;
  if (name === 'raw' || beginsRecorded(spec) || holds(spec, PROJECTED)) return preset;
  const named = `${name}${AFTER_NAME}`;
  const stages = [{ kind: RECORDED }, ...spec.stages];
  return { ...preset, name: named, title: `${title}${AFTER_TITLE}`, spec: { ...spec, name: named, stages } };
}

const AFTER_NAME = '_after_recorded';
const AFTER_TITLE = ', after recorded compaction';

/** A preset's title in two: `Reducer pipeline`, `after recorded compaction` (empty for a plain one). */
export function titleParts(title: string): readonly [title: string, after: string] {
  return title.endsWith(AFTER_TITLE) ? [title.slice(0, -AFTER_TITLE.length), AFTER_TITLE.slice(2)] : [title, ''];
}

/** Every preset there is, each plain and after recorded compaction: what a name may mean. */
export function allPresets<P extends Pick<Preset, 'name' | 'title' | 'spec'>>(presets: readonly P[]): readonly P[] {
  const variants = presets.map(afterRecorded).filter((variant, at) => variant !== presets[at]);
  return [...presets, ...variants];
}

/** A preset by its name, plain or after recorded compaction. */
export function presetNamed(name: string): Preset | null {
  return allPresets(PRESETS).find((each) => each.name === name) ?? null;
}

/** The spec that nobody chose: as projected where projections are recorded, as recorded where compactions are, else raw. */
export function defaultSpec(hasCompactions: boolean, hasProjections = false): ProjectionSpec {
  const name = hasProjections ? 'as_projected' : hasCompactions ? 'as_recorded' : 'raw';
  return PRESETS.find((preset) => preset.name === name)?.spec ?? { version: 1, stages: [] };
}

function beginsRecorded(spec: ProjectionSpec): boolean {
  return holds(spec, RECORDED);
}

function holds({ stages }: ProjectionSpec, wanted: string): boolean {
  return stages.some(({ kind }) => kind === wanted);
}
