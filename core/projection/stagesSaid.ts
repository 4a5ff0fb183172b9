// What became of each message when all stages have run. Of a message that a later stage took out, what earlier ones would
// say is never asked: so the kinds of all are merged first, and of each message only those stages say something whose
// words stay. They say it when somebody asks: a screen shows some dozen of ten thousand messages.
import {
  FATE_KINDS,
  isOneCause,
  mergeFates,
  mergeKinds,
  standsInView,
  TOUCHED_KINDS,
  UNTOUCHED,
  weighs,
} from '../view/fates.ts';
import { type Fate, type FateKind, PAUSE, PAUSE_EVERY, type Pausing, type View } from '../view/types.ts';
import type { StageStep } from './project.ts';
import { LostExplainer, lostReplacements } from './replacements.ts';
import type { MessageFates } from './types.ts';

const KINDS = FATE_KINDS;
/** By the number of a kind: 1 = a message of it is in the view. */
const STANDS = Uint8Array.from(KINDS, (kind) => Number(standsInView(kind)));
/** Among TOUCHED_KINDS. */
const PUT_BACK = TOUCHED_KINDS.indexOf('kept');
/** By the numbers of the kind so far and of the next, one row behind the other: the kind that both make. */
const MERGED = Uint8Array.from(KINDS.flatMap((known) => KINDS.map((kind) => KINDS.indexOf(mergeKinds(known, kind)))));
/** Fates are kept in pages: few are asked for, and one list for all would be most of what a step of a slider allocates. */
const PAGE = 256;

interface Said {
  readonly step: StageStep;
  readonly lost: readonly LostExplainer[];
  /** False: a step of the provider's. */
  readonly isOfSpec: boolean;
}

/** The stages moved on before anybody asked for the fate of a message: project again to have it. */
export class LeftFate extends Error {
  constructor(index: number) {
    super(`#${index} is asked for its fate after the stages moved on`);
  }
}

/** The fates of a projection's messages, by what each stage says. To be asked before the stages move on. */
export class StagesSaid implements MessageFates {
  readonly #said: Said[] = [];
  /** By message: the number of its kind so far, and the first step whose words stay. */
  readonly #kinds: Uint8Array;
  readonly #from: Uint16Array;
  /** 1 = a later step than that one has a word in it. */
  readonly #again: Uint8Array;
  readonly #pages: (Fate | undefined)[][] = [];
  #all: readonly Fate[] | null = null;
  /** Of kept messages: where a step's messages are in the view before it. */
  readonly #positions = new Map<View, Int32Array>();
  readonly #explains: boolean;
  /** By message: 1 = it is in the view behind the steps so far. */
  #present: Uint8Array;
  /** Fates before this one are all made. */
  #settled = 0;
  /** How many will ask for fates: at first whoever projects. */
  #holders = 1;
  #isLeft = false;
  #hasLost = false;
  /** Why a message went, asked last, of those whose stage says it shorter than by a fate. */
  #lastCause: { index: number; cause: string | null } | null = null;

  /** For the messages [0, at). `explains` false: nobody will read why kept messages were kept. */
  constructor(at: number, explains: boolean) {
    this.#kinds = new Uint8Array(at);
    this.#present = new Uint8Array(at).fill(1);
    this.#from = new Uint16Array(at);
    this.#again = new Uint8Array(at);
    this.#explains = explains;
  }

  /** The next step. `isOfSpec` false: a step of the provider's, which takes no stand-in out. */
  take(step: StageStep, isOfSpec = true): void {
    const nth = this.#said.length;
    const { output } = step;
    this.#mergeAll(nth, step);
    if (output.view !== step.before) this.#check(step);
    const lost = isOfSpec ? lostReplacements(step).map((each) => new LostExplainer(each)) : [];
    if (lost.length > 0) this.#hasLost = true;
    this.#said.push({ step, lost, isOfSpec });
  }

