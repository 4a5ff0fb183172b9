import type { SliceAnswer } from '../../model/sliceStatement.ts';
import type { TextLoss, TextTrace } from './types.ts';

/** True if a text had the same states at the same call points, lost by the same stage and rule, up to where it was asked. */
export function isSameTrace(a: TextTrace, b: TextTrace): boolean {
  return statesOf(a) === statesOf(b);
}

function statesOf({ changes, firstLoss, now }: TextTrace): string {
  const upTo = changes.filter(({ at }) => at <= now.at).map(({ at, state }) => [at, state]);
  const first = firstLoss !== null && firstLoss.at <= now.at ? firstLoss : null;
  return JSON.stringify([upTo, lossOf(first), now.at, now.state, now.since, lossOf(now.loss)]);
}

function lossOf(loss: TextLoss | null): unknown {
  return loss === null ? null : [loss.at, loss.stage, loss.rule, loss.fate];
}

/** What a bundle says of the text. */
export function answerOf({ text, now }: TextTrace): SliceAnswer {
  const { state, since, loss } = now;
  return { text, state, since, stage: loss?.stageTitle ?? null, rule: loss?.rule ?? null };
}
