// A view under a context policy: room, summary, window, then the segments one after the other. From one call point to the
// next the window slides, rarely another summary applies, and an earlier stage may have changed something within the
// window: then that is drawn again. If system or pending do not fit, the view stays as it is and the report says so.
import { keptBecause } from '../../view/fates.ts';
import type { IncrementalContext, IncrementalRun, ReportDetails } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemFacts } from '../../view/reader.ts';
import type { Fate, FateKind, StageContext, View, ViewItem } from '../../view/types.ts';
import { ContextDecider, type Decision, type Refusal, SUMMARY_TOO_LARGE, sourceFrom } from './contextDecider.ts';
import { entryCount } from './entries.ts';
import type { ContextPolicyParams } from './params.ts';
import { type PolicyOutcome, policyReport, refusedReport } from './policyReport.ts';
import { type Outcome, Sentences } from './report.ts';
import { leftOf } from './segments.ts';
import { editedFate, excludedFate, shownKinds } from './shown.ts';
import type { Summaries } from './summary.ts';
import { isBefore, type PlacedUnit, samePlace } from './windowQueue.ts';

const NOTHING: readonly ViewItem[] = [];

/** A projection at the call point it is at: what it was given, what was decided, and sentences, made once. */
interface Current {
  readonly input: LiveView;
  readonly decision: Decision;
  readonly outcome: Outcome;
  readonly sentences: Sentences;
  readonly ofUnits: Map<PlacedUnit, Fate>;
}

/** The stage of one spec. */
export class ContextRun implements IncrementalRun {
  readonly #params: ContextPolicyParams;
  readonly #context: IncrementalContext;
  readonly #decider: ContextDecider;
  #input: LiveView | null = null;
  #decision: Decision | null = null;
  #refusal: Refusal | null = null;
  #current: Current | null = null;

  constructor(params: ContextPolicyParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#decider = new ContextDecider(params, context);
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    const before = this.#decision;
    const { window } = this.#decider;
    const was = { front: window.oldest?.start ?? null, covered: [...window.covered], refused: window.refused };
    const decided = this.#decider.decide(input, at, before);
    this.#input = input;
    this.#current = null;
    this.#refusal = 'error' in decided ? decided : null;
    this.#decision = 'error' in decided ? null : decided;
    if (input.whole !== null) this.#showAll(input, input.whole, overlay);
    else for (const cell of this.#toShow(input, at, before, was)) this.#show(cell, input, overlay);
  }

  #showAll(input: LiveView, whole: View, overlay: Overlay): void {
    const decision = this.#decision;
    if (decision === null) return;
    const older = this.#olderThanWindow(input, decision);
    let shown = -1;
    for (const [position, item] of whole.items.entries()) {
      const cell = item.kind === 'source' ? item.index : input.place(position).cell;
      if (item.kind === 'source' && cell > older.from && cell < older.to && shown < cell) {
        overlay.replace(cell, NOTHING);
        overlay.fate(cell, older.kind ?? this.#hiddenKind(item, { cell, slot: 0 }, decision));
      } else if (shown < cell) this.#show(cell, input, overlay);
      shown = Math.max(shown, cell);
    }
    for (const last of [decision.head.cell, input.cells - 1]) if (last > shown) this.#show(last, input, overlay);
  }

  // Cells (both ends excluded) of which nothing is shown: older than the window, behind the system segment. Without
  // summaries and kinds that are left out all of them leave alike: `kind`, else null.
  #olderThanWindow(
    input: LiveView,
    { head, history, standIn }: Decision,
  ): { readonly from: number; readonly to: number; readonly kind: FateKind | null } {
    const { oldest, covered } = this.#decider.window;
    const to = covered.size > 0 ? head.cell : (oldest?.start.cell ?? input.cells - 1);
    const kind = standIn === null ? 'dropped' : 'summarised';
    return { from: head.cell, to, kind: history.leavesNothing ? kind : null };
  }

