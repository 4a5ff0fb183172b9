import type { ParsedSpec } from '../../projection/parseSpec.ts';
import { projectSteps, type StageStep } from '../../projection/project.ts';
import type { Projection } from '../../projection/types.ts';
import type { Scrubbed } from '../../scrub/transcript.ts';
import { createMemo } from '../../view/memo.ts';
import type { StageTokens } from '../../view/types.ts';
import type { Engine } from '../engine.ts';
import { nodeSha256 } from '../nodeHash.ts';
import type { SettledInputs } from '../session/session.ts';
import type { Turn } from '../session/workQueue.ts';

/** A copy with stand-ins, and what it is projected with. */
export interface Copy {
  readonly scrubbed: Scrubbed;
  readonly parsed: ParsedSpec;
  readonly at: number;
  readonly inputs: SettledInputs;
  readonly tokens: StageTokens;
}

/** Projects a copy, or another form of its messages, in turns. */
export async function projectCopy(
  engine: Engine,
  { scrubbed, parsed, at, inputs: { budget, binding }, tokens }: Copy,
  turn: Turn,
  source = scrubbed.source,
  observe: (step: StageStep) => void = () => {},
): Promise<Projection> {
  const given = { tokens, budget, binding, memo: createMemo(), sha256: nodeSha256, observe };
  const run = projectSteps(source, parsed.stages, at, given);
  for (let step = run.next(); ; ) {
    if (step.done) return step.value;
    const { value } = step;
    if (value.effect === 'pause') await turn.pause();
    step = run.next(value.effect === 'pause' ? value : await engine.answerInBackground(value));
  }
}
