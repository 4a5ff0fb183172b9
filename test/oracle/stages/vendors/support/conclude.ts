// The end of every vendor's stage: what it decided becomes view, fates and report.
import type { Problem } from '../../../../../core/model/problem.ts';
import { countFates } from '../../../../../core/view/fates.ts';
import type { Fate, StageContext, StageOutput, StageReport, View, ViewItem } from '../../../../../core/view/types.ts';
import { grouped } from '../../../../../core/view/words.ts';

/** A stage's identity for its report. */
export interface StageName {
  readonly kind: string;
  readonly title: string;
}

/** What a stage decided. */
export interface Decision {
  /** The new items; null = none is changed. */
  readonly items: readonly ViewItem[] | null;
  readonly fates: ReadonlyMap<number, Fate>;
  /** One line for the card. */
  readonly summary: string;
  /** Why a message that `fates` does not name stays, by position. */
  readonly explain: (position: number) => Fate;
  readonly reclaimedTokens?: number;
  readonly reclaimedChars?: number;
  readonly problems?: readonly Problem[];
  readonly needsSummary?: StageReport['needsSummary'];
  readonly meta?: StageReport['meta'];
}

/** View, fates and report of a decision. */
export function conclude(name: StageName, view: View, context: StageContext, decision: Decision): StageOutput {
  const { items, fates, summary, explain, needsSummary, meta } = decision;
  const { kept: _explained, ...touched } = countFates(fates.values());
  return {
    view: items === null ? view : { items },
    fates,
    explain,
    report: {
      stage: context.stage,
      kind: name.kind,
      title: name.title,
      enabled: true,
      summary,
      reason: name.kind,
      counts: touched,
      reclaimedChars: decision.reclaimedChars ?? 0,
      reclaimedTokens: decision.reclaimedTokens ?? 0,
      rootsConsulted: [],
      blockedBy: null,
      problems: decision.problems ?? [],
      ...(needsSummary !== undefined && { needsSummary }),
      ...(meta !== undefined && { meta }),
    },
  };
}

/** A stage that did nothing, with the same reason for every message. */
export function untouched(
  context: StageContext,
  rule: string,
  reason: string,
  problems: readonly Problem[] = [],
): Decision {
  const fate: Fate = { kind: 'kept', stage: context.stage, rule, reason: `kept: ${reason}` };
  return { items: null, fates: new Map(), summary: `nothing to do: ${reason}`, explain: () => fate, problems };
}

/** What a stage that needs the context window says where it is not known. */
export function noWindow(context: StageContext): Decision {
  const text = 'the context window is not known: name one in the option window, or a model in the budget';
  return untouched(context, 'no_window', text, [{ code: 'projection.no_window', severity: 'warning', text }]);
}

/** `−52,310 tok`, for cards and chips. */
export function savedTokens(tokens: number): string {
  return `−${grouped(tokens)} tok`;
}
