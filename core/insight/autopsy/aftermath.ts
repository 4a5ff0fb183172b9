// What came behind a compaction, up to the next one or the end of the session.
import { CATEGORIES, type Category } from '../../model/category.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { StageTokens } from '../../view/types.ts';
import { readSaid } from '../uses/said.ts';
import type { Use } from '../uses/types.ts';
import { actsOf, type CallActs } from './acts.ts';
import type { Aftermath, RepeatedCall } from './types.ts';

/** What is looked at. */
export interface AftermathInput {
  readonly source: TranscriptSource;
  readonly tokens: Pick<StageTokens, 'parts'>;
  /** Those of the call points [at, to). */
  readonly uses: readonly Use[];
  readonly covered: readonly number[];
  /** The first call point behind the compaction. */
  readonly at: number;
  /** The first message that the history before did not hold. */
  readonly from: number;
  /** Where the next recorded compaction has its effect, or the session's length: a stage's summary that covers more is the same loss. */
  readonly to: number;
  /** Where the next compaction of any kind has its effect, or the session's length: until there the window fills. */
  readonly until: number;
  /** Of messages that were read for other compactions of the session. */
  readonly acts: Map<number, readonly PlacedAct[]>;
}

/** Messages that are read between two pauses. */
const MESSAGES_A_STEP = 16;

/** Puts together what came behind, in steps of a few milliseconds. */
export function* aftermathSteps(input: AftermathInput): Generator<void, Aftermath, void> {
  const { source, uses, covered, at, to, until } = input;
  const actsOfMessage = (index: number): readonly PlacedAct[] => {
    const known = input.acts.get(index) ?? [...actsAt(source, index)];
    input.acts.set(index, known);
    return known;
  };
  const inSpan = new Set(covered);
  const again = uses.filter(({ sources }) => sources.some(({ index }) => inSpan.has(index)));
  const rereads = again.filter(({ kind }) => kind === 'reread');
  const acts: PlacedAct[] = [];
  for (let index = at; index < to; index++) {
    acts.push(...actsOfMessage(index));
    if (index % MESSAGES_A_STEP === 0) yield;
  }
  const firstEdit = acts.find(({ act }) => act.edits)?.index ?? null;
  const refill = refillOf(input);
  return {
    calls: assistantsIn(source, at, until).length,
    rereads: rereads.filter(({ changed }) => !changed).map(repeatedCall),
    changedRereads: rereads.filter(({ changed }) => changed).length,
    repeatedFailures: again.filter(({ kind }) => kind === 'repeated_failure').map(repeatedCall),
    filesReadAgain: yield* filesReadAgain(actsOfMessage, covered, acts),
    callsToFirstEdit: firstEdit === null ? null : assistantsIn(source, at, firstEdit + 1).length,
    firstEditAt: firstEdit,
    refill,
    refillTokens: refill.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function repeatedCall({ at, evidence, sources, tokens, cost, ignored }: Use): RepeatedCall {
  return { at, evidence, sources: sources.map(({ index }) => index), tokens, cost, ignored };
}

/** What a call of a message does. */
export interface PlacedAct {
  readonly index: number;
  readonly act: CallActs;
}

function* actsAt(source: TranscriptSource, index: number): Iterable<PlacedAct> {
  if (!source.facts(index).parts.some(({ kind }) => kind === 'tool_call')) return;
  const { message, parts } = readSaid(source, index);
  for (const { part } of parts) if (part.kind === 'tool_call') yield { index, act: actsOf(message, part) };
}

function assistantsIn(source: TranscriptSource, from: number, to: number): readonly number[] {
  const found: number[] = [];
  for (let index = from; index < to; index++) if (source.facts(index).role === 'assistant') found.push(index);
  return found;
}

function* filesReadAgain(
  actsOfMessage: (index: number) => readonly PlacedAct[],
  covered: readonly number[],
  acts: readonly PlacedAct[],
): Generator<void, Aftermath['filesReadAgain'], void> {
  const known = new Set<string>();
  for (const [nth, index] of covered.entries()) {
    for (const { act } of actsOfMessage(index)) for (const path of act.read) known.add(path);
    if (nth % MESSAGES_A_STEP === 0) yield;
  }
  const found = new Map<string, number>();
  for (const { index, act } of acts) {
    for (const path of act.read) if (known.has(path) && !found.has(path)) found.set(path, index);
  }
  return [...found].map(([path, at]) => ({ path, at }));
}

function refillOf({ source, tokens, from, until }: AftermathInput): Aftermath['refill'] {
  const sums = new Map<Category, number>();
  for (let index = from; index < until; index++) {
    const counts = tokens.parts(index);
    for (const [at, { category }] of source.facts(index).parts.entries()) {
      sums.set(category, (sums.get(category) ?? 0) + (counts[at] ?? 0));
    }
  }
  const filled = CATEGORIES.map((kind) => ({ kind, tokens: sums.get(kind) ?? 0 })).filter((each) => each.tokens > 0);
  return filled.sort((a, b) => b.tokens - a.tokens);
}
