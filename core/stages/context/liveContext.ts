// context_policy along the call points. What changes from one to the next: the window slides, rarely another summary
// applies, and an earlier stage may have changed something within the window: then that is drawn anew.
import { effectiveFrom } from '../../model/transcript.ts';
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import { ownPartOf } from '../../view/origins.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemFacts, itemText, type ViewReader } from '../../view/reader.ts';
import type { Fate, FateKind, SyntheticItem, ViewItem } from '../../view/types.ts';
import { type Estimator, estimatorOf } from './entries.ts';
import { History } from './history.ts';
import { isBefore, LiveWindow, samePlace } from './liveWindow.ts';
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
import { summaryFate, systemTokens } from './projectPolicy.ts';
import { type Outcome, Sentences } from './report.ts';
import { leftOf, type Room, roomOf, summaryTokens, systemEnd } from './segments.ts';
import { editedFate, excludedFate, shownKinds } from './shown.ts';
import { isSummaryItem, type Summaries, summariesOf } from './summary.ts';
import type { WindowLimits } from './window.ts';

/** What the policy does at the call point it stands at. */
interface State {
  readonly at: number;
  readonly room: Room;
  readonly summaries: Summaries;
  readonly history: History;
  /** Behind the system segment. */
  readonly head: LivePlace;
  /** What stands behind it: the policy's own system prompt, the summary. */
  readonly made: readonly SyntheticItem[];
  readonly pending: readonly SyntheticItem[];
  readonly standIn: Replacement | null;
  /** What decides about summaries. */
  readonly summaryKey: string;
  /** What hidden messages hang on: another one means all of them are looked at again. */
  readonly rules: string;
}

/** What the window at a call point is drawn by. */
interface Drawing extends Pick<State, 'room' | 'summaries' | 'head' | 'summaryKey'> {
  readonly before: State | null;
}

/** The run of one spec's stage. */
export class LiveContext implements IncrementalRun {
  readonly #params: ContextPolicyParams;
  readonly #context: IncrementalContext;
  readonly #estimator: Estimator;
  readonly #window = new LiveWindow();
  /** Cells that hold summaries of earlier stages, and how many synthetic messages each cell holds. */
  readonly #inView = new Set<number>();
  readonly #synthetic = new Map<number, number>();
  readonly #effective: readonly number[];
  #input: LiveView | null = null;
  #state: State | null = null;
  #sentences: Sentences | null = null;
  #at = 0;
  #limits: WindowLimits | null = null;
  #summaries: { readonly key: string; readonly inView: SyntheticItem | null; readonly found: Summaries } | null = null;
  #isTruncated = false;

