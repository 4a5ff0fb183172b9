// Recorded usage held against the history of an open transcript, once its tokens are counted.
import { checkUsageSteps, eraStarts, NO_USAGE, requestRecord } from '../../insight/usage/index.ts';
import type { CountedEra } from '../../insight/usage/records.ts';
import type { RequestRecord, UsageReport } from '../../insight/usage/types.ts';
import { recordedFormat } from '../../model/transcript.ts';
import type { ResolvedStage } from '../../projection/parseSpec.ts';
import { KEPT_HISTORY } from '../../projection/presets.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { readSpec } from './projecting.ts';
import type { Session } from './session.ts';
import type { Tokenizing } from './tokenizing.ts';
import type { Turn } from './workQueue.ts';

/** Characters of summaries and emptied messages counted for one era: they are few, and counted once. */
const COUNT_CHARS = 4_000_000;

/** The report of an open transcript; null while its tokens are not all counted. */
export class UsageReports {
  readonly #engine: Engine;
  readonly #known = new WeakMap<Session, { readonly key: string; readonly report: Report }>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Made when first asked for, and again when the transcript has grown or was counted again. */
  of(session: Session): Report {
    const tokens = session.plainTokenizing();
    if (!tokens.table.complete || !tokens.ready) return Promise.resolve(ok(null));
    const key = `${session.source.length} ${tokens.table.revision} ${session.source.compactions().length}`;
    const known = this.#known.get(session);
    if (known?.key === key) return known.report;
    const task = session.work.background('counts', (turn) => makeReport(this.#engine, session, tokens, turn));
    // A transcript that was closed meanwhile has nothing to report.
    const report = task.done.then((made): Awaited<Report> => (made.ok ? made.value : ok(NO_USAGE)));
    this.#known.set(session, { key, report });
    report.catch(() => this.#known.delete(session));
    return report;
  }
}

type Report = Promise<Result<UsageReport | null, ProtocolError>>;

async function makeReport(engine: Engine, session: Session, tokens: Tokenizing, turn: Turn): Report {
  const { source, outline } = session;
  if (!source.mayRecordUsage()) return ok(NO_USAGE);
  const label = tokens.label;
  const parsed = readSpec(KEPT_HISTORY);
  if (!parsed.ok) return parsed;
  const eras = await countEras(engine, session, parsed.value.stages, tokens, turn);
  if (!eras.ok) return eras;
  const records: RequestRecord[] = [];
  for (const at of outline.callPoints) {
    if (at >= source.length) break;
    const record = requestRecord(at, source.meta(at), eras.value, (from, to) => tokens.rangeTotal(from, to));
    if (record !== null) records.push(record);
    const pause = turn.pause();
    if (pause) await pause;
  }
  const steps = checkUsageSteps(records, label, {
    format: recordedFormat(source.row().meta),
    facts: (index) => source.facts(index),
    timestamp: (index) => source.meta(index).timestamp,
  });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return ok(step.value);
    const pause = turn.pause();
    if (pause) await pause;
  }
}

async function countEras(
  engine: Engine,
  session: Session,
  stages: readonly ResolvedStage[],
  tokens: Tokenizing,
  turn: Turn,
): Promise<Result<readonly CountedEra[], ProtocolError>> {
  const compactions = session.source.compactions();
  if (compactions.length === 0) return ok([{ from: 0, tokens: 0 }]);
  const eras: CountedEra[] = [];
  for (const from of eraStarts(compactions, session.source.length)) {
    const projected = await engine.projectInBackground(session, stages, from, turn);
    if (!projected.ok) return err(projected.error);
    const { byCategory } = tokens.view(projected.value.view, { chars: COUNT_CHARS });
    eras.push({ from, tokens: byCategory.reduce((sum, count) => sum + count, 0) });
    await turn.pause();
  }
  return ok(eras);
}
