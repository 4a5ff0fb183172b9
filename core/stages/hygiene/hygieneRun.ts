// Hygiene on its way along the call points. A view given at once is one piece: the rules of the profile run over it. Where
// it moves on it is cut into pieces, and the same rules run on those that changed (pieces/chain.ts); what a rule looks at
// beyond its segment is handed to it (pieces/crossSegmentRules.ts).
import { NOT_CONCERNED } from '../../view/fates.ts';
import type { IncrementalContext, IncrementalRun, IncrementalSteps, ReportDetails } from '../../view/incremental.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { type Fate, PAUSE, type ResizeAnswer, type View, type ViewItem } from '../../view/types.ts';
import { type Draft, draftsIn } from './draft.ts';
import { type KeptSentences, keptSentences } from './explainKept.ts';
import { turnBlock } from './pieces/block.ts';
import { Chain, type ChainRun } from './pieces/chain.ts';
import { FateMaker } from './pieces/fateMaker.ts';
import { addedFor, changesOf, kindsOf, presence, render, survey } from './pieces/output.ts';
import { mayBegin, NO_CELLS, NO_KINDS, type Overflow, type Segment } from './pieces/segments.ts';
import { type Profile, sameOptions } from './profiles.ts';
import { detailsOf } from './report.ts';
import { answersBefore, type Evidence, isSameEvidence, targetTail } from './target.ts';

/** A profile, and how it was found. */
export interface Found {
  readonly profile: Profile;
  readonly how: string;
}

/** Finds the profile of a view: what its last messages say, and what follows from that. */
export interface ProfileFinder {
  evidence(messages: () => readonly Draft[]): Evidence;
  find(evidence: Evidence): Found;
}

/** Cells or pieces looked at before others may be answered. */
const SLICE = 2_000;

/** The run of one spec's stage. */
export class HygieneRun implements IncrementalRun {
  readonly #context: IncrementalContext;
  readonly #finder: ProfileFinder;
  readonly #draftOf: (item: ViewItem) => Draft;
  readonly #fates: FateMaker;
  readonly #resized = new Map<string, ResizeAnswer>();
  #evidence: Evidence | null = null;
  #found: Found | null = null;
  #kept: KeptSentences | null = null;
  /** The profile that the pieces are cut for, and its key; null = they are to be cut. */
  #cutFor: { readonly profile: Profile; readonly key: string } | null = null;
  #chain: Chain | null = null;
  #input: LiveView | null = null;
  /** What pieces put before the first items of the next, by cell. */
  readonly #spills = new Map<number, Overflow>();
  /** Pieces that end with a message that no one wrote: it names the source message behind it. */
  readonly #open = new Set<Segment>();
  /** Cells and messages to report. */
  readonly #cells = new Set<number>();
  readonly #kinds = new Set<number>();

  constructor(finder: ProfileFinder, context: IncrementalContext) {
    this.#context = context;
    this.#finder = finder;
    this.#draftOf = draftsIn(context.source, context.memo);
    this.#fates = new FateMaker(context);
  }

  *step(input: LiveView, at: number, overlay: Overlay): IncrementalSteps {
    this.#input = input;
    const found = this.#find(input, at);
    if (input.whole === null) yield* this.#follow(input, at, found.profile, overlay);
    else yield* this.#takeWhole(input, input.whole, at, this.#begin(input, found.profile), overlay);
  }

  #find(input: LiveView, at: number): Found {
    const evidence = this.#finder.evidence(() => {
      const tail = targetTail(input, this.#draftOf);
      if (tail.some(({ role }) => role === 'assistant')) return tail;
      return answersBefore(this.#context.source, at, this.#draftOf);
    });
    if (this.#found !== null && this.#evidence !== null && isSameEvidence(evidence, this.#evidence)) return this.#found;
    const found = this.#finder.find(evidence);
    this.#evidence = evidence;
    this.#found = found;
    this.#kept = null;
    return found;
  }

  /** Of a whole view it keeps the messages, not the pieces that a next step would look at. */
  get beginsAgain(): boolean {
    return this.#cutFor === null;
  }