  constructor(params: ContextPolicyParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#estimator = remembering(estimatorOf(params.estimator, context));
    this.#effective = context.source
      .compactions()
      .map(effectiveFrom)
      .sort((a, b) => a - b);
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    this.#input = input;
    this.#sentences = null;
    this.#noteSynthetic(input);
    const before = this.#state;
    const front = this.#window.oldest?.start ?? null;
    const covered = [...this.#window.covered];
    const refused = this.#window.refused;
    this.#state = this.#next(input, at, before);
    const state = this.#state;
    const cells = new Set(input.changed.keys());
    if (state?.rules !== before?.rules) {
      for (let cell = 0; cell < at; cell++) cells.add(cell);
    }
    for (const place of [before?.head, state?.head]) if (place) cells.add(place.cell);
    cells.add(input.cells - 1);
    addRange(cells, front, this.#window.oldest?.start ?? null, at);
    for (const item of [...covered, ...this.#window.covered]) if (item.kind === 'source') cells.add(item.index);
    for (const unit of [refused, this.#window.refused]) if (unit !== null) cells.add(unit.start.cell);
    if (before !== null && state !== null && !samePlace(before.head, state.head)) {
      for (
        let cell = Math.min(before.head.cell, state.head.cell);
        cell <= Math.max(before.head.cell, state.head.cell);
      )
        cells.add(cell++);
    }
    for (const cell of this.#inView) cells.add(cell);
    for (const cell of cells) this.#show(cell, state, input, overlay);
    this.#at = at;
  }

  fateOf(index: number): Fate | null {
    const current = this.#current;
    const item = current?.input.source(index) ?? null;
    if (current === null || item === null) return null;
    const { input, state } = current;
    const place = { cell: index, slot: input.at(index).length - 1 };
    const kinds = shownKinds(this.#params.includeKinds);
    const context = { ...this.#context, at: state.at };
    this.#sentences ??= new Sentences(this.#context.stage, this.#params, this.#outcome(input, state));
    if (isBefore(place, state.head))
      return this.#params.systemPrompt === null ? null : this.#sentences.replacedSystem();
    if (this.#isShown(item, place, state)) {
      return state.history.shown(item) === item ? null : editedFate(item, kinds, context);
    }
    switch (state.history.leavesHistory(item)) {
      case 'excluded':
        return excludedFate(kinds, context);
      case 'covered':
        return state.summaries.used === null ? null : this.#sentences.covered(state.summaries.used);
      case 'other_summary':
        return summaryFate(index, state.summaries, this.#params, context, this.#sentences);
      default:
        return this.#sentences.outside(this.#isRefused(place));
    }
  }

  get #current(): { readonly input: LiveView; readonly state: State } | null {
    return this.#input === null || this.#state === null ? null : { input: this.#input, state: this.#state };
  }

  #next(input: LiveView, at: number, before: State | null): State | null {
    const params = this.#params;
    const context = { ...this.#context, at };
    const reader = liveReader(input, this.#context);
    const found = this.#summariesAt(input, at, true);
    const end = systemEnd(reader, found.isSummary);
    const { room, problems } = roomOf(
      params,
      systemTokens(params, reader, end, this.#estimator),
      this.#estimator,
      context,
    );
    if (problems.some(({ severity }) => severity === 'error')) return null;
    const taken = found.used === null ? 0 : summaryTokens(found.used, room, this.#estimator);
    const summaries = taken === null ? this.#summariesAt(input, at, false) : found;
    const history = new History(reader, params, this.#context, {
      systemEnd: end,
      summaries,
      estimator: this.#estimator,
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
        : replacementItem(standIn, this.#firstShown(input, at), maker);
    return {
      at,
      room: standIn === null ? drawn.room : { ...drawn.room, summary: this.#estimator.text(standIn.text) },
      summaries,
      history,
      head,
      made: [systemItem(maker), summary].flatMap((item) => item ?? []),
      pending: pendingItems(at, maker),
      standIn,
      summaryKey,
      rules: `${summaryKey} ${standIn !== null}`,
    };
  }

  // As decide() of the stage: where a summary is wanted and none applies, what stands in its place takes room too.
  #draw(
    input: LiveView,
    at: number,
    reader: ViewReader,
    history: History,
    drawing: Drawing,
  ): { readonly room: Room; readonly hasStandIn: boolean } {
    const params = this.#params;
    const wants = params.summarization === 'request_new' && params.includeKinds.has('summary');
    const { room, summaries } = drawing;
    const most = this.#estimator.text(replacementFor(this.#context.source, at).text);
    const smaller: Room = { ...room, summary: most };
    const fits = wants && summaries.used === null && most <= leftOf(room.budget, room);
    const isSame = this.#isSame(input, drawing);
    if (!isSame) this.#isTruncated = false;
    const limits = limitsOf(params, this.#isTruncated && fits ? smaller : room);
    if (!isSame || !this.#moveOn(input, reader, history, limits)) {
      const whole = limitsOf(params, room);
      this.#window.draw(input, reader, history, whole);
      this.#limits = whole;
      this.#isTruncated = false;
    }
    if (this.#window.refused === null || !fits) return { room, hasStandIn: false };
    if (!this.#isTruncated) {
      this.#limits = limitsOf(params, smaller);
      this.#window.draw(input, reader, history, this.#limits);
      this.#isTruncated = true;
    }
    return { room: smaller, hasStandIn: true };
  }

  #moveOn(input: LiveView, reader: ViewReader, history: History, limits: WindowLimits): boolean {
    const { budget = 0, hard = 0 } = this.#limits ?? {};
    if (limits.budget > budget || limits.hard > hard) return false;
    this.#limits = limits;
    return this.#window.moveOn(this.#at, input, reader, history, limits);
  }

  // Whether the window can move on from where it was: all that is new stands behind it, or so far before it that nothing
  // of it could come in.
  #isSame(input: LiveView, { before, head, summaryKey }: Drawing): boolean {
    const { oldest, refused } = this.#window;
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
    for (const cell of input.changed.keys()) {
      const items = input.at(cell);
      const count = items.filter(({ kind }) => kind === 'synthetic').length;
      if (count === 0) this.#synthetic.delete(cell);
      else this.#synthetic.set(cell, count);
      if (items.some(isSummaryItem)) this.#inView.add(cell);
      else this.#inView.delete(cell);
    }
  }

  #summariesAt(input: LiveView, at: number, isAllowed: boolean): Summaries {
    const { summarization, includeKinds } = this.#params;
    const { source } = this.#context;
    const last = this.#inView.size === 0 ? -1 : Math.max(...this.#inView);
    const inView = last < 0 ? null : (input.at(last).findLast(isSummaryItem) ?? null);
    const written = source.summaries().reduce((count, { to }) => count + Number(to <= at), 0);
    const key = `${this.#effectiveAt(at)} ${written}`;
    const wanted = isAllowed && summarization !== 'none' && includeKinds.has('summary');
    const known = this.#summaries;
    if (wanted && known !== null && known.key === key && known.inView === inView) return known.found;
    const found = summariesOf(inView, { source, at }, wanted);
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
    const front = this.#window.oldest?.start ?? input.place(input.length);
    const kinds = shownKinds(this.#params.includeKinds);
    const isPlain = !hasRecorded && kinds.has('message') && kinds.has('tool_call');
    if (isPlain) return this.#sourcesBefore(input, front) - this.#sourcesBefore(input, input.place(head));
    let left = 0;
    for (let position = head, end = input.before(front.cell) + front.slot; position < end; position++) {
      const item = input.item(position);
      if (item.kind === 'source' && history.leavesHistory(item) === null) left++;
    }
    return left;
  }

  #sourcesBefore(input: LiveView, { cell, slot }: LivePlace): number {
    let sources = input.before(cell) + input.at(cell).filter(({ kind }, at) => at < slot && kind === 'source').length;
    for (const [other, count] of this.#synthetic) if (other < cell) sources -= count;
    return sources;
  }

  #firstShown(input: LiveView, at: number): number {
    const first = this.#window.oldest?.first;
    return first === undefined ? at : sourceFrom(input, first, at);
  }

  #outcome(input: LiveView, { at, room, standIn }: State): Outcome {
    const { tokens, messages, end, refused } = this.#window;
    const sized =
      refused === null
        ? null
        : { ...refused, turnsAfter: this.#window.turnsAfter(refused), start: 0, end: 0, positions: [] };
    return {
      room,
      window: { taken: [], tokens, messages, end, refused: sized },
      firstShown: this.#firstShown(input, at),
      refused: refused === null ? 0 : sourceFrom(input, refused.first, at),
      standIn,
    };
  }

  #isRefused(place: LivePlace): boolean {
    const { refused } = this.#window;
    return refused !== null && !isBefore(place, refused.start) && !isBefore(refused.end, place);
  }

  #isShown(item: ViewItem, place: LivePlace, { history }: State): boolean {
    const { oldest, covered } = this.#window;
    if (oldest === null || isBefore(place, oldest.start)) return false;
    return history.leavesHistory(item) === null || (covered.has(item) && history.shown(item) !== null);
  }

  #show(cell: number, state: State | null, input: LiveView, overlay: Overlay): void {
    const items = input.at(cell);
    if (state === null) {
      overlay.pass(cell);
      overlay.fate(cell, null);
      return;
    }
    const out: ViewItem[] = [];
    let kind: FateKind | null = null;
    const hasHead = cell === state.head.cell;
    for (let slot = 0; slot <= items.length; slot++) {
      if (hasHead && slot === Math.min(state.head.slot, items.length)) out.push(...state.made);
      const item = items[slot];
      if (item === undefined) continue;
      const shown = this.#shownAt(item, { cell, slot }, state);
      if (shown !== null) out.push(shown);
      if (item.kind === 'source') kind = shown === null ? this.#hiddenKind(item, { cell, slot }, state) : null;
      if (item.kind === 'source' && shown !== null && shown !== item) kind = 'rewritten';
    }
    if (cell === input.cells - 1) out.push(...state.pending);
    if (out.length === items.length && out.every((item, at) => item === items[at])) overlay.pass(cell);
    else overlay.replace(cell, out);
    if (cell < input.cells - 1) overlay.fate(cell, kind);
  }

  #shownAt(item: ViewItem, place: LivePlace, state: State): ViewItem | null {
    if (isBefore(place, state.head)) return this.#params.systemPrompt === null ? item : null;
    return this.#isShown(item, place, state) ? state.history.shown(item) : null;
  }

  #hiddenKind(item: ViewItem, place: LivePlace, { head, history, summaries, standIn, at }: State): FateKind {
    if (isBefore(place, head)) return 'dropped';
    switch (history.leavesHistory(item)) {
      case 'covered':
        return 'summarised';
      case 'other_summary': {
        const last = this.#context.source
          .compactions()
          .findLast(({ summaryIndex }) => summaryIndex !== undefined && summaryIndex < at);
        const { used } = summaries;
        const isRecorded = used?.kind === 'artifact' && used.artifact.origin === 'recorded';
        return isRecorded && item.kind === 'source' && last?.summaryIndex === item.index ? 'merged' : 'dropped';
      }
      case 'excluded':
        return 'dropped';
      default:
        return standIn === null ? 'dropped' : 'summarised';
    }
  }
}

function limitsOf({ keepLastTurns, maxMessages }: ContextPolicyParams, room: Room): WindowLimits {
  return { budget: leftOf(room.budget, room), hard: leftOf(room.total, room), keepLastTurns, maxMessages };
}

function addRange(cells: Set<number>, a: LivePlace | null, b: LivePlace | null, last: number): void {
  const from = Math.min(a?.cell ?? last, b?.cell ?? last);
  const to = Math.max(a?.cell ?? last, b?.cell ?? last);
  for (let cell = from; cell <= to; cell++) cells.add(cell);
}

function sourceFrom(input: LiveView, place: LivePlace, at: number): number {
  for (let cell = place.cell, slot = place.slot; cell < input.cells; cell = input.nextCell(cell + 1), slot = 0) {
    const found = input.at(cell).findLast((item, position) => position >= slot && item.kind === 'source');
    if (found?.kind === 'source') return found.index;
  }
  return at;
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
