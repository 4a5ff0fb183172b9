// Random cases of hygiene: broken histories of all shapes, under all profiles and options, behind stages that change what
// came before.
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { PROFILE_NAMES, RULE_NAMES, type RuleName } from '../../core/stages/hygiene/index.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { PAUSE, type StageAnswer, type StageEffect } from '../../core/view/types.ts';
import { brokenHistory, HISTORY_SHAPES, type HistoryShape } from './brokenHistory.ts';
import { randomCompactions } from './randomCompactions.ts';

/** A history, and a spec that ends with hygiene. */
export interface HygieneCase {
  /** Goes on where the case was made. */
  readonly rng: Rng;
  readonly source: TranscriptSource;
  readonly spec: { readonly version: 1; readonly stages: readonly unknown[] };
  readonly replay: string;
}

/** One image can be made smaller, another cannot. */
export function imageHost(effect: StageEffect): StageAnswer {
  if (effect.effect === 'pause') return PAUSE;
  if (effect.effect !== 'resize_image') throw new Error('there is no sandbox here');
  if (effect.data === 'QUJD') return { effect: 'resize_image', ok: true, data: 'QUJG', mime: 'image/jpeg' };
  return { effect: 'resize_image', ok: false, code: 'failed', message: 'no image' };
}

/** Stages that take away, edit and put in what hygiene is given. */
const BEFORE: readonly ((rng: Rng) => readonly unknown[])[] = [
  () => [],
  () => [],
  () => ['clean_tool_repair', 'squash_failed_calls'],
  (rng) => [{ kind: 'reachability_gc', options: { root_window: rng.below(4), min_chars: 0 } }],
  (rng) => [{ kind: 'tool_result_retention', options: { keep_last: rng.below(4) } }],
  (rng) => [{ kind: 'sliding_window', options: { max_turns: 1 + rng.below(5) } }],
  (rng) => [{ kind: 'tier_caps', options: { chunk: 1 + rng.below(4) } }],
  (rng) => [{ kind: 'summary', options: { keep_turns: 1 + rng.below(3) } }],
  (rng) => [{ kind: 'summary_prefix', options: { keep_last: 1 + rng.below(9) } }],
  () => ['recorded_compaction'],
  () => ['anthropic_clear_thinking'],
];

function randomOptions(rng: Rng): Record<string, unknown> {
  const some = () => RULE_NAMES.filter(() => rng.chance(0.15));
  return {
    profile: rng.pick(['auto', ...PROFILE_NAMES]),
    make_valid: rng.chance(0.7),
    keep_native_ids: rng.chance(0.5),
    ...(rng.chance(0.3) && { history_limit: 1 + rng.below(4) }),
    ...(rng.chance(0.3) && { on: some() }),
    ...(rng.chance(0.2) && { off: some() }),
    ...(rng.chance(0.1) && { only: some() }),
    ...(rng.chance(0.1) && { allowed_tools: ['read0', 'read1'] }),
  };
}

/** Rules that few random cases ask for, and the history in which they have something to do. */
const AIMED: readonly Aim[] = [
  { rule: 'normalize_content' },
  { rule: 'drop_old_thinking' },
  { rule: 'unsigned_thinking', shape: 'anthropic' },
  {
    rule: 'switched_reasoning',
    shape: 'responses',
    options: { profile: 'auto', provider: 'openai', model: 'another' },
  },
  { rule: 'switched_reasoning', shape: 'responses', options: { profile: 'openai-responses' } },
  { rule: 'orphan_reasoning', shape: 'responses' },
  { rule: 'function_call_pairs', shape: 'responses', fewIds: true, options: { profile: 'openai-responses' } },
  { rule: 'google_bootstrap', options: { profile: 'google' } },
  { rule: 'results_first', shape: 'anthropic', options: { profile: 'anthropic' } },
];

interface Aim {
  readonly rule: RuleName;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly shape?: HistoryShape;
  readonly fewIds?: boolean;
}

/** A case by its seed: the same seed gives the same. `isAimed` = one of the rules that random cases seldom ask for acts. */
export function hygieneCase(seed: number, isAimed = false): HygieneCase {
  const rng = seededRng(seed);
  const aim = isAimed ? rng.pick(AIMED) : null;
  const shape = aim?.shape ?? rng.pick(HISTORY_SHAPES);
  const fewIds = rng.chance(0.4) || aim?.fewIds === true;
  const made = {
    shape,
    length: (aim === null ? 4 : 20) + rng.below(30),
    damage: rng.pick([0, 0.3, 1, 3]),
    fewIds,
    providers: rng.chance(aim === null ? 0.3 : 0.9),
  };
  const texts = brokenHistory(rng, made).map((message) => JSON.stringify(message));
  const source = memorySource(texts, null, rng.chance(0.3) ? randomCompactions(rng, texts) : []);
  const aimed = aim && { on: [aim.rule], off: [], only: [], ...aim.options };
  const spec = {
    version: 1 as const,
    stages: [...rng.pick(BEFORE)(rng), { kind: 'hygiene', options: { ...randomOptions(rng), ...aimed } }],
  };
  return { rng, source, spec, replay: `seed ${seed} ${JSON.stringify(made)} ${JSON.stringify(spec)}` };
}
