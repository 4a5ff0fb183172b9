// browser-safe
// The order of stages: recorded compaction → projection policies → reducers → pin → injection → hygiene.
// A spec may break it; then a problem says where and why. Nothing is refused and nothing is moved.
import type { Problem } from '../model/problem.ts';
import type { StageTraits } from '../view/stageTraits.ts';

/** What the rules need of a stage: its place is that in the list. Stages that are off break no rule. */
export interface OrderedStage {
  readonly kind: string;
  readonly family: string;
  readonly title: string;
  readonly enabled: boolean;
  readonly traits: StageTraits;
}

/** The six steps, in order. Context policies and vendors' own editing reduce a history, as reducers do. */
export const ORDER = ['recorded', 'policy', 'reducer', 'pin', 'injection', 'hygiene'] as const;

/** A step of the stated order. */
export type OrderStep = (typeof ORDER)[number];

const STEP_OF_FAMILY: Readonly<Record<string, OrderStep>> = {
  recorded: 'recorded',
  harn: 'policy',
  reducers: 'reducer',
  context: 'reducer',
  vendors: 'reducer',
  pin: 'pin',
  hygiene: 'hygiene',
};

/** The step a stage belongs to; null = it may stand anywhere (it does nothing, or is not known). */
export function stepOf({ family, traits }: Pick<OrderedStage, 'family' | 'traits'>): OrderStep | null {
  if (traits.step !== undefined) return traits.step;
  return Object.hasOwn(STEP_OF_FAMILY, family) ? (STEP_OF_FAMILY[family] ?? null) : null;
}

// Why a stage must not be behind one of a later step; `late` is the one behind.
const WHY: Readonly<Record<OrderStep, string>> = {
  recorded: 'it brings back what the runtime kept of the history as it was, not of what the earlier stage has left',
  policy: 'it looks for what the history refers to, and finds only what the earlier stage has left of it',
  reducer: 'what was injected then counts as history, and may be cut off again',
  pin: 'it may put back the user message that the entries belong next to',
  injection: 'what it puts in is not checked or repaired any more',
  hygiene: '',
};

const AFTER_PIN = 'it may take away again what is pinned';

const AFTER_HYGIENE = 'what it changes is not repaired any more, and a provider may refuse the request';

/**
 * What of the stated order a list of stages breaks: one problem a stage, `where.path` = `stages[i]`. Codes: `spec.order`
 * (is behind a later step), `spec.after_hygiene`, `spec.recorded_twice`, `spec.raw_among_others`, `spec.edit_order`, `spec.dear_before_cheap`.
 */
export function orderWarnings(stages: readonly OrderedStage[]): readonly Problem[] {
  const placed = stages.flatMap((stage, at) => (stage.enabled ? [{ ...stage, at, step: stepOf(stage) }] : []));
  return placed.flatMap((stage) => {
    if (stage.traits.gives === 'input') return placed.length > 1 ? [rawAmongOthers(stage)] : [];
    const twice = placed.find((other) => other.at < stage.at && other.step === 'recorded');
    if (stage.step === 'recorded' && twice) return [recordedTwice(stage, twice)];
    const earlier = placed.find((other) => other.at < stage.at && rankOf(other) > rankOf(stage));
    if (earlier) return [outOfOrder(stage, earlier)];
    // Anthropic takes its two edits in one order only. Source: platform.claude.com, Context editing (September 2026).
    const edit = placed.find(({ at, traits }) => at < stage.at && traits.edit && traits.edit.isFirst !== true);
    if (edit && stage.traits.edit?.isFirst === true) return [editOrder(stage, edit)];
    const cost = dearnessOf(stage);
    const dearer = placed.find((other) => other.at < stage.at && dearnessOf(other) > cost);
    return dearer ? [dearBeforeCheap(stage, dearer)] : [];
  });
}

type Placed = OrderedStage & { readonly at: number; readonly step: OrderStep | null };

// Cheapest first: without loss by a rule, by recency, by a summary that costs a call. Source: seed of the reducers.
function dearnessOf({ traits: { dearness } }: Placed): number {
  return dearness?.isStated === true ? dearness.rank : Number.NaN;
}

function rankOf({ step }: Placed): number {
  return step === null ? Number.NaN : ORDER.indexOf(step);
}

function outOfOrder(stage: Placed, earlier: Placed): Problem {
  const isAfterHygiene = earlier.step === 'hygiene';
  const isAfterPin = earlier.step === 'pin' && stage.step !== 'recorded';
  const why = isAfterHygiene ? AFTER_HYGIENE : isAfterPin ? AFTER_PIN : WHY[stage.step ?? 'hygiene'];
  const text = `${named(stage)} comes after ${named(earlier)}: ${why}.`;
  return problem(stage, isAfterHygiene ? 'spec.after_hygiene' : 'spec.order', text);
}

function recordedTwice(stage: Placed, earlier: Placed): Problem {
  const text = `${named(stage)} is there already as ${named(earlier)}: compactions are applied once.`;
  return problem(stage, 'spec.recorded_twice', text);
}

function editOrder(stage: Placed, earlier: Placed): Problem {
  const text = `${named(stage)} comes after ${named(earlier)}: the API takes the clearing of thinking as its first edit alone.`;
  return problem(stage, 'spec.edit_order', text);
}

function dearBeforeCheap(stage: Placed, earlier: Placed): Problem {
  const text = `${named(stage)} comes after ${named(earlier)}, which loses more: what the cheaper one would have spared is gone by then.`;
  return problem(stage, 'spec.dear_before_cheap', text);
}

function rawAmongOthers(stage: Placed): Problem {
  return problem(stage, 'spec.raw_among_others', `${named(stage)} does nothing among other stages: they decide.`);
}

function named({ title, at }: Placed): string {
  return `${title} (stage ${at + 1})`;
}

function problem({ at }: Placed, code: string, text: string): Problem {
  return { code, severity: 'warning', text, where: { path: `stages[${at}]` } };
}
