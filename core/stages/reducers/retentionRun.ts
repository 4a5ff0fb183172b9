// The run of tool-result retention. While messages are only added, or edited without touching turns, calls and results,
// every result waits for the turn at which it is due, or for the results of its tool that come later; what is due is found
// without looking at the others. Where calls or results come or go, as a repaired failure's, the count begins again from
// there on; where turns are taken back, from the front.
import type { MessageFacts } from '../../model/message.ts';
import { capTokens } from '../../tokens/budget.ts';
import { firstAt } from '../../util/sorted.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import {
  type IncrementalContext,
  type IncrementalRun,
  type IncrementalSteps,
  type ReportDetails,
  roomOf,
} from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import { ownPartOf } from '../../view/origins.ts';
import { BEGINS_TURN, HOLDS_RESULT, outlineOf } from '../../view/outline.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemFacts, readView } from '../../view/reader.ts';
import { countedBody } from '../../view/replaceResult.ts';
import { itemPartTokens } from '../../view/tokens.ts';
import { type Fate, PAUSE, PAUSE_EVERY, type View, type ViewItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { type CallNames, callNames, makesCall } from './callNames.ts';
import { EXPIRED, expiredItem } from './expiry.ts';
import {
  describeEarly,
  type HeldByResults,
  overCap,
  RetentionDecider,
  ruleFor,
  savedChars,
} from './retentionDecider.ts';
import { type Entry, entryOf, goneOf, isGone, type PlacedResult } from './retentionEntries.ts';
import type { RetentionParams, RetentionRule } from './retentionRules.ts';
import type { RetentionDecision } from './retentionWords.ts';
import { Structures } from './structure.ts';

/** What was read of a whole view, whatever the options. */
interface ReadView {
  readonly view: View;
  readonly turnCells: readonly number[];
  readonly results: readonly PlacedResult[];
}

const cellOf = ({ cell }: Entry): number => cell;

/** The results of one tool that count, in order, and how many of them have expired. */
interface Tool {
  readonly entries: Entry[];
  expired: number;
}

const NO_ENTRIES: readonly Entry[] = [];
const NO_DECISIONS: readonly RetentionDecision[] = [];

/** Messages read between two pauses: that is quicker than to edit them. */
const READ_AT_ONCE = 4_096;

/** When the stage acts, with `every` K: the last turn whose number is a multiple of K; null = at every request. */
function lastBeat(turnsBefore: number, every: number): number | null {
  return every <= 1 ? null : turnsBefore - (turnsBefore % every);
}

/** The run of one spec's stage. */
export class RetentionRun implements IncrementalRun {
  #params: RetentionParams;
  readonly #context: IncrementalContext;
  readonly #cap: number | null;
  #input: LiveView | null = null;
  #at = 0;
  #decider: RetentionDecider;
  readonly #none: Fate;
  readonly #names: CallNames;
  readonly #structures: Structures;
  readonly #rules = new Map<string | null, RetentionRule>();
  /** Turns in the transcript, counted where the stage does not act at every request: what earlier stages drop moves no beat. */
  #allTurns = 0;
  /** The message that begins the turn at which the stage acted last; -1 = it has not. What stands before it was judged. */
  #beat = -1;
  /** Cells of the messages that begin turns, in order, a cell once for each; as many as there are turns in the view. */
  #turnCells: number[] = [];
  /** Its rules have changed since the step before. */
  #countsAgain = false;
  /** Turns of the view that count, as of the last beat. */
  #counting = 0;
  #cells = new Map<number, Entry[]>();
  #tools = new Map<string | null, Tool>();
  /** By the turn at which they expire. */
  #due = new Map<number, Entry[]>();
  /** Results that count only when the stage acts next, in order. */
  #waiting: Entry[] = [];
  /** All results, in the order of the view, and what they take. */
  #ordered: Entry[] = [];
  #held = 0;
  readonly #stubs = new Map<string, number>();
  /** How the results stand to the cap; undefined = to be worked out. */
  #heldNow: HeldByResults | null | undefined;
  readonly #dirty = new Set<number>();
  /** Results that have expired in each cell, and the characters they no longer take: a report adds up thirty thousand. */
  readonly #expiredIn: Uint32Array;
  readonly #reclaimedIn: Float64Array;
  readonly #reclaimed = { expired: 0, reclaimedChars: 0 };
  readonly keepsTurns = true;
  /** Under a cap it counts what results take. */
  readonly readsNoWords: boolean;

  constructor(params: RetentionParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#cap = capTokens(context.budget, 'tool_result');
    this.readsNoWords = this.#cap === null;
    this.#decider = new RetentionDecider(params, context, lastBeat(0, params.every));
    this.#structures = new Structures(context);
    // A cell for each message, and one for what is behind the last.
    this.#expiredIn = new Uint32Array(roomOf(context) + 1);
    this.#reclaimedIn = new Float64Array(roomOf(context) + 1);
    this.#names = callNames(context.source, context.memo);
    this.#none = keptBecause(context.stage, NOT_CONCERNED, 'kept: holds no tool result');
  }

  // Of each result all is known but when it is due.
  reconfigure(params: RetentionParams): boolean {
    if (this.#input === null || params.every !== this.#params.every) return false;
    this.#params = params;
    this.#decider = new RetentionDecider(params, this.#context, lastBeat(this.#allTurns, params.every));
    this.#rules.clear();
    this.#countsAgain = true;
    return true;
  }

  *step(input: LiveView, at: number, overlay: Overlay): IncrementalSteps {
    this.#input = input;
    this.#heldNow = undefined;
    this.#countTurns(at);
    if (input.whole === null) this.#readChanged(input);
    else yield* this.#readWhole(input.whole, input);
    this.#at = at;
    if (this.#countsAgain) this.#beginCount();
    else if (this.#turnsBack()) {
      this.#readFrom(0, input);
      this.#counting = 0;
      this.#due.clear();
    }
    this.#act();
    if (this.#countsAgain) this.#noteTurned();
    this.#countsAgain = false;
    this.#cutEarly(input);
    let shown = 0;
    for (const cell of this.#dirty) {
      if (++shown % PAUSE_EVERY === 0) yield PAUSE;
      this.#show(cell, input, overlay);
    }
    this.#dirty.clear();
  }

  renew(cell: number, overlay: Overlay): void {
    if (this.#input !== null) this.#show(cell, this.#input, overlay);
  }

  fateOf(index: number): Fate | null {
    const item = this.#input?.source(index);
    const decisions = item?.kind === 'source' ? this.#decisions(index) : NO_DECISIONS;
    if (item?.kind !== 'source' || decisions.length === 0) return null;
    const facts = this.#facts(item);
    const gone = decisions.every(({ expired }) => expired) ? decisions : decisions.filter(({ expired }) => expired);
    const isEdited = gone.length > 0 && this.#expire(item, gone) !== null;
    if (!isEdited) return this.#decider.keptFate(decisions, this.#heldByResults()) ?? null;
    return this.#decider.expiredFate(item, facts, decisions, gone);
  }

  explain(index: number): Fate {
    return this.fateOf(index) ?? this.#none;
  }

  report(): ReportDetails {
    const { expired, reclaimedChars } = this.#reclaimed;
    const held = this.#heldByResults();
    const early = held?.early ?? 0;
    const before = early === 0 ? '' : `, ${grouped(early)} of them early (tier cap)`;
    const summary =
      expired === 0
        ? `nothing expired in ${countOf(this.#input?.length ?? 0, 'message')}`
        : `${countOf(expired, 'result')} expired${before} · −${grouped(reclaimedChars)} chars`;
    const problem = held === null ? null : overCap(held);
    const problems = problem === null ? [] : [problem];
    return { summary, problems, reclaimedChars, reclaimedTokens: Math.floor(reclaimedChars / 4) };
  }

  #beginCount(): void {
    this.#counting = 0;
    this.#tools.clear();
    this.#due.clear();
    this.#waiting = this.#ordered.slice();
    for (let at = 0; at < this.#ordered.length; at++) {
      const entry = this.#ordered[at]!;
      entry.rule = this.#ruleOf(entry.name);
      entry.order = -1;
      entry.expired = false;
    }
  }

  #noteTurned(): void {
    for (let at = 0; at < this.#ordered.length; at++) {
      const { cell, expired, wasExpired } = this.#ordered[at]!;
      if (expired !== wasExpired) this.#dirty.add(cell);
    }
  }

  #countTurns(at: number): void {
    if (this.#params.every <= 1) return;
    const { source } = this.#context;
    for (let index = this.#at; index < at; index++) {
      if (source.facts(index).beginsTurn && ++this.#allTurns % this.#params.every === 0) this.#beat = index;
    }
  }

  #readChanged(input: LiveView): void {
    this.#readFrom(this.#firstMoved(input), input);
    for (const cell of input.changed.keys()) {
      const entries = this.#cells.get(cell);
      if (entries === undefined) continue;
      this.#dirty.add(cell);
      for (const entry of entries) entry.tokens = entry.left = -1;
    }
  }

  // Of a view that was read before, under another option, all is known but the rules.
  *#readWhole(view: View, input: LiveView): IncrementalSteps {
    const last = this.#context.memo.get('retention.lastRead', (): { read: ReadView | null } => ({ read: null }));
    if (last.read?.view === view) {
      this.#turnCells = last.read.turnCells.slice();
      for (const result of last.read.results) this.#add(entryOf(result, this.#ruleOf(result.name)));
      return;
    }
    yield* this.#readAll(view, input);
    const results = this.#ordered.map(({ cell, slot, part, name, turn }) => ({ cell, slot, part, name, turn }));
    last.read = { view, turnCells: this.#turnCells.slice(), results };
  }

  // Only messages that begin turns or hold results are looked at: what is known of the others is a byte each.
  *#readAll(view: View, input: LiveView): IncrementalSteps {
    const flags = outlineOf(readView(view, this.#context.source, this.#context.memo), this.#context);
    for (let position = 0; position < view.items.length; position++) {
      if (position % READ_AT_ONCE === 0) yield PAUSE;
      if ((flags(position) & (BEGINS_TURN | HOLDS_RESULT)) === 0) continue;
      const item = view.items[position]!;
      const { cell, slot } = placeOf(item, position, input);
      this.#readItem(item, cell, slot, input);
    }
  }

  #facts(item: ViewItem): MessageFacts {
    return itemFacts(item, this.#context.source, this.#context.memo);
  }

  // The first cell whose turns, calls or results are others than they were. New messages behind all others are that
  // only for themselves, unless results before them belong to their calls: then it is the first of all.
  #firstMoved(input: LiveView): number {
    let first = input.cells;
    for (const [cell, before] of input.changed) {
      if (cell >= first) continue;
      const isNew = cell >= this.#at && before.length === 0;
      if (!isNew && this.#structures.areSame(before, input.at(cell))) continue;
      if (this.#names.answersCameFirst(cell)) return 0;
      first = cell;
    }
    return first;
  }

  // Reads the cells from one on again; what stands before them stays as it was counted.
  #readFrom(first: number, input: LiveView): void {
    this.#forgetFrom(first);
    for (let cell = input.nextCell(first); cell < input.cells; cell = input.nextCell(cell + 1)) this.#read(cell, input);
  }

  #forgetFrom(first: number): void {
    const gone = this.#ordered.splice(firstAt(this.#ordered, first, cellOf));
    for (const entry of gone) {
      this.#dirty.add(entry.cell);
      this.#cells.delete(entry.cell);
      if (entry.order >= 0) this.#uncount(entry);
    }
    this.#waiting.length = firstAt(this.#waiting, first, cellOf);
    this.#turnCells.length = firstAt(this.#turnCells, first, (cell) => cell);
    for (const tool of new Set(gone.map(({ name }) => this.#tools.get(name)))) if (tool) this.#takeBack(tool);
  }

  #uncount(entry: Entry): void {
    const entries = this.#tools.get(entry.name)?.entries;
    if (entries !== undefined && entries.length > entry.order) entries.length = entry.order;
    if (entry.rule.mode !== 'age') return;
    const at = entry.turn + entry.rule.value;
    const due = this.#due.get(at);
    if (due !== undefined) due.length = firstAt(due, entry.cell, cellOf);
  }

  // Results that had expired because of those that are gone; they do again if others take their place.
  #takeBack(tool: Tool): void {
    const { entries } = tool;
    const { rule } = entries[0] ?? {};
    tool.expired = Math.min(tool.expired, entries.length);
    if (rule?.mode !== 'count') return;
    while (tool.expired > Math.max(0, entries.length - rule.value)) {
      const entry = entries[--tool.expired];
      if (entry === undefined) continue;
      entry.expired = false;
      this.#dirty.add(entry.cell);
    }
  }

  // Fewer turns count than at the last step: what was due may not be any more.
  #turnsBack(): boolean {
    return this.#countingNow() < this.#counting;
  }

  // Of the view's turns those that had begun when the stage acted: of the later ones some may be gone.
  #countingNow(): number {
    if (this.#params.every <= 1) return this.#turnCells.length;
    return firstAt(this.#turnCells, this.#beat + 1, (cell) => cell);
  }

  #read(cell: number, input: LiveView): void {
    for (const [slot, item] of input.at(cell).entries()) this.#readItem(item, cell, slot, input);
    if (this.#cells.has(cell)) this.#dirty.add(cell);
  }

  #readItem(item: ViewItem, cell: number, slot: number, input: LiveView): void {
    const { parts, beginsTurn } = this.#facts(item);
    if (beginsTurn) this.#turnCells.push(cell);
    const turn = this.#turnCells.length;
    for (let part = 0; part < parts.length; part++) {
      if (parts[part]!.kind !== 'tool_result') continue;
      const name = this.#nameOf(item, part, input);
      const rule = this.#ruleOf(name);
      this.#add(entryOf({ cell, slot, part, name, turn }, rule));
    }
  }

  #add(entry: Entry): void {
    const others = this.#cells.get(entry.cell);
    if (others === undefined) this.#cells.set(entry.cell, [entry]);
    else others.push(entry);
    this.#waiting.push(entry);
    this.#ordered.push(entry);
  }

  #ruleOf(name: string | null): RetentionRule {
    const known = this.#rules.get(name);
    if (known !== undefined) return known;
    const { rule } = ruleFor(this.#params, name);
    this.#rules.set(name, rule);
    return rule;
  }

  // The call has to be in the view.
  #nameOf(item: ViewItem, part: number, input: LiveView): string | null {
    const names = this.#names;
    const raw = item.kind === 'source' ? ownPartOf(item, part) : null;
    const callId = this.#facts(item).parts[part]?.callId ?? null;
    const call =
      item.kind === 'source' && raw !== null
        ? names.of(item.index, raw)
        : callId === null
          ? null
          : names.withId(callId);
    const stands = call === null ? null : input.source(call.index);
    if (call === null || stands === null) return null;
    return stands.text === undefined || makesCall(this.#facts(stands), call.callId) ? call.name : null;
  }

  // Brings everything up to the turn at which the stage acted last.
  #act(): void {
    const actedAt = lastBeat(this.#allTurns, this.#params.every);
    if (actedAt !== this.#decider.actedAt) {
      this.#decider = new RetentionDecider(this.#params, this.#context, actedAt);
    }
    const before = this.#counting;
    this.#counting = this.#countingNow();
    const waiting = this.#waiting;
    const isDue = (entry: Entry): boolean => actedAt === null || entry.cell < this.#beat;
    let due = 0;
    while (due < waiting.length && isDue(waiting[due]!)) this.#count(waiting[due++]!);
    this.#waiting = waiting.slice(due);
    for (let turn = before + 1; turn <= this.#counting; turn++) {
      for (const entry of this.#due.get(turn) ?? []) this.#setExpired(entry);
      this.#due.delete(turn);
    }
  }

  #count(entry: Entry): void {
    const { rule, name } = entry;
    const tool = this.#tool(name);
    entry.order = tool.entries.length;
    tool.entries.push(entry);
    if (rule.mode === 'count') {
      while (tool.expired < tool.entries.length - rule.value) this.#setExpired(tool.entries[tool.expired++]);
    } else if (rule.mode === 'age') {
      const at = entry.turn + rule.value;
      if (at <= this.#counting) this.#setExpired(entry);
      else this.#waitFor(at, entry);
    }
  }

  #tool(name: string | null): Tool {
    const known = this.#tools.get(name);
    if (known !== undefined) return known;
    const made: Tool = { entries: [], expired: 0 };
    this.#tools.set(name, made);
    return made;
  }

  #waitFor(turn: number, entry: Entry): void {
    const due = this.#due.get(turn);
    if (due === undefined) this.#due.set(turn, [entry]);
    else due.push(entry);
  }

  #setExpired(entry: Entry | undefined): void {
    if (entry === undefined) return;
    entry.expired = true;
    if (!entry.wasExpired) this.#dirty.add(entry.cell);
  }

  // A cap on the tier lets results expire before their time, the oldest first: it looks at all results, for what is early now may have come in time next.
  #cutEarly(input: LiveView): void {
    if (this.#cap === null) return;
    let total = 0;
    for (const entry of this.#ordered) {
      const tokens = this.#tokensOf(entry, input);
      total += entry.expired ? this.#leftOf(entry, input) : tokens;
    }
    this.#held = total;
    for (const entry of this.#ordered) {
      const mayGo = total > this.#cap && !entry.expired && entry.rule.mode !== 'never';
      const stub = mayGo ? this.#stubOf(entry, input) : 0;
      const isEarly = mayGo && entry.tokens > stub;
      if (isEarly) {
        total -= entry.tokens - stub;
        entry.left = stub;
      }
      if (isEarly !== entry.early) this.#dirty.add(entry.cell);
      entry.early = isEarly;
    }
  }

  #heldByResults(): HeldByResults | null {
    if (this.#heldNow === undefined) this.#heldNow = this.#cap === null ? null : this.#heldUnder(this.#cap);
    return this.#heldNow;
  }

  #heldUnder(cap: number): HeldByResults {
    const early = this.#ordered.filter((entry) => entry.early);
    const after = early.reduce((total, { tokens, left }) => total - (tokens - left), this.#held);
    const someNever = this.#ordered.some(({ rule }) => rule.mode === 'never');
    return { cap, before: this.#held, after, early: early.length, someNever };
  }

  #tokensOf(entry: Entry, input: LiveView): number {
    if (entry.tokens >= 0) return entry.tokens;
    const item = input.at(entry.cell)[entry.slot];
    entry.tokens = item === undefined ? 0 : (itemPartTokens(item, this.#context)[entry.part] ?? 0);
    return entry.tokens;
  }

  // A body shorter than the words in its place takes more once it has expired; without a body nothing changes.
  #leftOf(entry: Entry, input: LiveView): number {
    if (entry.left >= 0) return entry.left;
    const item = input.at(entry.cell)[entry.slot];
    const isLeft = item === undefined || this.#expire(item, [entry]) === null;
    entry.left = isLeft ? entry.tokens : this.#stubOf(entry, input);
    return entry.left;
  }

  // What the words in place of a result take: by the way it is written.
  #stubOf({ cell, slot, part }: Entry, input: LiveView): number {
    const item = input.at(cell)[slot];
    const own = item === undefined ? undefined : this.#facts(item).parts[part];
    const counted = own === undefined ? EXPIRED : countedBody(own, EXPIRED);
    const known = this.#stubs.get(counted) ?? this.#context.tokens.text(counted);
    this.#stubs.set(counted, known);
    return known;
  }

  #show(cell: number, input: LiveView, overlay: Overlay): void {
    const entries = this.#cells.get(cell) ?? NO_ENTRIES;
    for (const entry of entries) entry.wasExpired = entry.expired;
    if (!entries.some(isGone)) {
      this.#reclaim(cell, 0, 0);
      overlay.pass(cell);
      overlay.fate(cell, null);
      return;
    }
    const items = input.at(cell).slice();
    let [expired, reclaimedChars] = [0, 0];
    overlay.fate(cell, null);
    for (const { item, slot, gone } of goneOf(entries, items)) {
      const made = this.#expire(item, gone);
      if (made === null) continue;
      items[slot] = made;
      expired += gone.length;
      reclaimedChars += savedChars(this.#facts(item), gone);
      if (item.kind === 'source') overlay.fate(cell, 'redacted');
    }
    this.#reclaim(cell, expired, reclaimedChars);
    if (expired > 0) overlay.replace(cell, items);
    else overlay.pass(cell);
  }

  #reclaim(cell: number, expired: number, reclaimedChars: number): void {
    this.#reclaimed.expired += expired - this.#expiredIn[cell]!;
    this.#reclaimed.reclaimedChars += reclaimedChars - this.#reclaimedIn[cell]!;
    this.#expiredIn[cell] = expired;
    this.#reclaimedIn[cell] = reclaimedChars;
  }

  #expire(item: ViewItem, gone: readonly { readonly part: number }[]): ViewItem | null {
    return expiredItem(item, this.#facts(item), gone, this.#context);
  }

  // Of the source message in a cell, its last item.
  #decisions(cell: number): readonly RetentionDecision[] {
    const entries = this.#cells.get(cell) ?? NO_ENTRIES;
    const last = entries.at(-1)?.slot;
    const input = this.#input;
    if (input === null || last === undefined || last !== input.before(cell + 1) - input.before(cell) - 1) {
      return NO_DECISIONS;
    }
    const own = entries[0]?.slot === last ? entries : entries.filter(({ slot }) => slot === last);
    return own.map((entry) => this.#decide(entry));
  }

  #decide(entry: Entry): RetentionDecision {
    if (entry.early) {
      const why = describeEarly(this.#held, this.#cap ?? 0, entry.tokens);
      return { part: entry.part, name: entry.name, expired: true, early: true, why };
    }
    const counted = this.#tools.get(entry.name)?.entries.length ?? 0;
    const later = entry.order < 0 ? 0 : counted - 1 - entry.order;
    const turns = this.#counting - entry.turn;
    return this.#decider.judge(entry.part, entry.name, { turns, later, isDue: entry.order >= 0 });
  }
}

function placeOf(item: ViewItem, position: number, input: LiveView): LivePlace {
  return item.kind === 'source'
    ? { cell: item.index, slot: position - input.before(item.index) }
    : input.place(position);
}
