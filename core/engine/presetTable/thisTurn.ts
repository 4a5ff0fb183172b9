// A preset at one call point. A whole projection of a long transcript takes up to seconds in one piece; the way there in
// steps makes the same request, and others are answered in between.
import { countBelow, positionOf } from '../../insight/places.ts';
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import { countsIn } from '../../projection/binding/types.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { PresetFigure } from '../../protocol/types.ts';
import { ok, type Result } from '../../util/result.ts';
import type { View } from '../../view/types.ts';
import { BoundedMap } from '../session/boundedMap.ts';
import { followInSlices } from '../session/callPoints.ts';
import { figureFrom, keyOf, type Line, namesOf } from './line.ts';
import { figureInRun } from './wholeRun.ts';

/** Characters of edits counted in one slice (about 10 ms), and how many such slices; what is beyond is estimated. */
const COUNT_AT_ONCE = 20_000;
const COUNT_PIECES = 25;
/** A step of the way: messages, and as a share of all of them. A step takes 5 to 20 ms, of 100,000 messages 50 to 100. */
const STEP = 2_048;
/** Below so many messages a projection, which pauses between its stages, holds nobody up, and is quicker. */
const WALKED_FROM = 16_384;
const STEP_SHARE = 1 / 24;
const KEPT_FIGURES = 256;

/** What the request would hold: from memory, from a walk that came by, or made now. Error: the policy's code failed. */
export async function figureOf(line: Line): Promise<Result<PresetFigure, ProtocolError>> {
  const known = line.session.memo.get('engine.presetFigures', () => new BoundedMap<string, PresetFigure>(KEPT_FIGURES));
  const key = `${line.at} ${keyOf(line)}`;
  const found = known.get(key);
  if (found !== undefined) return ok({ ...found, ...namesOf(line) });
  const inRun = figureInRun(line);
  if (inRun !== null)
    return ok(figureFrom(line, inRun, { blocked: inRun.blocked, thinking: inRun.thinking, problem: null }));
  const made = isWalked(line) ? await walkTo(line) : await projectAt(line);
  if (!made.ok) return made;
  const { figure, isSure } = made.value;
  // A summary may have been written meanwhile.
  if (isSure && key === `${line.at} ${keyOf(line)}`) known.set(key, figure);
  return ok(figure);
}

// A context policy reports what it refuses as a problem, and only a projection has problems.
function isWalked(line: Line): boolean {
  const hasContextStage = line.parsed.stages.some(({ enabled, family }) => enabled && family === 'context');
  const isCallPoint = positionOf(line.session.outline.callPoints, line.at) !== null;
  return line.at > WALKED_FROM && isCallPoint && !hasContextStage;
}

interface Made {
  readonly figure: PresetFigure;
  /** False if a stage had to guess counts: then it is not remembered. */
  readonly isSure: boolean;
}

async function walkTo(line: Line): Promise<Result<Made, ProtocolError>> {
  const { callPoints } = line.session.outline;
  const points: number[] = [];
  const step = Math.max(STEP, Math.floor(line.at * STEP_SHARE));
  for (let next = step; next < line.at; next += step) {
    const at = callPoints[countBelow(callPoints, next)];
    if (at === undefined || at >= line.at) break;
    if (at !== points.at(-1)) points.push(at);
  }
  points.push(line.at);
  let reached: Reached | null = null;
  const walked = await followInSlices({ ...line, points }, takeAt(line.at), (found) => {
    reached = found;
    return true;
  });
  if (!walked.ok) return walked;
  if (reached === null) throw new Error(`policy ${line.preset.name} was not followed to #${line.at}`);
  return ok(await made(line, reached, walked.value.guesses === 0));
}

/** The request at a call point. */
interface Reached extends Pick<PresetFigure, 'blocked' | 'problem' | 'thinking'> {
  readonly view: View;
}

function takeAt(wanted: number): (point: ReachedPoint) => Reached | null {
  return ({ at, view, stages, thinking }) => {
    if (at !== wanted) return null;
    const blocked = stages.some((stage) => stage.blocked);
    return { view: view.toView(), blocked, thinking: thinking?.counts ?? null, problem: null };
  };
}

async function projectAt(line: Line): Promise<Result<Made, ProtocolError>> {
  const { engine, session, tokens, parsed, at, turn } = line;
  const inputs = session.inputsFor(parsed.spec, { tokens });
  const projected = await engine.projectInBackground(session, parsed.stages, at, turn, { ...inputs, explain: false });
  if (!projected.ok) return projected;
  const { view, problems, providerSafetyBlocked, thinking } = projected.value;
  const problem = problems.find(({ severity }) => severity === 'error')?.text ?? null;
  return ok(
    await made(
      line,
      { view, blocked: providerSafetyBlocked, thinking: thinking && countsIn(thinking), problem },
      (inputs.tokens.guesses ?? 0) === 0,
    ),
  );
}

async function made(line: Line, { view, blocked, thinking, problem }: Reached, isSure: boolean): Promise<Made> {
  const { tokens, turn } = line;
  const steps = tokens.countView(view, COUNT_AT_ONCE);
  let left = COUNT_PIECES;
  for (let step = steps.next(); !step.done && left > 0; step = steps.next()) {
    left--;
    await turn.pause();
  }
  const { figure } = tokens.viewFigure(view, { chars: COUNT_AT_ONCE });
  const loaded = tokens.loads.inView(view.items)?.tokens ?? 0;
  return { figure: figureFrom(line, { tokens: figure, loaded }, { blocked, thinking, problem }), isSure };
}
