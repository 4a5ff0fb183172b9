// Hygiene along the call points. Most rules look at one message or at its neighbours: the view is cut into pieces, the
// same rules run on those that changed (chain.ts), and what a rule looks at beyond its piece is told to it (crossSegmentRules.ts).
import { NOT_CONCERNED } from '../../../view/fates.ts';
import type { IncrementalContext, IncrementalRun, IncrementalSteps } from '../../../view/incremental.ts';
import type { LiveView } from '../../../view/liveView.ts';
import type { Overlay } from '../../../view/overlay.ts';
import { type Fate, PAUSE, type ResizeAnswer, type ViewItem } from '../../../view/types.ts';
import { type Draft, draftsIn } from '../draft.ts';
import { explainKept } from '../explainKept.ts';
import { fateOf } from '../fates.ts';
import { type Profile, sameOptions } from '../profiles.ts';
import { targetTail } from '../target.ts';
import { Chain, type ChainRun } from './chain.ts';
import { changesByIndex, kindsOf, render, standing, survey } from './output.ts';
import { mayBegin, type Overflow, type Segment } from './segments.ts';

/** A profile, and how it was found. */
interface Found {
  readonly profile: Profile;
  readonly how: string;
}

/** Cells or pieces looked at before others may be answered. */
const SLICE = 2_000;

/** The run of one spec's stage. */
export class LiveHygiene implements IncrementalRun {
  readonly #context: IncrementalContext;
  readonly #profileFor: (messages: readonly Draft[]) => Found;
  readonly #draftOf: (item: ViewItem) => Draft;
  readonly #resized = new Map<string, ResizeAnswer>();
  #found: Found | null = null;
  #key = '';
  #chain: Chain | null = null;
  #input: LiveView | null = null;
  /** What pieces put before the first items of the next, by cell. */
  readonly #spills = new Map<number, Overflow>();
  /** Pieces that end with a message that no one wrote: it names the source message behind it. */
  readonly #open = new Set<Segment>();
  /** Cells and messages to be told of. */
  readonly #cells = new Set<number>();
  readonly #kinds = new Set<number>();

  constructor(profileFor: (messages: readonly Draft[]) => Found, context: IncrementalContext) {
    this.#context = context;
    this.#profileFor = profileFor;
    this.#draftOf = draftsIn(context.source, context.memo);
  }

  *step(input: LiveView, at: number, overlay: Overlay): IncrementalSteps {
    this.#input = input;
    const isNew = this.#chooseProfile(input);
    const chain = this.#chain;
    if (chain === null) return;
    yield* this.#cut(input, chain, isNew);
    const done = yield* chain.run(input);
    yield* this.#renderAll(input, at, done);
    this.#tell(input, chain, overlay);
  }

  fateOf(index: number): Fate | null {
    const segment = this.#chain?.segments.holding(index) ?? null;
    const found = this.#found;
    const item = this.#input?.source(index) ?? null;
    if (segment === null || found === null || item === null) return null;
    const { stage } = this.#context;
    const changes = changesByIndex(segment).get(index);
    if (changes !== undefined) return fateOf(changes, standing(segment).has(index), stage);
    const kept = explainKept([this.#draftOf(item)], found.profile, found.how, stage)(0);
    return kept.rule === NOT_CONCERNED ? null : kept;
  }

  /** True if it is another than before: then all begins anew. */
  #chooseProfile(input: LiveView): boolean {
    const found = this.#profileFor(targetTail(input, this.#draftOf));
    const { rules, options, wire } = found.profile;
    const key = JSON.stringify([rules, options, wire]);
    this.#found = found;
    if (key === this.#key) return false;
    this.#key = key;
    for (let segment = this.#chain?.segments.first ?? null; segment !== null; segment = segment.next)
      this.#forget(segment);
    const sha256 = (text: string): string => this.#context.sha256().update(text).hex();
    this.#chain = new Chain({
      profile: found.profile,
      rules: { options, sha256, same: sameOptions(found.profile, this.#context.memo) },
      resized: this.#resized,
      cells: input.cells,
      draftOf: this.#draftOf,
      ended: (segment) => this.#forget(segment),
    });
    this.#chain.touch(this.#chain.segments.begin(0));
    return true;
  }

  // A piece may begin where something stands that was not there before.
  *#cut(input: LiveView, chain: Chain, isNew: boolean): ChainRun {
    const { segments } = chain;
    const cells = isNew ? filledCells(input) : [...input.changed.keys()].sort((a, b) => a - b);
    let looked = 0;
    for (const cell of cells) {
      const holder = segments.holding(cell);
      if (holder !== null) chain.touch(holder);
      const isFilled = isNew || (input.changed.get(cell)?.length ?? 0) === 0;
      if (isFilled && holder?.start !== cell && this.#mayBegin(input, cell)) chain.touch(segments.begin(cell));
      if (++looked % SLICE === 0) yield PAUSE;
    }
  }

  #mayBegin(input: LiveView, cell: number): boolean {
    const [first] = input.at(cell);
    if (first === undefined) return false;
    const position = input.before(cell);
    return mayBegin(this.#draftOf(first), position === 0 ? null : this.#draftOf(input.item(position - 1)));
  }

  /** What a piece gave is no more, or about to be told anew. */
  #forget(segment: Segment): void {
    const { out, kinds, spill } = segment;
    this.#open.delete(segment);
    for (const cell of out.keys()) this.#cells.add(cell);
    for (const index of kinds.keys()) this.#kinds.add(index);
    if (spill === null) return;
    this.#spills.delete(spill.cell);
    this.#cells.add(spill.cell);
  }

  *#renderAll(input: LiveView, at: number, done: ReadonlySet<Segment>): ChainRun {
    for (const segment of done) survey(segment);
    let rendered = 0;
    for (const segment of done) {
      this.#render(segment, input, at);
      if (++rendered % SLICE === 0) yield PAUSE;
    }
    for (const segment of this.#open) {
      if (!done.has(segment) && segment.behind !== sourceBehind(segment, at)) this.#render(segment, input, at);
    }
  }

  #render(segment: Segment, input: LiveView, at: number): void {
    this.#forget(segment);
    segment.behind = segment.isOpen ? sourceBehind(segment, at) : at;
    const { out, spill } = render(segment, input, this.#context.stage, segment.behind);
    segment.out = out;
    segment.spill = spill;
    segment.kinds = kindsOf(segment);
    for (const cell of out.keys()) this.#cells.add(cell);
    for (const index of segment.kinds.keys()) this.#kinds.add(index);
    if (segment.isOpen) this.#open.add(segment);
    if (this.#spills.has(segment.start)) this.#cells.add(segment.start);
    if (spill === null) return;
    this.#spills.set(spill.cell, spill);
    this.#cells.add(spill.cell);
  }

  #tell(input: LiveView, { segments }: Chain, overlay: Overlay): void {
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

function* filledCells(view: LiveView): Generator<number> {
  for (let cell = view.nextCell(0); cell < view.cells; cell = view.nextCell(cell + 1)) yield cell;
}

/** The source message that stands next behind a piece, the call point if there is none. */
function sourceBehind(segment: Segment, at: number): number {
  let behind = segment.next;
  while (behind !== null && behind.firstSource === null) behind = behind.next;
  return behind?.firstSource ?? at;
}
