// Findings of an open transcript under a policy: one walk along the call points, in slices; and the presets under which one
// of them would not have happened, at the few call points it is about.
import { type Finding, findingSteps, preventedBy } from '../../insight/findings/index.ts';
import type { UsageReport } from '../../insight/usage/types.ts';
import { isAsRecorded } from '../../projection/asRecorded.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { PRESETS } from '../../projection/presets.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { ok, type Result } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
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
    price: sessionPricing(work.engine, session).price,
    usageAt: (index) => source.meta(index).usage ?? null,
    tokens: (index, part) => tokens.part(index, part).tokens,
  });
  const findings = await inTurns(steps, work.turn);
  return ok({ findings, looksAtCache: (usage?.requests.length ?? 0) > 0 });
}

/** Names of the presets under which a finding would not have happened. */
export async function findPrevention(
  work: Omit<FindingsWork, 'usage'>,
  finding: Finding,
): Promise<Result<readonly string[], ProtocolError>> {
  const { parsed } = work;
  const points = [...new Set([finding.at, ...finding.uses.map(({ at }) => at)])].sort((a, b) => a - b);
  const found: string[] = [];
  for (const { name, spec } of PRESETS) {
    if (JSON.stringify(spec.stages) === JSON.stringify(parsed.spec.stages)) continue;
    const preset = readSpec(spec);
    if (!preset.ok) return preset;
    const walked = await followUses({ ...work, parsed: preset.value }, points);
    if (!walked.ok) continue; // a preset that cannot run there prevents nothing
    const [names = []] = preventedBy([finding], [{ name, uses: walked.value.uses.all, refused: walked.value.refused }]);
    found.push(...names);
  }
  return ok(found);
}
