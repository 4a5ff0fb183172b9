// The line that makes an open transcript's counts the provider's: drawn once its tokens are counted, and again when it has
// grown. Source: spec of insight, 11; decision on calibrated counts.
import { calibrationFor } from '../../insight/calibration.ts';
import { recordedUsage } from '../../insight/usage/recordedUsage.ts';
import { loadCounter } from '../../tokens/counters.ts';
import { countedTokens } from '../../view/countedTokens.ts';
import type { Session } from './session.ts';
import { modelOf } from './transcriptModel.ts';
import type { UsageReports } from './usage.ts';

/** Finds the lines of sessions. */
export class Calibrations {
  readonly #reports: UsageReports;

  constructor(reports: UsageReports) {
    this.#reports = reports;
  }

  /** Resolves once a session counts by its line, or it is known that there is none; whatever it takes to count it. */
  async settle(session: Session): Promise<void> {
    if (!(await this.begin(session))) session.calibrateBy(await countedNow(session));
  }

  /**
   * The same for a transcript that is counted; false if it is not, or nobody needs it any more. A bundle states its line:
   * the transcript it was made of may have gone on.
   */
  async begin(session: Session): Promise<boolean> {
    const { bundle } = session.source.row().meta;
    if (bundle !== undefined) {
      session.calibrateBy(bundle.transcript.calibration ?? null);
      return true;
    }
    const report = await this.#reports.of(session);
    if (!report.ok || report.value === null || session.closed) return false;
    session.calibrateBy(calibrationFor(report.value.fits, modelOf(session.source.row())));
    return true;
  }
}

// Counting a transcript takes long; whoever writes it down for others waits for it.
async function countedNow(session: Session) {
  const { source } = session;
  const { tokenizer, exact, images, label } = session.model;
  const counter = await loadCounter(tokenizer);
  const tokens = countedTokens(source, { counter, tokenizer, exact, images });
  const { fits } = recordedUsage(source, (index) => source.meta(index), tokens, label);
  return calibrationFor(fits, modelOf(source.row()));
}
