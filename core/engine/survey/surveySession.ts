// The survey of one session: its figures, and its findings under the recorded history, as its own screen shows them.
import { type SurveyFigures, type SurveySums, surveyFigures, surveySums } from '../../insight/survey/index.ts';
import { defaultSpec } from '../../projection/presets.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { TranscriptChangedError } from '../../store/index.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { sessionPricing } from '../library/pricing.ts';
import { type FoundFindings, findFindings, isHistory } from '../session/findings.ts';
import { readSpec } from '../session/projecting.ts';
import type { Session } from '../session/session.ts';
import type { UsageReports } from '../session/usage.ts';

/** What is kept of a transcript that was looked through. */
export interface Survey {
  readonly sums: SurveySums;
  readonly figures: SurveyFigures;
}

/**
 * Looks through a session whose tokens are counted, in the background. Where its policy cannot run, the survey
 * says so. Throws a TranscriptChangedError if the session was closed meanwhile.
 */
export async function surveySession(engine: Engine, reports: UsageReports, session: Session): Promise<Survey> {
  await engine.calibrated(session);
  const found = await recordedFindings(engine, reports, session);
  if (!found.ok) return failed(found.error.message);
  const { source } = session;
  const tokens = session.tokenizing(null);
  const figures = surveyFigures({
    source,
    meta: (index) => source.meta(index),
    pricing: sessionPricing(engine, session),
    tokens: (index, part) => tokens.part(index, part).tokens,
    findings: found.value.findings,
  });
  const { provenance } = tokens;
  const sums = surveySums({
    ...found.value,
    figures,
    provenance: provenance === 'recorded' ? 'exact' : provenance,
  });
  return { figures, sums };
}

async function recordedFindings(
  engine: Engine,
  reports: UsageReports,
  session: Session,
): Promise<Result<FoundFindings, ProtocolError>> {
  const { source } = session;
  const parsed = readSpec(defaultSpec(source.compactions().length > 0, source.projections().length > 0));
  if (!parsed.ok) return parsed;
  const report = isHistory(session, parsed.value) ? await reports.of(session) : ok(null);
  if (!report.ok) return err(report.error);
  const usage = report.value;
  const found = await session.work.background('checks', (turn) =>
    findFindings({ engine, session, parsed: parsed.value, usage, turn }),
  ).done;
  if (!found.ok) throw new TranscriptChangedError('it was closed while it was looked through');
  return found.value;
}

function failed(failure: string): Survey {
  const none = { findings: [], tools: [], again: { tokens: 0, cost: null }, cost: null, unpriced: 0 };
  return {
    sums: { ...none, looksAtCache: false, provenance: 'estimated', failure },
    figures: { turns: 0, slots: [], held: [], tools: [] },
  };
}
