// A preset at one call point. A whole projection of a long transcript takes up to seconds in one piece; the way there in
// steps makes the same request, and others are answered in between.
import { countBelow, positionOf } from '../../insight/places.ts';
import type { CallPointFigures } from '../../projection/allCallPoints.ts';
import type { PresetFigure } from '../../protocol/types.ts';
import { followFigures } from '../callPoints.ts';
import { BoundedMap } from '../session/boundedMap.ts';
import { tokenFigure } from '../session/projected.ts';
import { canFollow, figureFrom, keyOf, type Line } from './line.ts';
import { figureInRun } from './wholeRun.ts';

const COUNT_CHARS = 100_000;
/** A step of the way: messages. */
const STEP = 256;
/** A shorter history is projected at once. */
const WALKED_FROM = 2_000;
const KEPT_FIGURES = 256;

/** What the request would hold: from memory, from a walk that came by, or made now. */
export async function figureOf(line: Line): Promise<PresetFigure> {
  const known = line.session.memo.get('engine.presetFigures', () => new BoundedMap<string, PresetFigure>(KEPT_FIGURES));
  const key = `${line.at} ${keyOf(line)}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const inRun = figureInRun(line);
  if (inRun !== null) return figureFrom(line, inRun.tokens, { blocked: inRun.blocked, problem: null });
  const { figure, isCounted } = isWalked(line) ? await walkTo(line) : await projectAt(line);
  if (isCounted) known.set(key, figure);
  return figure;
}

// What a context policy refuses it says as a problem, which only a projection tells.
function isWalked(line: Line): boolean {
  const tells = line.parsed.stages.some(({ enabled, family }) => enabled && family === 'context');
  const isCallPoint = positionOf(line.session.outline.callPoints, line.at) !== null;
  return line.at >= WALKED_FROM && isCallPoint && !tells && canFollow(line);
}

interface Made {
  readonly figure: PresetFigure;
  /** False if something in it is a guess: then it is not remembered. */
  readonly isCounted: boolean;
}

async function walkTo(line: Line): Promise<Made> {
  const { callPoints } = line.session.outline;
  const points: number[] = [];
  for (let next = STEP; next < line.at; next += STEP) {
    const at = callPoints[countBelow(callPoints, next)];
    if (at === undefined || at >= line.at) break;
    if (at !== points.at(-1)) points.push(at);
  }
  points.push(line.at);
  let last: CallPointFigures | null = null;
  const walked = await followFigures({ ...line, points }, (figures) => {
    last = figures;
    return true;
  });
  return madeOf(line, last, walked.ok && walked.value.counted);
}

function madeOf(line: Line, figures: CallPointFigures | null, isCounted: boolean): Made {
  if (figures === null) throw new Error(`preset ${line.preset.name} was not followed to #${line.at}`);
  const tokens = tokenFigure(figures.byCategory, isCounted ? line.tokens.provenance : 'estimated');
  return { figure: figureFrom(line, tokens, { blocked: figures.blocked, problem: null }), isCounted };
}

async function projectAt(line: Line): Promise<Made> {
  const { engine, session, tokens, parsed, at, turn } = line;
  const inputs = session.inputsFor(parsed.spec, { tokenizer: tokens.table.tokenizer });
  const projected = await engine.projectInBackground(session, parsed.stages, at, turn, { ...inputs, explain: false });
  if (!projected.ok) throw new Error(`preset ${line.preset.name} runs no code, and yet: ${projected.error.message}`);
  const { view, problems, providerSafetyBlocked } = projected.value;
  await turn.pause();
  const { figure, counted } = tokens.viewFigure(view, { chars: COUNT_CHARS });
  const problem = problems.find(({ severity }) => severity === 'error')?.text ?? null;
  return { figure: figureFrom(line, figure, { blocked: providerSafetyBlocked, problem }), isCounted: counted };
}
