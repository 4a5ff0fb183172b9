import type { MessageFacts } from '../model/message.ts';
import type { Projection } from '../projection/types.ts';
import type { Fate } from '../view/types.ts';
import type { AlignedPart } from './alignParts.ts';
import type { TraceLoss, TracePoint } from './types.ts';

/** Whether the model sees something at one call point, and if not, the loss (without its turn). */
export interface Observation {
  readonly state: TracePoint['state'];
  readonly loss: Omit<TraceLoss, 'turn'> | null;
}

/** The edited message at a call point: its facts, its text for people, and how the raw parts lie in it. */
export interface SeenMessage {
  readonly facts: MessageFacts;
  readonly aligned: readonly AlignedPart[];
  /** Readable text of a part, null = of the whole message. */
  text(part: number | null): string;
}

/** What is to be found out at a call point: `part` null = the whole message. */
export interface Subject {
  readonly index: number;
  readonly part: number | null;
}

const REPLACED_CHARS = 2000;

/**
 * Visibility of a message or part in a projection. `edited` = the message as it stands in the view, null if it is
 * untouched there or absent; `present` = it stands in the view; `standIn` = text of the synthetic message covering it.
 */
export function observe(
  projection: Projection,
  subject: Subject,
  found: { readonly present: boolean; readonly edited: SeenMessage | null; readonly standIn: string | null },
): Observation {
  const { index, part } = subject;
  const fate = projection.fates[index];
  if (index >= projection.at || !fate) return { state: 'not_yet', loss: null };
  const own = part === null ? null : (found.edited?.aligned[part] ?? null);
  const state = stateOf(found.present, found.edited, part, own);
  if (state === 'visible') return { state, loss: null };
  const shown = state === 'changed' && found.edited ? found.edited.text(own?.projected ?? null) : found.standIn;
  return { state, loss: lossOf(projection, fate, own, shown) };
}

/** How the model sees a message or part. `edited` = the message as it stands in the view, null if as it was. */
export function stateIn(present: boolean, edited: SeenMessage | null, part: number | null): TracePoint['state'] {
  return stateOf(present, edited, part, part === null ? null : (edited?.aligned[part] ?? null));
}

function stateOf(present: boolean, edited: SeenMessage | null, part: number | null, own: AlignedPart | null) {
  if (!present) return 'absent';
  if (!edited) return 'visible';
  if (part === null) return 'changed';
  if (!own || own.projected === null) return 'absent';
  return own.kind === 'kept' ? 'visible' : 'changed';
}

function lossOf(projection: Projection, fate: Fate, own: AlignedPart | null, shown: string | null) {
  return {
    at: projection.at,
    fate: own?.kind ?? fate.kind,
    stage: fate.stage,
    stageTitle: fate.stage === null ? null : (projection.reports[fate.stage]?.title ?? null),
    rule: fate.rule,
    reason: own?.reason || fate.reason,
    replacedBy: shown === null ? null : shown.slice(0, REPLACED_CHARS),
  };
}
