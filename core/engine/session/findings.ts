// Findings of an open transcript under a policy: one walk along the call points, in slices; and the policies under which one
// of them would not have happened, at the few call points it is about.
import { type Finding, findingSteps, preventedBy } from '../../insight/findings/index.ts';
import type { UsageReport } from '../../insight/usage/types.ts';
import { isAsRecorded } from '../../projection/asRecorded.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { sameStages } from '../../projection/policyName.ts';
import { PRESETS } from '../../projection/presets.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { ok, type Result } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { readSpecFor } from '../library/policyScopes.ts';
import { sessionPricing } from '../library/pricing.ts';
import { followUses, walkedUses } from './followUses.ts';
import { inTurns } from './inTurns.ts';
import { readSpec } from './projecting.ts';
import type { Session } from './session.ts';
import type { Turn } from './workQueue.ts';

/** What was found. `looksAtCache`: recorded usage of the requests is known, and was looked at. */
export interface FoundFindings {
  readonly findings: readonly Finding[];
  readonly looksAtCache: boolean;
}

/** Where the findings are looked for. */
export interface FindingsWork {
  readonly engine: Engine;
  readonly session: Session;
  readonly parsed: ParsedSpec;
  /** Null = the policy is not the recorded history, or nothing is recorded. */
  readonly usage: UsageReport | null;
  readonly turn: Turn;
}

/** Whether the policy is the recorded history of the session: what happened, and no what-if. */
export function isHistory({ source }: Session, { spec }: ParsedSpec): boolean {
  return isAsRecorded(spec, source);
}

/**
 * The findings of a session under a policy, dearest first. `usage` = its report, asked for before: it is background work
 * too, and work that waits for work behind it waits for ever.
 */
export async function findFindings(work: FindingsWork): Promise<Result<FoundFindings, ProtocolError>> {
  const { session, parsed, usage } = work;
  const { source, outline } = session;
  const own = await walkedUses(work);
  if (!own.ok) return own;
  const tokens = session.tokenizing(null);
  const steps = findingSteps({
    source,
    uses: own.value.uses.all,
    misses: usage?.misses ?? [],
    // A request that was made was not refused.
    refused: own.value.refused.filter(({ to }) => !isHistory(session, parsed) || to >= source.length),
    callPoints: outline.callPoints,
    pricing: sessionPricing(work.engine, session),
    usageAt: (index) => source.meta(index).usage ?? null,
    tokens: (index, part) => tokens.part(index, part).tokens,
  });
  const findings = await inTurns(steps, work.turn);
  return ok({ findings, looksAtCache: (usage?.requests.length ?? 0) > 0 });
}

/** A policy that a person saved. */
export interface SavedPolicy {
  readonly name: string;
  readonly spec: unknown;
}

/** Names of the policies under which a finding would not have happened. `failed`: saved ones that could not be tried. */
export interface Prevention {
  readonly presets: readonly string[];
  readonly saved: readonly string[];
  readonly failed: readonly { readonly name: string; readonly error: string }[];
}

/** Tries the presets and the policies that a person saved, at the few call points a finding is about. */
export async function findPrevention(
  work: Omit<FindingsWork, 'usage'>,
  finding: Finding,
  policies: readonly SavedPolicy[],
): Promise<Result<Prevention, ProtocolError>> {
  const points = [...new Set([finding.at, ...finding.uses.map(({ at }) => at)])].sort((a, b) => a - b);
  const prevents = async (parsed: ParsedSpec): Promise<Result<boolean, ProtocolError>> => {
    if (sameStages(parsed.spec, work.parsed.spec)) return ok(false);
    const walked = await followUses({ ...work, parsed }, points);
    if (!walked.ok) return walked;
    const { uses, refused } = walked.value;
    const [names = []] = preventedBy([finding], [{ name: '', uses: uses.all, refused }]);
    return ok(names.length > 0);
  };
  const saved: string[] = [];
  const failed: { readonly name: string; readonly error: string }[] = [];
  for (const { name, spec } of policies) {
    const parsed = readSpecFor(work.engine, work.session.id, spec);
    const held = parsed.ok ? await prevents(parsed.value) : parsed;
    if (!held.ok) failed.push({ name, error: held.error.message });
    else if (held.value) saved.push(name);
  }
  const presets: string[] = [];
  for (const { name, spec } of PRESETS) {
    const parsed = readSpec(spec);
    if (!parsed.ok) return parsed;
    const held = await prevents(parsed.value);
    // A preset that cannot run there prevents nothing.
    if (held.ok && held.value) presets.push(name);
  }
  return ok({ presets, saved, failed });
}