  // Of a window that is most messages, at each step of a slider: the loop is plain.
  #mergeAll(nth: number, { stage, before, output }: StageStep): void {
    const { kinds: touched } = output;
    const [kinds, from, again] = [this.#kinds, this.#from, this.#again];
    const isUnchanged = output.view === before;
    const end = Math.min(touched.length, kinds.length);
    for (let index = 0; index < end; index++) {
      const number = touched[index]!;
      if (number === 0) continue;
      const known = kinds[index]!;
      const next = number === PUT_BACK ? 0 : number;
      if (isUnchanged && STANDS[next] === 0) {
        throw new Error(`${stage.kind} took #${index} out of a view it returned unchanged`);
      }
      const isFirst = known === 0 && next !== 0;
      // As in mergeFates: behind such a kind nothing is left of what was said before.
      const isDecided = isFirst || (STANDS[known] === 1 && STANDS[next] === 0);
      if (isDecided) from[index] = nth;
      again[index] = isDecided ? 0 : 1;
      kinds[index] = MERGED[known * KINDS.length + next]!;
    }
  }

  // A message that leaves the view without a fate, or one that its fate says has left and is still in the view, is a stage's bug.
  #check({ stage, before, output: { view } }: StageStep): void {
    if (!haveSameSources(before, view)) this.#present = this.#presentIn(view, stage.kind);
    const [kinds, present] = [this.#kinds, this.#present];
    for (let index = 0; index < present.length; index++) {
      if (STANDS[kinds[index]!] === present[index]) continue;
      throw new Error(`${stage.kind} gave #${index} a fate that its view belies`);
    }
  }

  #presentIn({ items }: View, kind: string): Uint8Array {
    const present = new Uint8Array(this.#kinds.length);
    for (let at = 0; at < items.length; at++) {
      const item = items[at]!;
      if (item.kind !== 'source') continue;
      if (present[item.index] !== 0) throw new Error(`${kind} put #${item.index} into the view twice`);
      present[item.index] = 1;
    }
    return present;
  }

