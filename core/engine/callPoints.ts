// All call points of an open transcript: followed in slices, so that whoever clicks is answered in between.
import { setTimeout } from 'node:timers/promises';
import {
  type CallPointStep,
  followCallPoints,
  type ReachedPoint,
  type TallyItem,
} from '../projection/allCallPoints.ts';
import type { ParsedSpec } from '../projection/parseSpec.ts';
import type { ProtocolError } from '../protocol/methods.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { StageAnswer, ViewItem } from '../view/types.ts';
import { type Engine, failure, GATHERING } from './engine.ts';
import { nodeSha256 } from './nodeHash.ts';
import type { Session } from './session/session.ts';
import { TableTokens } from './session/stageTokens.ts';
import type { Tokenizing } from './session/tokenizing.ts';
import { createSlicer } from './slicer.ts';

/** Characters of edits counted at one call point (about 10 ms); what is beyond stays an estimate in this run. */
const STAND_BACK_MS = 10;
const COUNT_CHARS = 20_000;

/** What is followed. */
export interface Following {
  readonly engine: Engine;
  readonly session: Session;
  readonly parsed: ParsedSpec;
  readonly tokens: Tokenizing;
  /** Ascending. */
  readonly points: readonly number[];
}

/**
 * Moves along the call points: `take` computes at each, `told` is given what it made, and ends the run with false. Gives
 * how many counts the stages had to guess. Error: the user's code failed; it would at every other call point too.
 */
export async function followInSlices<T>(
  { engine, session, parsed, tokens, points }: Following,
  take: (point: ReachedPoint) => T,
  told: (value: T) => boolean,
): Promise<Result<{ readonly guesses: number }, ProtocolError>> {
  const inputs = session.inputsFor(parsed.spec, { tokenizer: tokens.table.tokenizer });
  const options = { memo: session.memo, sha256: nodeSha256, tokens: inputs.tokens, budget: inputs.budget };
  const run = followCallPoints<Result<T, ProtocolError>>(
    { source: session.source, stages: parsed.stages, points, options },
    (point) => {
      const failed = failureAt(point);
      return failed === null ? ok(take(point)) : err(failed);
    },
  );
  const gathers = parsed.stages.some(({ enabled, kind }) => enabled && GATHERING.has(kind));
  const slicer = createSlicer();
  let answer: StageAnswer | null = null;
  for (;;) {
    await slicer.pause();
    await standBack(session);
    const ended = { guesses: inputs.tokens.guesses ?? 0 };
    if (session.closed) return ok(ended);
    if (inputs.tokens instanceof TableTokens) inputs.tokens.refill(COUNT_CHARS);
    const step: IteratorResult<CallPointStep<Result<T, ProtocolError>>, void> = run.next(answer);
    answer = null;
    if (step.done === true) return ok(ended);
    if (step.value.kind === 'effect') answer = await engine.answerInBackground(step.value.effect);
    if (step.value.kind !== 'point') continue;
    // The way here has read the whole transcript for the stages that remember it.
    if (gathers) session.gathered = session.source.length;
    const { figures } = step.value;
    if (!figures.ok) return figures;
    if (!told(figures.value)) return ok(ended);
  }
}

/** Waits while a projection that somebody looks at is being made: work over many of them comes after it. */
export async function standBack(session: Session): Promise<void> {
  while (session.projecting > 0 && !session.closed) await setTimeout(STAND_BACK_MS);
}

function failureAt({ stages }: ReachedPoint): ProtocolError | null {
  for (const { problems } of stages) {
    const failed = problems.find(({ code, severity }) => severity === 'error' && code.startsWith('custom.'));
    if (failed !== undefined) return failure(failed.code, failed.text);
  }
  return null;
}

/** Tokens of items by the session's counts; `counted` is false once an edit had to be estimated. */
export class SessionTally {
  readonly #session: Session;
  readonly #tokens: Tokenizing;
  readonly #allowance = { chars: COUNT_CHARS };
  /** What stages made is mostly the same object whenever it comes into the view again. */
  readonly #known = new WeakMap<ViewItem, { readonly byCategory: readonly number[]; readonly parts: number }>();
  counted = true;

  constructor(session: Session, tokens: Tokenizing) {
    this.#session = session;
    this.#tokens = tokens;
  }

  readonly add: TallyItem = (item, out) => {
    const { text } = item;
    if (item.kind === 'source' && text === undefined) {
      this.#tokens.table.addRange(out, item.index, item.index + 1);
      const prefix = this.#session.source.partPrefix();
      return prefix[item.index + 1]! - prefix[item.index]!;
    }
    const { byCategory, parts } = this.#known.get(item) ?? this.#count(item, text ?? '');
    for (let slot = 0; slot < byCategory.length; slot++) out[slot]! += byCategory[slot]!;
    return parts;
  };

  #count(item: ViewItem, text: string) {
    const edit = this.#session.edits.read({ ...item, text });
    const { byCategory, counted } = this.#tokens.edit(item, edit, this.#allowance);
    if (!counted) this.counted = false;
    const known = { byCategory, parts: edit.facts.parts.length };
    this.#known.set(item, known);
    return known;
  }

  /** For the next call point. */
  refill(): void {
    this.#allowance.chars = COUNT_CHARS;
  }
}