  fateOf(index: number): Fate | null {
    const segment = this.#chain?.segments.holding(index) ?? null;
    if (segment === null || this.#draftAt(index) === null) return null;
    const kept = this.#changedFate(segment, index) ?? this.#untouchedFate(index);
    return kept.rule === NOT_CONCERNED ? null : kept;
  }

  explain(index: number): Fate {
    const segment = this.#chain?.segments.holding(index) ?? null;
    return (segment === null ? null : this.#changedFate(segment, index)) ?? this.#untouchedFate(index);
  }

  // Of a message that a rule changed, or objected to and left alone.
  #changedFate(segment: Segment, index: number): Fate | null {
    const changes = changesOf(segment, index);
    if (changes !== null) return this.#fates.fateOf(changes, presence(segment)(index));
    const added = addedFor(segment).get(index);
    return added === undefined ? null : this.#fates.besideFate(added);
  }

  #untouchedFate(index: number): Fate {
    const kept = this.#sentences();
    return kept.explain(kept.looksAtImages ? this.#draftAt(index) : null);
  }

  report(): ReportDetails {
    return detailsOf(this.#pieces(), this.#found?.how ?? '', this.#input?.length ?? 0);
  }

  /** What is said of messages that stay, under the profile that was found. */
  #sentences(): KeptSentences {
    const found = this.#found;
    if (found === null) throw new Error('hygiene is asked why before its first step');
    this.#kept ??= keptSentences(found.profile, found.how, this.#context.stage);
    return this.#kept;
  }

  /** A message of the input; null if the input does not hold it. */
  #draftAt(index: number): Draft | null {
    const input = this.#input;
    if (input === null) return null;
    if (input.whole === null) {
      const item = input.source(index);
      return item === null ? null : this.#draftOf(item);
    }
    const draft = this.#chain?.segments.first?.drafts[input.before(index + 1) - 1];
    return draft?.index === index ? draft : null;
  }

  *#pieces(): Generator<Segment> {
    for (let segment = this.#chain?.segments.first ?? null; segment !== null; segment = segment.next) yield segment;
  }

  #begin(input: LiveView, profile: Profile): Chain {
    const sha256 = (text: string): string => this.#context.sha256().update(text).hex();
    const chain = new Chain({
      profile,
      rules: { options: profile.options, sha256, same: sameOptions(profile, this.#context.memo) },
      resized: this.#resized,
      cells: input.cells,
      draftOf: this.#draftOf,
      ended: (segment) => this.#end(segment),
      turned: (segment) => this.#turn(segment),
    });
    chain.segments.begin(0);
    this.#chain = chain;
    return chain;
  }

  *#takeWhole(input: LiveView, view: View, at: number, chain: Chain, overlay: Overlay): ChainRun {
    const segment = yield* chain.runWhole(input, view);
    survey(segment);
    this.#place(segment, at);
    for (const [cell, items] of segment.out) overlay.replace(cell, items);
    for (const [index, kind] of segment.kinds) overlay.fate(index, kind);
    this.#cutFor = null;
  }

  *#follow(input: LiveView, at: number, profile: Profile, overlay: Overlay): ChainRun {
    const before = this.#cutFor;
    const key = before?.profile === profile ? before.key : keyOf(profile);
    const isNew = key !== before?.key;
    if (isNew) for (const segment of this.#pieces()) this.#forget(segment);
    const chain = isNew || this.#chain === null ? this.#begin(input, profile) : this.#chain;
    this.#cutFor = { profile, key };
    yield* this.#cut(input, chain, isNew);
    const done = yield* chain.run(input);
    yield* this.#renderAll(at, done);
    this.#writeOverlay(input, chain, overlay);
  }

