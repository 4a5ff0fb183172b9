import type { Finding } from '../../insight/findings/index.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { PRESETS } from '../../projection/presets.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import type { FindingInfo } from '../../protocol/types.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { pricingKey } from '../library/pricing.ts';
import { askedOf } from '../session/askedOf.ts';
import { BoundedMap } from '../session/boundedMap.ts';
import { type FoundFindings, findFindings, findPrevention, isHistory } from '../session/findings.ts';
import type { Session } from '../session/session.ts';
import type { UsageReports } from '../session/usage.ts';

const EVIDENCE_CHARS = 400;
/** Policies whose findings are kept for each session. */
const KEPT = 4;

/** What sessions forgot, broke and lost. Runs in slices: clicks never wait for it. */
export function findingsHandlers(
  engine: Engine,
  reports: UsageReports,
): Pick<Handlers, 'findings.session' | 'findings.preventedBy'> {
  const searches = engine.clientWork();
  const trials = engine.clientWork();
  const known = new WeakMap<Session, BoundedMap<string, FoundFindings>>();
  const find = async (
    clientId: number,
    session: Session,
    parsed: ParsedSpec,
  ): Promise<Result<FoundFindings, ProtocolError>> => {
    const { state } = session.inputsFor(parsed.spec);
    const costs = pricingKey(engine, session);
    const key = `${session.source.length} ${state} ${session.isCalibrating} ${JSON.stringify(parsed.spec)} ${costs}`;
    const kept = known.get(session) ?? new BoundedMap<string, FoundFindings>(KEPT);
    known.set(session, kept);
    const before = kept.get(key);
    if (before !== undefined) return ok(before);
    const report = isHistory(session, parsed) ? await reports.of(session) : ok(null);
    if (!report.ok) return report;
    const usage = report.value;
    const asked = searches.begin(clientId, `${session.id} ${key}`, () =>
      session.work.background('checks', (turn) => findFindings({ engine, session, parsed, usage, turn })),
    );
    const made = await asked.done;
    if (!made.ok) return err(SUPERSEDED);
    if (made.value.ok) kept.set(key, made.value.value);
    return made.value;
  };
  return {
    async 'findings.session'({ id, spec }, client) {
      const subject = askedOf(engine, { id, spec });
      if (!subject.ok) return subject;
      const { session, parsed } = subject.value;
      const found = await find(client.clientId, session, parsed);
      if (!found.ok) return found;
      const { findings, looksAtCache } = found.value;
      return ok({ findings: findings.map(infoOf), looksAtCache });
    },
    async 'findings.preventedBy'({ id, spec, kind, at, evidence, policies = [] }, client) {
      const subject = askedOf(engine, { id, spec });
      if (!subject.ok) return subject;
      const { session, parsed } = subject.value;
      const found = await find(client.clientId, session, parsed);
      if (!found.ok) return found;
      const isAsked = (one: Finding) => one.kind === kind && one.at === at && infoOf(one).evidence === evidence;
      const finding = found.value.findings.find(isAsked);
      if (finding === undefined) return err(failure('findings.unknown', 'This finding is no longer one.'));
      const question = JSON.stringify([id, kind, at, evidence, spec, policies]);
      const asked = trials.begin(client.clientId, question, () =>
        session.work.background('checks', (turn) =>
          findPrevention({ engine, session, parsed, turn }, finding, policies),
        ),
      );
      const made = await asked.done;
      if (!made.ok) return err(SUPERSEDED);
      if (!made.value.ok) return made.value;
      const { presets, saved, failed } = made.value.value;
      const names = new Set(presets);
      const titled = PRESETS.flatMap(({ name, title }) => (names.has(name) ? [{ name, title }] : []));
      return ok({ presets: titled, saved, failed });
    },
  };
}

function infoOf({ uses, evidence, loss, ...finding }: Finding): FindingInfo {
  const text = evidence.length <= EVIDENCE_CHARS ? evidence : `${evidence.slice(0, EVIDENCE_CHARS)}…`;
  return {
    ...finding,
    evidence: text,
    loss: loss && { since: loss.since, stageTitle: loss.stageTitle, rule: loss.rule, reason: loss.reason },
    dependsOnPolicy: uses.length > 0 || finding.kind === 'refused',
  };
}
