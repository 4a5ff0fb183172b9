// browser-safe
// A finding as a bug report states it: what somebody else saw, about the messages that are in the report.

/** At most so many go into one report. */
export const STATED_FINDINGS_MOST = 100;

/** A finding that can be chosen for a report. Indices are those of the raw messages. */
export interface StatedFinding {
  /** As core/insight names it; a later version may know more kinds. */
  readonly kind: string;
  /** The message, or the call point, at which it shows. */
  readonly at: number;
  /** One line: the call, the sentence, the cause. */
  readonly evidence: string;
  /** Messages that had said it; empty = none had. */
  readonly sources: readonly number[];
  readonly certainty: string;
  /** Since when it was not in the request, and by what; null = that is not what it is about. */
  readonly loss: {
    readonly since: number;
    readonly stageTitle: string | null;
    readonly rule: string | null;
    readonly reason: string;
  } | null;
  /** Tokens, and US dollars; null = not known, or counted in others. */
  readonly tokens: number | null;
  readonly cost: number | null;
}

/** Whether all that a finding points to is among the messages before a call point. */
export function isWithin({ at, sources, loss }: Pick<StatedFinding, 'at' | 'sources' | 'loss'>, end: number): boolean {
  return at <= end && sources.every((index) => index < end) && (loss === null || loss.since <= end);
}

/** The findings about the messages before a call point, as a report states them. */
export function statedWithin(findings: readonly StatedFinding[], end: number): readonly StatedFinding[] {
  const within = findings.filter((finding) => isWithin(finding, end)).slice(0, STATED_FINDINGS_MOST);
  return within.map(({ kind, at, evidence, sources, certainty, loss, tokens, cost }) => {
    const by = loss && { since: loss.since, stageTitle: loss.stageTitle, rule: loss.rule, reason: loss.reason };
    return { kind, at, evidence, sources, certainty, loss: by, tokens, cost };
  });
}