  // A piece may begin where something stands that was not there before.
  *#cut(input: LiveView, chain: Chain, isNew: boolean): ChainRun {
    const { segments } = chain;
    const cells = isNew ? [...filledCells(input)] : [...input.changed.keys()].sort((a, b) => a - b);
    let looked = 0;
    if (!isNew) yield* turnBlock(input, cells, chain);
    else if (segments.first !== null) chain.touch(segments.first);
    let holder: Segment | null = null;
    for (const cell of cells) {
      // Ascending: mostly it is the one that held the cell before.
      if (holder === null || (holder.next !== null && holder.next.start <= cell)) holder = segments.holding(cell);
      if (holder?.isBack === true) continue;
      if (holder !== null) chain.review(holder);
      const isFilled = isNew || (input.changed.get(cell)?.length ?? 0) === 0;
      if (isFilled && holder?.start !== cell && this.#mayBegin(input, cell)) {
        holder = segments.begin(cell);
        chain.touch(holder);
      }
      if (++looked % SLICE === 0) yield PAUSE;
    }
  }

  #mayBegin(input: LiveView, cell: number): boolean {
    const [first] = input.at(cell);
    if (first === undefined) return false;
    const before = input.itemBefore(cell);
    return mayBegin(this.#draftOf(first), before === null ? null : this.#draftOf(before));
  }

  /** What a segment gave is void, or about to be reported again. */
  #forget(segment: Segment): void {
    const { out, kinds, spill } = segment;
    this.#open.delete(segment);
    for (const cell of out.keys()) this.#cells.add(cell);
    for (const index of kinds.keys()) this.#kinds.add(index);
    if (spill === null) return;
    this.#spills.delete(spill.cell);
    this.#cells.add(spill.cell);
  }

  // Taken out, or back: what its cells hold is another thing now, what it gave is not.
  #turn(segment: Segment): void {
    const { out, kinds, spill, isOpen } = segment;
    if (out.size === 0 && kinds.size === 0 && spill === null && !isOpen) return;
    this.#forget(segment);
    if (!segment.isThere) return;
    if (segment.isOpen) this.#open.add(segment);
    if (spill !== null) this.#spills.set(spill.cell, spill);
  }

  // It may come back: what it gave must not be reported again then.
  #end(segment: Segment): void {
    this.#forget(segment);
    segment.out = NO_CELLS;
    segment.kinds = NO_KINDS;
    segment.spill = null;
  }

  *#renderAll(at: number, done: ReadonlySet<Segment>): ChainRun {
    for (const segment of done) survey(segment);
    let rendered = 0;
    for (const segment of done) {
      this.#render(segment, at);
      if (++rendered % SLICE === 0) yield PAUSE;
    }
    for (const segment of this.#open) {
      if (!done.has(segment) && segment.behind !== sourceBehind(segment, at)) this.#render(segment, at);
    }
  }

  #render(segment: Segment, at: number): void {
    this.#forget(segment);
    this.#place(segment, at);
    const { out, spill } = segment;
    for (const cell of out.keys()) this.#cells.add(cell);
    for (const index of segment.kinds.keys()) this.#kinds.add(index);
    if (this.#spills.has(segment.start)) this.#cells.add(segment.start);
    if (spill === null) return;
    this.#spills.set(spill.cell, spill);
    this.#cells.add(spill.cell);
  }

  #place(segment: Segment, at: number): void {
    segment.behind = segment.isOpen ? sourceBehind(segment, at) : at;
    const { out, spill } = render(segment, this.#context.stage, segment.behind);
    segment.out = out;
    segment.spill = spill;
    segment.kinds = kindsOf(segment);
    if (segment.isOpen) this.#open.add(segment);
  }

  #writeOverlay(input: LiveView, { segments }: Chain, overlay: Overlay): void {
    for (const cell of this.#cells) {
      const own = segments.holding(cell)?.out.get(cell);
      const before = this.#spills.get(cell);
      if (before !== undefined) overlay.replace(cell, [...before.items, ...(own ?? input.at(cell))]);
      else if (own !== undefined) overlay.replace(cell, own);
      else overlay.pass(cell);
    }
    for (const index of this.#kinds) overlay.fate(index, segments.holding(index)?.kinds.get(index) ?? null);
    this.#cells.clear();
    this.#kinds.clear();
  }
}

function keyOf({ rules, options, wire }: Profile): string {
  return JSON.stringify([rules, options, wire]);
}

function* filledCells(view: LiveView): Generator<number> {
  for (let cell = view.nextCell(0); cell < view.cells; cell = view.nextCell(cell + 1)) yield cell;
}

/** The source message that stands next behind a piece, the call point if there is none. */
function sourceBehind(segment: Segment, at: number): number {
  let behind = segment.next;
  while (behind !== null && behind.firstSource === null) behind = behind.next;
  return behind?.firstSource ?? at;
}
