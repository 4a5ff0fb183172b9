// The end of every Harn policy: provider safety, the reason, the report. A policy only decides.
import type { Problem } from '../../../../core/model/problem.ts';
import type { HarnParams } from '../../../../core/stages/harn/options.ts';
import { countFates, refusedFate } from '../../../../core/view/fates.ts';
import type { Fate, StageContext, StageOutput, StageReport, View, ViewItem } from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';

/** What a policy decided, before provider safety has had its say. */
export interface Decision {
  /** The new items; null = identity. */
  readonly items: readonly ViewItem[] | null;
  readonly fates: ReadonlyMap<number, Fate>;
  /** As Harn records it. */
  readonly reason: string;
  /** One line for the card. */
  readonly summary: string;
  readonly reclaimedChars?: number;
  readonly roots?: readonly string[];
  readonly problems?: readonly Problem[];
  /** Why a message that `fates` does not name stays; see StageOutput. */
  readonly explain?: (position: number) => Fate;
}

/** The policy's identity: kind and title for its report. */
export interface PolicyName {
  readonly kind: string;
  readonly title: string;
}

/** An identity decision, and why each message stays. */
export function unchanged(
  reason: string,
  summary: string,
  explain: (position: number) => Fate,
  roots: readonly string[] = [],
): Decision {
  return { items: null, fates: new Map(), reason, summary, roots, explain };
}

/** Applies provider safety and the caller's reason, and writes the report. */
export function conclude(
  policy: PolicyName,
  view: View,
  params: HarnParams,
  context: StageContext,
  decision: Decision,
): StageOutput {
  const blockedBy = params.respectProviderSignatures ? firstSigned(decision.fates, context) : null;
  if (blockedBy !== null) return refuse(policy, view, context, decision, blockedBy);
  const reclaimedChars = decision.reclaimedChars ?? 0;
  return {
    view: decision.items === null ? view : { items: decision.items },
    fates: decision.fates,
    ...(decision.explain !== undefined && { explain: decision.explain }),
    report: {
      ...reportBase(policy, context, decision),
      summary: decision.summary,
      reason: params.reason ?? decision.reason,
      counts: countTouched(decision.fates),
      reclaimedChars,
      reclaimedTokens: Math.floor(reclaimedChars / 4),
      blockedBy: null,
    },
  };
}

// Explanations of messages that stay are no deeds of the stage.
function countTouched(fates: ReadonlyMap<number, Fate>): StageReport['counts'] {
  const { kept: _explained, ...touched } = countFates(fates.values());
  return touched;
}

function reportBase(policy: PolicyName, context: StageContext, decision: Decision) {
  return {
    stage: context.stage,
    kind: policy.kind,
    title: policy.title,
    enabled: true,
    rootsConsulted: decision.roots ?? [],
    problems: decision.problems ?? [],
  };
}

// Signed reasoning proves that its message is as the provider wrote it: neither gone nor edited.
function firstSigned(fates: ReadonlyMap<number, Fate>, context: StageContext): number | null {
  let first: number | null = null;
  for (const [index, fate] of fates) {
    if (fate.kind === 'kept' || (first !== null && index > first)) continue;
    if (context.source.facts(index).signed) first = index;
  }
  return first;
}

function refuse(
  policy: PolicyName,
  view: View,
  context: StageContext,
  decision: Decision,
  blockedBy: number,
): StageOutput {
  const fates = new Map<number, Fate>();
  let refused = 0;
  for (const [index, fate] of decision.fates) {
    if (fate.kind === 'kept') continue;
    refused++;
    fates.set(index, refusedFate(context.stage, policy.kind, fate, blockedBy));
  }
  const report: StageReport = {
    ...reportBase(policy, context, decision),
    summary: `refused: signed reasoning at #${blockedBy}; ${countOf(refused, 'message')} stay as they are`,
    reason: `${decision.reason} (blocked: signed reasoning at index ${blockedBy})`,
    counts: {},
    reclaimedChars: 0,
    reclaimedTokens: 0,
    blockedBy,
  };
  return { view, fates, report, ...(decision.explain !== undefined && { explain: decision.explain }) };
}

/** The note on a card that a stage left everything alone. */
export function nothingToDo(view: View): string {
  return `nothing to do in ${countOf(view.items.length, 'message')}`;
}

/** `−4,751`: characters saved, for a row's chip. */
export function savedChip(chars: number): string {
  return `−${grouped(chars)}`;
}
