// The line that makes an open transcript's counts the provider's: drawn once its tokens are counted, and again when it has
// grown. Source: spec of insight, 11; decision on calibrated counts.
import { calibrationFor } from '../../insight/calibration.ts';
import { recordedUsage } from '../../insight/usage/recordedUsage.ts';
import { loadCounter } from '../../tokens/counters.ts';
import { countedTokens } from '../../view/countedTokens.ts';
import type { Engine } from '../engine.ts';
import type { Session } from './session.ts';
import { modelOf } from './transcriptModel.ts';
import type { UsageReports } from './usage.ts';

/** Finds the lines of sessions. */
export class Calibrations {
  readonly #engine: Engine;
  readonly #reports: UsageReports;

  constructor(engine: Engine, reports: UsageReports) {
    this.#engine = engine;
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
      noteTotal(this.#engine, session);
      return true;
    }
    const report = await this.#reports.of(session);
    if (!report.ok || report.value === null || session.closed) return false;
    session.calibrateBy(calibrationFor(report.value.fits, modelOf(session.source.row())));
    noteTotal(this.#engine, session);
    return true;
  }
}

/** Notes for the list what a counted session comes to, so that both say the same of it. Until then the list has its own counts. */
function noteTotal(engine: Engine, session: Session): void {
  const tokens = session.tokenizing(null);
  if (engine.plainCounts || !engine.mayNote || !tokens.table.complete) return;
  const { transcripts, tokens: stored } = engine.library.tables;
  const ids = transcripts.ids(session.id);
  const messages = session.source.length;
  const total = tokens.calibration === null ? null : tokens.rangeTotal(0, messages);
  try {
    if (ids !== null && stored.putCalibrated(ids.id, tokens.table.tokenizer, messages, total)) engine.libraryChanged();
  } catch {
    // Nobody asked for it, and nothing else may fail for it: the next projection tries again.
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
