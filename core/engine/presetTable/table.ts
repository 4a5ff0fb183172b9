// The table of presets is asked for by a card and by a tab, of several windows perhaps: one computation answers all who ask
// the same, for as long as one of them wants to know. What it has made of a preset is remembered, so that a question asked
// again goes on where the one before was ended.
import { PRESETS, presetsFor } from '../../projection/presets.ts';
import type { PresetFigure } from '../../protocol/types.ts';
import type { Engine } from '../engine.ts';
import type { Session } from '../session/session.ts';
import { SharedTasks } from '../session/sharedTasks.ts';
import type { Task, Turn } from '../session/workQueue.ts';
import { lineOf, type TableQuestion } from './line.ts';
import { figureOf } from './thisTurn.ts';
import { firstOverOf } from './wholeRun.ts';

/** Told of each line that is there. */
export type TellFigure = (figure: PresetFigure) => void;

/** The tables under way. */
export class PresetTables {
  readonly #engine: Engine;
  readonly #shared = new WeakMap<Session, SharedTasks<readonly PresetFigure[], PresetFigure>>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The figures of all presets; with `firstOver` also where each ceases to fit. `tell` hears of them one by one. */
  ask(question: TableQuestion, firstOver: boolean, tell: TellFigure): Task<readonly PresetFigure[]> {
    const { session } = question;
    const shared = this.#shared.get(session) ?? new SharedTasks();
    this.#shared.set(session, shared);
    return shared.ask(`${firstOver} ${questionKey(question)}`, tell, (tellAll) =>
      session.work.background('presets', (turn) => makeTable(this.#engine, question, firstOver, turn, tellAll)),
    );
  }
}

/** Names a question: the same, the same answer. */
export function questionKey({ session, at, tokens, window, overhead, after }: TableQuestion): string {
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
    after,
  ]);
}

async function makeTable(
  engine: Engine,
  question: TableQuestion,
  firstOver: boolean,
  turn: Turn,
  tell: TellFigure,
): Promise<readonly PresetFigure[]> {
  const figures: PresetFigure[] = [];
  for (const preset of presetsFor(PRESETS, question.session.source.compactions().length > 0, question.after)) {
    const line = lineOf(engine, question, preset, turn);
    // The walk along all call points comes by this one too.
    const over = firstOver && line.session.inputsFor(line.parsed.spec).budget !== null;
    const found = over ? await firstOverOf(line) : {};
    const figure = { ...(await figureOf(line)), ...found };
    figures.push(figure);
    tell(figure);
    await turn.pause();
  }
  return figures;
}
