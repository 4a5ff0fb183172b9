// What a context policy decides at a call point: room, summary, window. What changes from one call point to the next: the
// window slides, rarely another summary applies, and an earlier stage may have changed something within the window: then
// that is drawn again.
import type { Problem } from '../../model/problem.ts';
import { effectiveFrom } from '../../model/transcript.ts';
import type { IncrementalContext } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import { ownPartOf } from '../../view/origins.ts';
import { itemFacts, itemText, type ViewReader } from '../../view/reader.ts';
import type { SyntheticItem, View, ViewItem } from '../../view/types.ts';
import { grouped } from '../../view/words.ts';
import { type Estimator, estimatorOf } from './entries.ts';
import { History } from './history.ts';
import {
  type Maker,
  pendingItems,
  type Replacement,
  replacementFor,
  replacementItem,
  summaryItem,
  systemItem,
} from './made.ts';
import type { ContextPolicyParams } from './params.ts';
import { leftOf, type Room, roomOf, summaryTokens, systemEnd, systemTokens } from './segments.ts';
import { shownKinds } from './shown.ts';
import { isSummaryItem, type Summaries, summariesOf } from './summary.ts';
import type { WindowLimits } from './window.ts';
import { samePlace, WindowQueue } from './windowQueue.ts';

/** The code of the problem that the latest summary does not fit. */
export const SUMMARY_TOO_LARGE = 'context.summary_too_large';

/** What the policy does at a call point. */
export interface Decision {
  readonly at: number;
  readonly room: Room;
  /** The room the window was drawn in: a placeholder counts there with the most it could take. */
  readonly drawnIn: Room;
  /** What a placeholder takes at most where one is wanted, whether it fits or not; 0 = none is wanted. */
  readonly placeholder: number;
  readonly summaries: Summaries;
  readonly history: History;
  /** Behind the system segment. */
  readonly head: LivePlace;
  /** What is behind it: the policy's own system prompt, the summary. */
  readonly made: readonly SyntheticItem[];
  readonly pending: readonly SyntheticItem[];
  readonly standIn: Replacement | null;
  /** What decides about summaries. */
  readonly summaryKey: string;
  readonly problems: readonly Problem[];
  /** What hidden messages hang on: another one means all of them are looked at again. */
  readonly rules: string;
}

/** What the window at a call point is drawn by. */
interface Drawing extends Pick<Decision, 'room' | 'summaries' | 'head' | 'summaryKey'> {
  readonly before: Decision | null;
}

/** Why it does nothing there: system or pending do not fit. */
export interface Refusal {
  readonly at: number;
  readonly room: Room;
  readonly problems: readonly Problem[];
  readonly error: Problem;
}

/** Decides from call point to call point, in ascending order. */
export class ContextDecider {
  readonly estimator: Estimator;
  readonly window = new WindowQueue();
  readonly #params: ContextPolicyParams;
  readonly #context: IncrementalContext;
  /** Cells that hold summaries of earlier stages, and how many synthetic messages each cell holds. */
  readonly summaryCells = new Set<number>();
  readonly #synthetic = new Map<number, number>();
  readonly #effective: readonly number[];
  #at = 0;
  #limits: WindowLimits | null = null;
  #summaries: { readonly key: string; readonly inView: SyntheticItem | null; readonly found: Summaries } | null = null;
  #isTruncated = false;

  constructor(params: ContextPolicyParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.estimator = remembering(estimatorOf(params.estimator, context));
    this.#effective = context.source
      .compactions()
      .map(effectiveFrom)
      .sort((a, b) => a - b);
  }

  /** Moves on to a call point; `before` = what was decided at the one before it, null if nothing was. */
  decide(input: LiveView, at: number, before: Decision | null): Decision | Refusal {
    this.#noteSynthetic(input);
    const decided = this.#next(input, at, before);
    this.#at = at;
    return decided;
  }