  // Cells that may be shown another way than at the call point before.
  #toShow(
    input: LiveView,
    at: number,
    before: Decision | null,
    was: {
      readonly front: LivePlace | null;
      readonly covered: readonly ViewItem[];
      readonly refused: PlacedUnit | null;
    },
  ): ReadonlySet<number> {
    const { window, summaryCells } = this.#decider;
    const decision = this.#decision;
    const cells = new Set([...input.changed.keys(), ...summaryCells, input.cells - 1]);
    if (decision?.rules !== before?.rules) for (let cell = 0; cell < at; cell++) cells.add(cell);
    for (const place of [before?.head, decision?.head]) if (place) cells.add(place.cell);
    addRange(cells, was.front, window.oldest?.start ?? null, at);
    for (const item of [...was.covered, ...window.covered]) if (item.kind === 'source') cells.add(item.index);
    for (const unit of [was.refused, window.refused]) if (unit !== null) cells.add(unit.start.cell);
    if (before !== null && decision !== null && !samePlace(before.head, decision.head))
      addRange(cells, before.head, decision.head, at);
    return cells;
  }

  fateOf(index: number): Fate | null {
    const current = this.#now();
    const item = current?.input.source(index) ?? null;
    if (current === null || item === null) return null;
    const { decision, sentences } = current;
    const { head, history, summaries, at } = decision;
    const place = placeOf(current.input, index);
    if (isBefore(place, head)) return this.#params.systemPrompt === null ? null : sentences.replacedSystem();
    const kinds = shownKinds(this.#params.includeKinds);
    if (this.#isShown(item, place, decision)) {
      return history.shown(item) === item ? null : editedFate(item, kinds, this.#context);
    }
    switch (history.leaves(item)) {
      case 'excluded':
        return excludedFate(kinds, this.#context);
      case 'covered':
        return summaries.used === null ? null : sentences.covered(summaries.used);
      case 'other_summary':
        return this.#summaryFate(index, summaries, at, sentences);
      default:
        return sentences.outside(this.#isRefused(place));
    }
  }

  /** Of a whole view in one pass: most of a long history has one sentence. */
  fates(): ReadonlyMap<number, Fate> | undefined {
    const whole = this.#input?.whole;
    const current = this.#now();
    if (whole == null || current === null) return undefined;
    const { input, decision, sentences } = current;
    const older = this.#olderThanWindow(input, decision);
    const refused = this.#decider.window.refused?.start.cell ?? older.to;
    const to = older.kind === null ? 0 : Math.min(older.to, refused);
    const fates = new Map<number, Fate>();
    for (const item of whole.items) {
      if (item.kind !== 'source') continue;
      const { index } = item;
      const fate = index > older.from && index < to ? sentences.outside(false) : this.fateOf(index);
      if (fate !== null) fates.set(index, fate);
    }
    return fates;
  }

  // Of a source message that is a recorded summary.
  #summaryFate(index: number, summaries: Summaries, at: number, sentences: Sentences): Fate {
    if (this.#isPresented(index, summaries, at)) return sentences.presented();
    const isOff = this.#params.summarization === 'none' || !this.#params.includeKinds.has('summary');
    return sentences.otherSummary(summaries.used !== null, isOff);
  }

  #isPresented(index: number, { used }: Summaries, at: number): boolean {
    if (used?.kind !== 'artifact' || used.artifact.origin !== 'recorded') return false;
    const all = this.#context.source.compactions();
    return all.findLast(({ summaryIndex }) => summaryIndex !== undefined && summaryIndex < at)?.summaryIndex === index;
  }

  explain(index: number): Fate {
    const current = this.#now();
    if (current === null) return this.#refusedFate();
    const { input, decision, outcome, sentences } = current;
    const place = placeOf(input, index);
    if (isBefore(place, decision.head)) return sentences.system();
    const { drawnIn, window } = outcome;
    if (window.refused === null && window.tokens <= leftOf(drawnIn.budget, drawnIn)) return sentences.allFits();
    const found = this.#decider.window.unitAt(place);
    if (found === null) throw new RangeError(`#${index} is not in the window`);
    const known = current.ofUnits.get(found.unit) ?? this.#unitFate(found, sentences);
    current.ofUnits.set(found.unit, known);
    return known;
  }

  #unitFate({ unit, used }: { readonly unit: PlacedUnit; readonly used: number }, sentences: Sentences): Fate {
    const turnsAfter = this.#decider.window.turnsAfter(unit);
    if (turnsAfter < this.#params.keepLastTurns) return sentences.ofLastTurns(turnsAfter);
    return sentences.inBudget(turnsAfter, used);
  }

  #refusedFate(): Fate {
    const { code, text } = this.#refused.error;
    return keptBecause(this.#context.stage, code.replace('context.', ''), `kept as it is: ${text}`);
  }

  report(): ReportDetails {
    const current = this.#now();
    const { at } = current?.decision ?? this.#refused;
    const context: StageContext = { ...this.#context, at };
    const policy = { params: this.#params, context, estimator: this.#decider.estimator };
    return current === null ? refusedReport(policy, this.#refused) : policyReport(policy, this.#outcome(current, at));
  }

  #outcome({ input, decision, outcome }: Current, at: number): PolicyOutcome {
    const { window } = this.#decider;
    const { summaries, problems } = decision;
    const last = window.firstOfLastTurns(this.#params.keepLastTurns)?.first;
    const shown = { messages: window.messages, entries: this.#entries(input, decision) };
    const lastTurns = last === undefined ? at : sourceFrom(input, last, at);
    return { ...outcome, summaries, problems, given: input.length, shown, lastTurns };
  }

  #entries(input: LiveView, decision: Decision): number {
    const { source, memo } = this.#context;
    const first = this.#decider.window.oldest?.start;
    let entries = 0;
    for (let cell = first?.cell ?? input.cells; cell < input.cells; cell = input.nextCell(cell + 1)) {
      for (const [slot, item] of input.at(cell).entries()) {
        if (this.#isShown(item, { cell, slot }, decision)) entries += entryCount(itemFacts(item, source, memo));
      }
    }
    return entries;
  }

  get #refused(): Refusal {
    if (this.#refusal === null) throw new Error('asked before the first call point');
    return this.#refusal;
  }

  // What is said of the call point it is at; null while it is refused.
  #now(): Current | null {
    const [input, decision] = [this.#input, this.#decision];
    if (input === null || decision === null) return null;
    if (this.#current !== null) return this.#current;
    const { window } = this.#decider;
    const { refused, totals } = window;
    const outcome: Outcome = {
      room: decision.room,
      drawnIn: decision.drawnIn,
      placeholder: decision.placeholder,
      isRoomAllThatMatters: !decision.problems.some(({ code }) => code === SUMMARY_TOO_LARGE),
      window: totals,
      firstShown: this.#decider.firstShown(input, decision.at),
      refused: refused === null ? 0 : sourceFrom(input, refused.first, decision.at),
      standIn: decision.standIn,
    };
    const sentences = new Sentences(this.#context.stage, this.#params, outcome);
    this.#current = { input, decision, outcome, sentences, ofUnits: new Map() };
    return this.#current;
  }

  #isRefused(place: LivePlace): boolean {
    const { refused } = this.#decider.window;
    return refused !== null && !isBefore(place, refused.start) && !isBefore(refused.end, place);
  }

  #isShown(item: ViewItem, place: LivePlace, { history }: Pick<Decision, 'history'>): boolean {
    const { oldest, covered } = this.#decider.window;
    if (oldest === null || isBefore(place, oldest.start)) return false;
    return history.leaves(item) === null || (covered.has(item) && history.shown(item) !== null);
  }

  #show(cell: number, input: LiveView, overlay: Overlay): void {
    const decision = this.#decision;
    const items = input.at(cell);
    if (decision === null) {
      overlay.pass(cell);
      overlay.fate(cell, null);
      return;
    }
    const out: ViewItem[] = [];
    let kind: FateKind | null = null;
    const hasHead = cell === decision.head.cell;
    for (let slot = 0; slot <= items.length; slot++) {
      if (hasHead && slot === Math.min(decision.head.slot, items.length)) out.push(...decision.made);
      const item = items[slot];
      if (item === undefined) continue;
      const shown = this.#shownAt(item, { cell, slot }, decision);
      if (shown !== null) out.push(shown);
      if (item.kind === 'source') kind = shown === null ? this.#hiddenKind(item, { cell, slot }, decision) : null;
      if (item.kind === 'source' && shown !== null && shown !== item) kind = 'rewritten';
    }
    if (cell === input.cells - 1) out.push(...decision.pending);
    if (out.length === items.length && out.every((item, at) => item === items[at])) overlay.pass(cell);
    else overlay.replace(cell, out);
    if (cell < input.cells - 1) overlay.fate(cell, kind);
  }

  #shownAt(item: ViewItem, place: LivePlace, decision: Decision): ViewItem | null {
    if (isBefore(place, decision.head)) return this.#params.systemPrompt === null ? item : null;
    return this.#isShown(item, place, decision) ? decision.history.shown(item) : null;
  }

  #hiddenKind(item: ViewItem, place: LivePlace, { head, history, summaries, standIn, at }: Decision): FateKind {
    if (isBefore(place, head)) return 'dropped';
    switch (history.leaves(item)) {
      case 'covered':
        return 'summarised';
      case 'other_summary':
        return item.kind === 'source' && this.#isPresented(item.index, summaries, at) ? 'merged' : 'dropped';
      case 'excluded':
        return 'dropped';
      default:
        return standIn === null ? 'dropped' : 'summarised';
    }
  }
}

/** The place of a source message in a view that holds it. */
function placeOf(input: LiveView, index: number): LivePlace {
  return { cell: index, slot: input.at(index).length - 1 };
}

function addRange(cells: Set<number>, a: LivePlace | null, b: LivePlace | null, last: number): void {
  const from = Math.min(a?.cell ?? last, b?.cell ?? last);
  const to = Math.max(a?.cell ?? last, b?.cell ?? last);
  for (let cell = from; cell <= to; cell++) cells.add(cell);
}
