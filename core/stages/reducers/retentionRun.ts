// The run of tool-result retention. While messages are only added, or edited without touching turns, calls and results,
// every result waits for the turn at which it is due, or for the results of its tool that come later; what is due is found
// without looking at the others. Where calls or results come or go, as a repaired failure's, the count begins again from
// there on; where turns are taken back, from the front.
import type { MessageFacts } from '../../model/message.ts';
import { capTokens } from '../../tokens/budget.ts';
import { firstAt } from '../../util/sorted.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { CompleteRun, IncrementalContext, IncrementalSteps, ReportDetails } from '../../view/incremental.ts';
import type { LiveView } from '../../view/liveView.ts';
import { ownPartOf } from '../../view/origins.ts';
import { BEGINS_TURN, HOLDS_RESULT, outlineOf } from '../../view/outline.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemFacts, readView } from '../../view/reader.ts';
import { itemPartTokens } from '../../view/tokens.ts';
import { type Fate, PAUSE, PAUSE_EVERY, type View, type ViewItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { callNames, makesCall } from './callNames.ts';
import { EXPIRED, expiredItem } from './expiry.ts';
import {
  describeEarly,
  type HeldByResults,
  overCap,
  RetentionDecider,
  ruleFor,
  savedChars,
} from './retentionDecider.ts';
import type { RetentionParams, RetentionRule } from './retentionRules.ts';
import type { RetentionDecision } from './retentionWords.ts';
import { haveSameStructure } from './structure.ts';

/** A result that stands in the view. */
interface Entry {
  readonly cell: number;
  readonly slot: number;
  readonly part: number;
  readonly name: string | null;
  readonly rule: RetentionRule;
  /** Number of the turn it stands in; 0 = before the first. */
  readonly turn: number;
  /** Position among the results of its tool; -1 = not counted yet. */
  order: number;
  expired: boolean;
  early: boolean;
  /** -1 = to be counted. */
  tokens: number;
}

const cellOf = ({ cell }: Entry): number => cell;

/** The results of one tool that count, in order, and how many of them have expired. */
interface Tool {
  readonly entries: Entry[];
  expired: number;
}

const NO_ENTRIES: readonly Entry[] = [];

/** Messages read between two pauses: that is quicker than to edit them. */
const READ_AT_ONCE = 4_096;

/** When the stage acts, with `every` K: the last turn whose number is a multiple of K; null = at every request. */
function lastBeat(turnsBefore: number, every: number): number | null {
  return every <= 1 ? null : turnsBefore - (turnsBefore % every);
}

/** The run of one spec's stage. */
export class RetentionRun implements CompleteRun {
  readonly #params: RetentionParams;
  readonly #context: IncrementalContext;
  readonly #cap: number | null;
  #input: LiveView | null = null;
  #at = 0;
  #decider: RetentionDecider;
  readonly #none: Fate;
  /** Turns in the transcript, counted where the stage does not act at every request: what earlier stages drop moves no beat. */
  #allTurns = 0;
  /** Cells of the messages that begin turns, in order, a cell once for each; as many as there are turns in the view. */
  #turnCells: number[] = [];
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
  /** How the results stand to the cap; undefined = to be worked out. */
  #heldNow: HeldByResults | null | undefined;
  readonly #dirty = new Set<number>();

  constructor(params: RetentionParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#cap = capTokens(context.budget, 'tool_result');
    this.#decider = new RetentionDecider(params, context, lastBeat(0, params.every));
    this.#none = keptBecause(context.stage, NOT_CONCERNED, 'kept: holds no tool result');
  }

  *step(input: LiveView, at: number, overlay: Overlay): IncrementalSteps {
    this.#input = input;
    this.#heldNow = undefined;
    this.#countTurns(at);
    if (input.whole === null) this.#readChanged(input);
    else yield* this.#readWhole(input.whole, input);
    this.#at = at;
    if (this.#turnsBack()) {
      this.#readFrom(0, input);
      this.#counting = 0;
      this.#due.clear();
    }
    this.#act();
    this.#cutEarly(input);
    let shown = 0;
    for (const cell of this.#dirty) {
      if (++shown % PAUSE_EVERY === 0) yield PAUSE;
      this.#show(cell, input, overlay);
    }
    this.#dirty.clear();
  }

  fateOf(index: number): Fate | null {
    const item = this.#input?.at(index).at(-1);
    if (item?.kind !== 'source') return null;
    const slot = (this.#input?.at(index).length ?? 0) - 1;
    const verdicts = this.#verdicts((this.#cells.get(index) ?? []).filter((entry) => entry.slot === slot));
    if (verdicts.length === 0) return null;
    const facts = this.#facts(item);
    const isGone = verdicts.some(({ expired }) => expired) && this.#expire(item, facts, verdicts) !== null;
    if (!isGone) return this.#decider.keptFate(verdicts, this.#heldByResults()) ?? null;
    const gone = verdicts.filter(({ expired }) => expired);
    return this.#decider.expiredFate(item, facts, verdicts, gone);
  }

  explain(index: number): Fate {
    return this.fateOf(index) ?? this.#none;
  }

  report(): ReportDetails {
    const { expired, reclaimedChars } = this.#reclaimed();
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

  #reclaimed(): { readonly expired: number; readonly reclaimedChars: number } {
    let [expired, reclaimedChars] = [0, 0];
    for (const [cell, entries] of this.#cells) {
      for (const [slot, item] of (this.#input?.at(cell) ?? []).entries()) {
        const gone = entries.filter((entry) => entry.slot === slot && isGone(entry));
        const facts = this.#facts(item);
        if (gone.length === 0 || expiredItem(item, facts, gone, this.#context) === null) continue;
        expired += gone.length;
        reclaimedChars += savedChars(facts, gone);
      }
    }
    return { expired, reclaimedChars };
  }

  #countTurns(at: number): void {
    if (this.#params.every <= 1) return;
    const { source } = this.#context;
    for (let index = this.#at; index < at; index++) if (source.facts(index).beginsTurn) this.#allTurns++;
  }

  #readChanged(input: LiveView): void {
    this.#readFrom(this.#firstMoved(input), input);
    for (const cell of input.changed.keys()) {
      const entries = this.#cells.get(cell);
      if (entries === undefined) continue;
      this.#dirty.add(cell);
      for (const entry of entries) entry.tokens = -1;
    }
  }

  // Only messages that begin turns or hold results are looked at: what is known of the others is a byte each.
  *#readWhole(view: View, input: LiveView): IncrementalSteps {
    const flags = outlineOf(readView(view, this.#context.source, this.#context.memo), this.#context);
    let read = -1;
    for (let position = 0; position < view.items.length; position++) {
      if (position % READ_AT_ONCE === 0) yield PAUSE;
      if ((flags(position) & (BEGINS_TURN | HOLDS_RESULT)) === 0) continue;
      const { cell } = input.place(position);
      if (cell !== read) this.#read(cell, input);
      read = cell;
    }
  }

  #facts(item: ViewItem): MessageFacts {
    return itemFacts(item, this.#context.source, this.#context.memo);
  }

  #rawPart(item: ViewItem, part: number): number | null {
    return ownPartOf(item, part);
  }

  // The first cell whose turns, calls or results are others than they were. New messages behind all others are that
  // only for themselves, unless results before them belong to their calls: then it is the first of all.
  #firstMoved(input: LiveView): number {
    const names = callNames(this.#context.source, this.#context.memo);
    const facts = (item: ViewItem): MessageFacts => this.#facts(item);
    let first = input.cells;
    for (const [cell, before] of input.changed) {
      if (cell >= first) continue;
      const isNew = cell >= this.#at && before.length === 0;
      if (!isNew && haveSameStructure(before, input.at(cell), facts)) continue;
      if (names.answersCameFirst(cell)) return 0;
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

  #countingNow(): number {
    const actedAt = lastBeat(this.#allTurns, this.#params.every);
    return Math.max(0, this.#turnCells.length - (actedAt === null ? 0 : this.#allTurns - actedAt));
  }

  #read(cell: number, input: LiveView): void {
    const entries: Entry[] = [];
    for (const [slot, item] of input.at(cell).entries()) {
      const facts = this.#facts(item);
      if (facts.beginsTurn) this.#turnCells.push(cell);
      for (const [part, { kind }] of facts.parts.entries()) {
        if (kind !== 'tool_result') continue;
        const name = this.#nameOf(item, part, input);
        const { rule } = ruleFor(this.#params, name);
        const place = { cell, slot, part, name, rule, turn: this.#turnCells.length };
        entries.push({ ...place, order: -1, expired: false, early: false, tokens: -1 });
      }
    }
    if (entries.length === 0) return;
    this.#cells.set(cell, entries);
    this.#dirty.add(cell);
    this.#waiting.push(...entries);
    this.#ordered.push(...entries);
  }

  // The call has to stand in the view.
  #nameOf(item: ViewItem, part: number, input: LiveView): string | null {
    const { source, memo } = this.#context;
    const names = callNames(source, memo);
    const raw = item.kind === 'source' ? this.#rawPart(item, part) : null;
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
    const isDue = (entry: Entry): boolean => actedAt === null || entry.turn < this.#counting;
    const waits = this.#waiting.findIndex((entry) => !isDue(entry));
    const due = this.#waiting.splice(0, waits < 0 ? this.#waiting.length : waits);
    for (const entry of due) this.#count(entry);
    for (let turn = before + 1; turn <= this.#counting; turn++) {
      for (const entry of this.#due.get(turn) ?? []) this.#setExpired(entry);
      this.#due.delete(turn);
    }
  }

  #count(entry: Entry): void {
    const { rule, name } = entry;
    const tool = this.#tools.get(name) ?? { entries: [], expired: 0 };
    this.#tools.set(name, tool);
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

  #waitFor(turn: number, entry: Entry): void {
    const due = this.#due.get(turn);
    if (due === undefined) this.#due.set(turn, [entry]);
    else due.push(entry);
  }

  #setExpired(entry: Entry | undefined): void {
    if (entry === undefined) return;
    entry.expired = true;
    this.#dirty.add(entry.cell);
  }

  // A cap on the tier lets results expire before their time, the oldest first: it looks at all results, for what is early now may have come in time next.
  #cutEarly(input: LiveView): void {
    if (this.#cap === null) return;
    const stub = this.#context.tokens.text(EXPIRED);
    let total = 0;
    for (const entry of this.#ordered) {
      const tokens = this.#tokensOf(entry, input);
      total += entry.expired ? Math.min(stub, tokens) : tokens;
    }
    this.#held = total;
    for (const entry of this.#ordered) {
      const isEarly = total > this.#cap && !entry.expired && entry.tokens > stub && entry.rule.mode !== 'never';
      if (isEarly) total -= entry.tokens - stub;
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
    const stub = this.#context.tokens.text(EXPIRED);
    const after = early.reduce((left, { tokens }) => left - (tokens - stub), this.#held);
    return { cap, before: this.#held, after, early: early.length };
  }

  #tokensOf(entry: Entry, input: LiveView): number {
    if (entry.tokens >= 0) return entry.tokens;
    const item = input.at(entry.cell)[entry.slot];
    entry.tokens = item === undefined ? 0 : (itemPartTokens(item, this.#context)[entry.part] ?? 0);
    return entry.tokens;
  }

  #show(cell: number, input: LiveView, overlay: Overlay): void {
    const entries = this.#cells.get(cell) ?? NO_ENTRIES;
    if (!entries.some(isGone)) {
      overlay.pass(cell);
      overlay.fate(cell, null);
      return;
    }
    const items = input.at(cell);
    let isEdited = false;
    const shown = items.map((item, slot) => {
      const gone = entries.filter((entry) => entry.slot === slot && isGone(entry));
      const made = gone.length === 0 ? null : this.#expireParts(item, gone);
      if (item.kind === 'source') overlay.fate(item.index, made === null ? null : 'redacted');
      isEdited ||= made !== null;
      return made ?? item;
    });
    if (isEdited) overlay.replace(cell, shown);
    else overlay.pass(cell);
    if (input.source(cell) === null) overlay.fate(cell, null);
  }

  #expireParts(item: ViewItem, gone: readonly { readonly part: number }[]): ViewItem | null {
    return expiredItem(item, this.#facts(item), gone, this.#context);
  }

  #expire(item: ViewItem, facts: MessageFacts, verdicts: readonly RetentionDecision[]): ViewItem | null {
    return expiredItem(
      item,
      facts,
      verdicts.filter(({ expired }) => expired),
      this.#context,
    );
  }

  #verdicts(entries: readonly Entry[]): readonly RetentionDecision[] {
    const verdicts = entries.map((entry) => {
      const counted = this.#tools.get(entry.name)?.entries.length ?? 0;
      const later = entry.order < 0 ? 0 : counted - 1 - entry.order;
      const turns = this.#counting - entry.turn;
      return this.#decider.judge(entry.part, entry.name, { turns, later, isDue: entry.order >= 0 });
    });
    return verdicts.map((verdict, at) => {
      const entry = entries[at];
      if (entry?.early !== true) return verdict;
      const why = describeEarly(this.#held, this.#cap ?? 0, entry.tokens);
      return { part: entry.part, name: entry.name, expired: true, early: true, why };
    });
  }
}

function isGone({ expired, early }: Entry): boolean {
  return expired || early;
}