  /** What became of a message: as its fate says, which need not be made for it. */
  kindOf(index: number): FateKind {
    return KINDS[this.#kinds[index] ?? 0] ?? 'kept';
  }

  counts(): Readonly<Record<FateKind, number>> {
    const counts = new Array<number>(KINDS.length).fill(0);
    for (let index = 0; index < this.#kinds.length; index++) counts[this.#kinds[index]!]!++;
    const [kept = 0, redacted = 0, rewritten = 0, dropped = 0, summarised = 0, merged = 0] = counts;
    return { kept, redacted, rewritten, dropped, summarised, merged };
  }

  indicesOf(...wanted: readonly FateKind[]): readonly number[] {
    const isWanted = Uint8Array.from(KINDS, (kind) => Number(wanted.includes(kind)));
    const indices: number[] = [];
    for (let index = 0; index < this.#kinds.length; index++) {
      if (isWanted[this.#kinds[index]!] === 1) indices.push(index);
    }
    return indices;
  }

  /** The fate of a message [0, at), made when somebody first asks. */
  fateOf(index: number): Fate {
    const known = this.#known(index);
    if (known !== undefined) return known;
    if (!(index in this.#kinds)) throw new RangeError(`no message #${index} before the call point`);
    if (this.#isLeft) throw new LeftFate(index);
    const made = this.#explained(index, this.#merged(index));
    this.#pages[Math.floor(index / PAGE)] ??= [];
    this.#pages[Math.floor(index / PAGE)]![index % PAGE] = made;
    return made;
  }

  #known(index: number): Fate | undefined {
    return this.#pages[Math.floor(index / PAGE)]?.[index % PAGE];
  }

  areOfOneCause(a: number, b: number): boolean {
    // Where one step alone has a word in each: what it says, two steps being two causes.
    if (!this.#hasLost && !this.#isLeft && this.#again[a] === 0 && this.#again[b] === 0) {
      const nth = this.#from[a]!;
      if (nth !== this.#from[b]) return false;
      const output = this.#said[nth]?.step.output;
      // Long runs are gone through message by message: the one was the other of the pair before.
      const known = this.#lastCause;
      const cause = known?.index === a ? known.cause : (output?.causeOf(a) ?? null);
      if (cause !== null) {
        const other = output?.causeOf(b) ?? null;
        if (known?.index === a) {
          known.index = b;
          known.cause = other;
        } else this.#lastCause = { index: b, cause: other };
        return cause === other;
      }
    }
    return isOneCause(this.fateOf(a), this.fateOf(b));
  }

  /** One fate for each message. */
  get fates(): readonly Fate[] {
    if (this.#all !== null) return this.#all;
    for (; this.#settled < this.#kinds.length; this.#settled++) this.fateOf(this.#settled);
    this.#end();
    this.#all = this.#pages.flat() as Fate[];
    return this.#all;
  }

  hold(): boolean {
    if (!this.#isLeft) this.#holders++;
    return !this.#isLeft;
  }

  release(): void {
    this.#holders--;
  }

  /** Makes the fates that nobody asked for yet; ends early where the stages move on in a pause. */
  *makeRest(): Pausing<void> {
    yield* this.#make(() => !this.#isLeft);
    if (this.#settled === this.#kinds.length) this.#end();
  }

  /** Before the stages move on: makes the fates that nobody asked for yet, if anybody will. */
  *settle(): Pausing<void> {
    yield* this.#make(() => this.#holders > 0);
    this.#isLeft = this.#settled < this.#kinds.length;
    this.#end();
  }

  *#make(isWanted: () => boolean): Pausing<void> {
    let made = 0;
    while (this.#settled < this.#kinds.length && isWanted()) {
      const index = this.#settled;
      if (this.#known(index) === undefined) {
        this.fateOf(index);
        made++;
      }
      this.#settled = index + 1;
      if (made === PAUSE_EVERY) {
        made = 0;
        yield PAUSE;
      }
    }
  }

  // What the stages hold is theirs again.
  #end(): void {
    this.#said.length = 0;
    this.#positions.clear();
  }

  #merged(index: number): Fate {
    let fate = UNTOUCHED;
    for (let nth = this.#from[index]!; nth < this.#said.length; nth++) {
      const { step, lost } = this.#said[nth]!;
      const own = step.output.fates.get(index);
      if (own !== undefined) fate = fate === UNTOUCHED ? own : mergeFates(fate, own);
      if (this.#hasLost) for (const each of lost) fate = each.explain(index, fate);
    }
    if (fate.kind === this.kindOf(index)) return fate;
    throw new Error(`#${index} has a fate of the kind ${fate.kind}, which no stage gave it`);
  }

  // From the last stage of the spec to the first: an earlier one is heard where the later ones only passed the message by.
  #explained(index: number, fate: Fate): Fate {
    let known = fate;
    if (!this.#explains || known.kind !== 'kept') return known;
    for (let nth = this.#said.length - 1; nth >= 0 && !weighs(known); nth--) {
      const { step, isOfSpec } = this.#said[nth]!;
      const position = isOfSpec ? this.#positionIn(step.before, index) : -1;
      if (position < 0) continue;
      const said = step.output.explain(position);
      if (known === UNTOUCHED || weighs(said)) known = said;
    }
    return known;
  }

  // Mostly all messages before one are in the view too.
  #positionIn(view: View, index: number): number {
    const there = view.items[index];
    if (there?.kind === 'source' && there.index === index) return index;
    return this.#positionsIn(view)[index] ?? -1;
  }

  #positionsIn(view: View): Int32Array {
    const known = this.#positions.get(view);
    if (known !== undefined) return known;
    const made = new Int32Array(this.#kinds.length).fill(-1);
    const { items } = view;
    for (let position = 0; position < items.length; position++) {
      const item = items[position]!;
      if (item.kind === 'source') made[item.index] = position;
    }
    this.#positions.set(view, made);
    return made;
  }
}

// True if the one holds an item of the same message wherever the other holds one. Most are one item: these are not looked into.
function haveSameSources({ items: a }: View, { items: b }: View): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) {
    const one = a[at]!;
    const other = b[at]!;
    if (one === other) continue;
    if (one.kind !== other.kind) return false;
    if (one.kind === 'source' && other.kind === 'source' && one.index !== other.index) return false;
  }
  return true;
}
