import { recordedCost } from '../../insight/money.ts';
import { includesCache } from '../../insight/usage/input.ts';
import { statedWithin } from '../../model/statedFinding.ts';
import type { StatedWatchpoint } from '../../model/statedWatchpoint.ts';
import { recordedWindow } from '../../model/transcript.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { ReviewSubject } from '../../protocol/reviewMethods.ts';
import { type BundleCost, type BundleInput, bundleCost } from '../../report/bundle.ts';
import type { StoredWatchpoint } from '../../store/index.ts';
import type { Calibration } from '../../tokens/calibrated.ts';
import { ok, type Result } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { sessionPricing } from '../library/pricing.ts';
import { summaryOf } from '../library/summary.ts';
import { askedAt } from '../session/askedOf.ts';
import { compute } from '../session/projecting.ts';
import type { Session } from '../session/session.ts';
import { recordedAnswers } from '../session/sessionCache.ts';
import type { Leaving } from './openReview.ts';

/** What of a transcript leaves in a bundle, as it is. Errors: those of `projection.set`. */
export async function leavingOf(
  engine: Engine,
  { id, spec, at, findings = [], watchpoints = [] }: ReviewSubject,
): Promise<Result<Leaving, ProtocolError>> {
  const subject = askedAt(engine, { id, spec, at });
  if (!subject.ok) return subject;
  const { session, parsed, at: now } = subject.value;
  const inputs = await session.settledInputs(parsed.spec);
  const { projection } = await session.work.foreground(() =>
    compute(engine, session, parsed, now, inputs, session.besidePipeline),
  );
  const { calibration } = session.tokenizing(parsed.spec.tokenizer);
  return ok({
    session,
    parsed,
    at: now,
    findings: statedWithin(findings, now),
    watchpoints: chosenOf(engine.library.tables.watchpoints.list(id), watchpoints),
    projection,
    inputs,
    named: bundledTranscript(session, calibration),
    cost: costOf(engine, session),
    rules: engine.library.tables.scrubbing.rules(),
  });
}

function chosenOf(all: readonly StoredWatchpoint[], ids: readonly string[]): readonly StatedWatchpoint[] {
  return all.flatMap(({ id, ...stated }) => (ids.includes(id) ? [stated] : []));
}

// What a policy would have cost takes a walk along all call points: the screen and `sweep` show it.
function costOf(engine: Engine, session: Session): BundleCost | null {
  const pricing = sessionPricing(engine, session);
  const answers = recordedAnswers(session);
  const cost = recordedCost(pricing, answers, includesCache(answers.map(({ usage }) => usage)));
  return cost && bundleCost(cost, pricing.rows);
}

// A bundle that is exported again is of the transcript that it was made of.
function bundledTranscript({ source }: Session, calibration: Calibration | null): BundleInput['transcript'] {
  const row = source.row();
  if (row.meta.bundle !== undefined) return row.meta.bundle.transcript;
  const { id, title, format, model, whatIf } = summaryOf(row, null);
  const window = recordedWindow(row.meta);
  const about = { ...(model !== null && { model }), ...(window !== null && { contextWindow: window }) };
  return { id, title, format, ...about, calibration, ...(whatIf !== null && { whatIf }) };
}
