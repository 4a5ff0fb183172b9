// The lines of the table of policies as answers come in. A line stays until a newer one takes its place; whether it
// answers the question that is asked now is known of each, so that what is not final looks so.
import type { Params } from '../../core/protocol/methods.ts';
import type { PresetFigure } from '../../core/protocol/types.ts';

export type FigureQuestion = Omit<Params<'budget.presets'>, 'firstOver' | 'sums'>;

/** A line with the questions that its figures answer; null = none yet. */
export interface FigureLine {
  readonly figure: PresetFigure;
  readonly turnKey: string | null;
  readonly alongKey: string | null;
}

export type FigureLines = readonly FigureLine[];

/** Names a question about one policy: at this call point, and along all of them, which no call point changes. */
export function keysOf(question: FigureQuestion, name: string): Pick<FigureLine, 'turnKey' | 'alongKey'> & object {
  const { id, at, tokenizer, window, overhead, thinking = null, afterRecorded, policies = [] } = question;
  const own = policies.find((one) => one.name === name)?.spec ?? afterRecorded;
  const alongKey = JSON.stringify([id, tokenizer, window, overhead, thinking, own]);
  return { alongKey, turnKey: `${at} ${alongKey}` };
}

/** The lines with one that has just come, in the place of the one before or behind them. */
export function withFigure(lines: FigureLines, figure: PresetFigure, question: FigureQuestion): FigureLines {
  const at = lines.findIndex((line) => line.figure.name === figure.name);
  const line = merged(lines[at], figure, question);
  return at < 0 ? [...lines, line] : lines.with(at, line);
}

/** All lines of an answer, in its order. */
export function withAnswer(
  lines: FigureLines,
  figures: readonly PresetFigure[],
  question: FigureQuestion,
): FigureLines {
  const known = new Map(lines.map((line) => [line.figure.name, line]));
  return figures.map((figure) => merged(known.get(figure.name), figure, question));
}

// What is known along all call points stays until it is known again.
function merged(before: FigureLine | undefined, figure: PresetFigure, question: FigureQuestion): FigureLine {
  const { turnKey, alongKey } = keysOf(question, figure.name);
  if (figure.sums !== undefined || figure.problem !== null) return { figure, turnKey, alongKey };
  const { sums, firstOver } = before?.figure ?? {};
  const kept = { ...(sums && { sums }), ...(firstOver !== undefined && { firstOver }) };
  return { figure: { ...kept, ...figure }, turnKey, alongKey: before?.alongKey ?? null };
}
