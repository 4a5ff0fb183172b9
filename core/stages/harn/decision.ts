// What every Harn policy reports: the caller's reason in place of the policy's, and what provider safety makes of it.
import type { Problem } from '../../model/problem.ts';
import type { ReportDetails, StageDone } from '../../view/incremental.ts';
import { countOf, grouped } from '../../view/words.ts';
import type { HarnParams } from './options.ts';

/** What a policy says of itself in its report, before provider safety and the caller's reason. */
export interface PolicyReport {
  /** As Harn records it. */
  readonly reason: string;
  /** One line for the card. */
  readonly summary: string;
  readonly reclaimedChars?: number;
  readonly roots?: readonly string[];
  readonly problems?: readonly Problem[];
}

/** The report of a policy: the caller's reason in place of the policy's, or why it was refused as a whole. */
export function policyReport({ blockedBy, touched }: StageDone, params: HarnParams, own: PolicyReport): ReportDetails {
  const common = { rootsConsulted: own.roots ?? [], problems: own.problems ?? [] };
  if (blockedBy !== null) {
    const summary = `refused: signed reasoning at #${blockedBy}; ${countOf(touched, 'message')} stay as they are`;
    return { ...common, summary, reason: `${own.reason} (blocked: signed reasoning at index ${blockedBy})` };
  }
  const reclaimedChars = own.reclaimedChars ?? 0;
  return {
    ...common,
    summary: own.summary,
    reason: params.reason ?? own.reason,
    reclaimedChars,
    reclaimedTokens: Math.floor(reclaimedChars / 4),
  };
}

/** The note on a card that a stage left everything alone. `messages` = how many it was given. */
export function nothingToDo(messages: number): string {
  return `nothing to do in ${countOf(messages, 'message')}`;
}

/** `−4,751`: characters saved, for a row's chip. */
export function savedChip(chars: number): string {
  return `−${grouped(chars)}`;
}
