// The table of presets is asked for by a card and by a tab, of several windows perhaps: one computation answers all who ask
// the same, for as long as one of them wants to know. What it has made of a preset is remembered, so that a question asked
// again continues where the one before was ended.
import { PRESETS, presetsFor } from '../../projection/presets.ts';
import type { PresetFigure } from '../../protocol/types.ts';
import type { Engine } from '../engine.ts';
import type { Session } from '../session/session.ts';
import { SharedTasks } from '../session/sharedTasks.ts';
import type { Task, Turn } from '../session/workQueue.ts';
import { failedFigure, lineOf, type NamedPolicy, type TableQuestion } from './line.ts';
import { figureOf } from './thisTurn.ts';
import { firstOverOf, sumsOf } from './wholeRun.ts';

/** What is asked along all call points: nothing, where each policy ceases to fit, or also its sums. */
export type Along = 'nothing' | 'firstOver' | 'sums';

/** Called with each line that is there. */
export type ReportFigure = (figure: PresetFigure) => void;

/** The tables under way. */
export class PresetTables {
  readonly #engine: Engine;
  readonly #shared = new WeakMap<Session, SharedTasks<readonly PresetFigure[], PresetFigure>>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The figures of all policies, and what else is asked of each. `report` gets them one by one. */
  ask(question: TableQuestion, along: Along, report: ReportFigure): Task<readonly PresetFigure[]> {
    const { session } = question;
    const shared = this.#shared.get(session) ?? new SharedTasks();
    this.#shared.set(session, shared);
    return shared.ask(`${along} ${questionKey(question)}`, report, (reportToAll) =>
      session.work.background('presets', (turn) => makeTable(this.#engine, question, along, turn, reportToAll)),
    );
  }
}

/** Names a question: the same, the same answer. */
export function questionKey({
  session,
  at,
  tokens,
  window,
  overhead,
  thinking,
  after,
  policies,
}: TableQuestion): string {
  const { id, source, summariesKey } = session;
  return JSON.stringify([
    id,
    source.row().revision,
    source.length,
    at,
    tokens.state,
    summariesKey,
    window,
    overhead,
    thinking,
    after,
    policies,
  ]);
}

async function makeTable(
  engine: Engine,
  question: TableQuestion,
  along: Along,
  turn: Turn,
  report: ReportFigure,
): Promise<readonly PresetFigure[]> {
  const figures: PresetFigure[] = [];
  const { source } = question.session;
  const presets = presetsFor(PRESETS, source.compactions().length > 0, question.after, source.projections().length > 0);
  for (const preset of [...question.policies, ...presets]) {
    const figure = await lineFigure(engine, question, along, preset, turn);
    figures.push(figure);
    report(figure);
    await turn.pause();
  }
  return figures;
}

async function lineFigure(
  engine: Engine,
  question: TableQuestion,
  along: Along,
  policy: NamedPolicy,
  turn: Turn,
): Promise<PresetFigure> {
  const read = lineOf(engine, question, policy, turn);
  if (!read.ok) return failedFigure(policy, read.error);
  const line = read.value;
  // The walk along all call points comes by this one too.
  const hasWindow = line.session.inputsFor(line.parsed.spec).budget !== null;
  const over = along === 'firstOver' && hasWindow ? await firstOverOf(line) : {};
  const found = along === 'sums' ? await sumsOf(line) : over;
  const figure = await figureOf(line);
  return figure.ok ? { ...figure.value, ...found } : failedFigure(policy, figure.error);
}