  #next(input: LiveView, at: number, before: Decision | null): Decision | Refusal {
    const params = this.#params;
    const context = { ...this.#context, at };
    const reader = liveReader(input, this.#context);
    const found = this.#summariesAt(input, at, true);
    const end = systemEnd(reader, found.isSummary);
    const { room, problems } = roomOf(
      params,
      systemTokens(params, reader, end, this.estimator),
      this.estimator,
      context,
    );
    const error = problems.find(({ severity }) => severity === 'error');
    if (error !== undefined) return { at, room, problems, error };
    const taken = found.used === null ? 0 : summaryTokens(found.used, room, this.estimator);
    const summaries = taken === null ? this.#summariesAt(input, at, false) : found;
    const history = new History(reader, params, this.#context, {
      systemEnd: end,
      summaries,
      estimator: this.estimator,
    });
    const head = input.place(end);
    const whole: Room = { ...room, summary: taken ?? 0 };
    const summaryKey = this.#keyOf(summaries, at);
    const drawn = this.#draw(input, at, reader, history, { room: whole, summaries, before, head, summaryKey });
    const maker: Maker = { reader, params, stage: this.#context.stage };
    const { source } = this.#context;
    const standIn = drawn.hasStandIn ? replacementFor(source, this.#countLeft(input, end, history, summaries)) : null;
    const summary =
      standIn === null
        ? summaryItem(summaries.used, maker)
        : replacementItem(standIn, this.firstShown(input, at), maker);
    return {
      at,
      room: standIn === null ? drawn.room : { ...drawn.room, summary: this.estimator.text(standIn.text) },
      drawnIn: drawn.room,
      placeholder: drawn.placeholder,
      summaries,
      history,
      head,
      made: [systemItem(maker), summary].flatMap((item) => item ?? []),
      pending: pendingItems(at, maker),
      standIn,
      summaryKey,
      problems: taken === null ? [...problems, summaryTooLarge(room)] : problems,
      rules: `${summaryKey} ${standIn !== null}`,
    };
  }

  // Where a summary is wanted and none applies, what is in its place takes room too: the window is then
  // drawn again.
  #draw(
    input: LiveView,
    at: number,
    reader: ViewReader,
    history: History,
    drawing: Drawing,
  ): { readonly room: Room; readonly placeholder: number; readonly hasStandIn: boolean } {
    const params = this.#params;
    const { room, summaries } = drawing;
    const wants =
      params.summarization === 'request_new' && params.includeKinds.has('summary') && summaries.used === null;
    const most = this.estimator.text(replacementFor(this.#context.source, at).text);
    const placeholder = wants ? most : 0;
    const smaller: Room = { ...room, summary: most };
    const fits = wants && most <= leftOf(room.budget, room);
    const isSame = this.#isSame(input, drawing);
    if (!isSame) this.#isTruncated = false;
    const limits = limitsOf(params, this.#isTruncated && fits ? smaller : room);
    if (!isSame || !this.#moveOn(input, reader, history, limits)) {
      const whole = limitsOf(params, room);
      this.window.draw(input, reader, history, whole);
      this.#limits = whole;
      this.#isTruncated = false;
    }
    if (this.window.refused === null || !fits) return { room, placeholder, hasStandIn: false };
    if (!this.#isTruncated) {
      this.#limits = limitsOf(params, smaller);
      this.window.draw(input, reader, history, this.#limits);
      this.#isTruncated = true;
    }
    return { room: smaller, placeholder, hasStandIn: true };
  }

  #moveOn(input: LiveView, reader: ViewReader, history: History, limits: WindowLimits): boolean {
    const { budget = 0, hard = 0 } = this.#limits ?? {};
    if (limits.budget > budget || limits.hard > hard) return false;
    this.#limits = limits;
    return this.window.moveOn(this.#at, input, reader, history, limits);
  }

  // Whether the window can move on from where it was: all that is new is behind it, or so far before it that nothing
  // of it could come in.
  #isSame(input: LiveView, { before, head, summaryKey }: Drawing): boolean {
    const { oldest, refused } = this.window;
    if (before === null || oldest === null || before.summaryKey !== summaryKey) return false;
    if (!samePlace(before.head, head)) return false;
    for (const [cell, items] of input.changed) {
      if (cell >= this.#at) continue;
      if (refused === null || cell >= refused.start.cell || cell <= head.cell) return false;
      const makesCalls = (item: ViewItem) => this.#factsOf(item).role === 'assistant';
      if (items.some(makesCalls) || input.at(cell).some(makesCalls)) return false;
    }
    return true;
  }

  #factsOf(item: ViewItem) {
    return itemFacts(item, this.#context.source, this.#context.memo);
  }

  #noteSynthetic(input: LiveView): void {
    for (const cell of input.whole === null ? input.changed.keys() : syntheticCells(input, input.whole)) {
      const items = input.at(cell);
      const count = items.filter(({ kind }) => kind === 'synthetic').length;
      if (count === 0) this.#synthetic.delete(cell);
      else this.#synthetic.set(cell, count);
      if (items.some(isSummaryItem)) this.summaryCells.add(cell);
      else this.summaryCells.delete(cell);
    }
  }

  #summariesAt(input: LiveView, at: number, isAllowed: boolean): Summaries {
    const { summarization, includeKinds } = this.#params;
    const { source, memo } = this.#context;
    const last = this.summaryCells.size === 0 ? -1 : Math.max(...this.summaryCells);
    const inView = last < 0 ? null : (input.at(last).findLast(isSummaryItem) ?? null);
    const written = source.summaries().reduce((count, { to }) => count + Number(to <= at), 0);
    const key = `${this.#effectiveAt(at)} ${written}`;
    const wanted = isAllowed && summarization !== 'none' && includeKinds.has('summary');
    const known = this.#summaries;
    if (wanted && known !== null && known.key === key && known.inView === inView) return known.found;
    const found = summariesOf(inView, { source, memo, at }, wanted);
    if (wanted) this.#summaries = { key, inView, found };
    return found;
  }

  #effectiveAt(at: number): number {
    return this.#effective.findLastIndex((from) => from <= at);
  }

  #keyOf({ used, hasRecorded }: Summaries, at: number): string {
    const recorded = hasRecorded ? this.#effectiveAt(at) : '';
    if (used?.kind !== 'artifact') return `${recorded} ${used?.kind ?? 'none'}`;
    const { to, origin, version } = used.artifact;
    return `${recorded} ${origin} ${to} ${version}`;
  }

  // Source messages of the history before the window. Where none is left out for its own sake, they need not be looked at.
  #countLeft(input: LiveView, head: number, history: History, { hasRecorded }: Summaries): number {
    const front = this.window.oldest?.start ?? input.place(input.length);
    const kinds = shownKinds(this.#params.includeKinds);
    const isPlain = !hasRecorded && kinds.has('message') && kinds.has('tool_call');
    if (isPlain) return this.#sourcesBefore(input, front) - this.#sourcesBefore(input, input.place(head));
    let left = 0;
    for (let position = head, end = input.before(front.cell) + front.slot; position < end; position++) {
      const item = input.item(position);
      if (item.kind === 'source' && history.leaves(item) === null) left++;
    }
    return left;
  }

  #sourcesBefore(input: LiveView, { cell, slot }: LivePlace): number {
    let sources = input.before(cell) + input.at(cell).filter(({ kind }, at) => at < slot && kind === 'source').length;
    for (const [other, count] of this.#synthetic) if (other < cell) sources -= count;
    return sources;
  }

  /** Source index of the first message of the history that is shown; the call point if none is. */
  firstShown(input: LiveView, at: number): number {
    const first = this.window.oldest?.first;
    return first === undefined ? at : sourceFrom(input, first, at);
  }
}

function syntheticCells(input: LiveView, { items }: View): ReadonlySet<number> {
  const cells = new Set<number>();
  for (const [position, { kind }] of items.entries()) if (kind === 'synthetic') cells.add(input.place(position).cell);
  return cells;
}

function limitsOf({ keepLastTurns, maxMessages }: ContextPolicyParams, room: Room): WindowLimits {
  return { budget: leftOf(room.budget, room), hard: leftOf(room.total, room), keepLastTurns, maxMessages };
}

/** The source index at a place, or the next one behind it; the call point if there is none. */
export function sourceFrom(input: LiveView, place: LivePlace, at: number): number {
  for (let cell = place.cell, slot = place.slot; cell < input.cells; cell = input.nextCell(cell + 1), slot = 0) {
    const found = input.at(cell).findLast((item, position) => position >= slot && item.kind === 'source');
    if (found?.kind === 'source') return found.index;
  }
  return at;
}

function summaryTooLarge(room: Room): Problem {
  const text = `The latest summary does not fit: ${grouped(Math.max(0, leftOf(room.budget, room)))} tokens are left after system and pending. The history is sent without it.`;
  return { code: SUMMARY_TOO_LARGE, severity: 'warning', text };
}

/** Counts of texts are asked for at every call point: what is pending, the system prompt. */
function remembering(estimator: Estimator): Estimator {
  const known = new Map<string, number>();
  return {
    item: (item) => estimator.item(item),
    text(text) {
      const count = known.get(text) ?? estimator.text(text);
      if (known.size > 1000) known.clear();
      known.set(text, count);
      return count;
    },
  };
}

function liveReader(input: LiveView, { source, memo }: IncrementalContext): ViewReader {
  return {
    length: input.length,
    item: (position) => input.item(position),
    facts: (position) => itemFacts(input.item(position), source, memo),
    text: (position) => itemText(input.item(position), source),
    indexOf(position) {
      const item = input.item(position);
      return item.kind === 'source' ? item.index : null;
    },
    rawPart: (position, part) => ownPartOf(input.item(position), part),
  };
}
