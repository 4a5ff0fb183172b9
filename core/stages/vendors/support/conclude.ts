// What the vendors' stages say in the same words.
import type { ReportDetails, StageDone } from '../../../view/incremental.ts';
import type { Fate, StageContext } from '../../../view/types.ts';
import { countOf, grouped } from '../../../view/words.ts';

/** Why a stage does nothing at a call point, with the same reason for every message. */
export interface Idle {
  readonly rule: string;
  readonly reason: string;
  readonly problems?: ReportDetails['problems'];
}

/** The report of a stage that does nothing. */
export function idleReport({ reason, problems }: Idle): ReportDetails {
  return { summary: `nothing to do: ${reason}`, ...(problems !== undefined && { problems }) };
}

/** Why every message stays. */
export function idleExplainer({ rule, reason }: Idle, { stage }: Pick<StageContext, 'stage'>): () => Fate {
  const fate: Fate = { kind: 'kept', stage, rule, reason: `kept: ${reason}` };
  return () => fate;
}

const NO_WINDOW = 'the context window is not known: name one in the option window, or a model in the budget';

/** Why a stage that needs the context window does nothing where it is not known. */
export const NO_WINDOW_IDLE: Idle = {
  rule: 'no_window',
  reason: NO_WINDOW,
  problems: [{ code: 'projection.no_window', severity: 'warning', text: NO_WINDOW }],
};

/** `3 messages dropped`, `3 messages dropped, and parts of 1`: calls and results that stood alone. */
export function describeDropped({ touched, counts }: StageDone): string {
  const dropped = counts.dropped ?? 0;
  const edited = touched - dropped;
  const all = `${countOf(dropped, 'message')} dropped`;
  return edited > 0 ? `${all}, and parts of ${grouped(edited)}` : all;
}

/** `−52,310 tok`, for chips. */
export function savedTokens(tokens: number): string {
  return `−${grouped(tokens)} tok`;
}
