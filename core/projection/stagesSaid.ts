// What became of each message when all stages have run. Of a message that a later stage took out, what earlier ones would
// say is never asked: so the kinds of all are merged first, and of each message only those stages say something whose
// words stay.
import { mergeFates, mergeKinds, standsInView, UNTOUCHED } from '../view/fates.ts';
import { type Fate, type FateKind, PAUSE, PAUSE_EVERY, type Pausing, type View } from '../view/types.ts';
import type { StageStep } from './project.ts';
import { LostExplainer, lostReplacements } from './replacements.ts';

const KINDS: readonly FateKind[] = ['kept', 'redacted', 'rewritten', 'dropped', 'summarised', 'merged'];
const STANDS: readonly boolean[] = KINDS.map(standsInView);
const NUMBERS = new Map(KINDS.map((kind, number) => [kind, number]));

interface Said {
  readonly step: StageStep;
  readonly lost: readonly LostExplainer[];
}

/** The fates of a projection's messages, by what each stage says. */
export class StagesSaid {
  readonly #said: Said[] = [];
  /** By message: the number of its kind so far, and the first step whose words stay. */
  readonly #kinds: Uint8Array;
  readonly #from: Uint16Array;
  #hasLost = false;

  /** For the messages [0, at). */
  constructor(at: number) {
    this.#kinds = new Uint8Array(at);
    this.#from = new Uint16Array(at);
  }

  /** The next step. `isOfSpec` false: a step of the provider's, which takes no stand-in out. */
  take(step: StageStep, isOfSpec = true): void {
    const nth = this.#said.length;
    const { output } = step;
    for (let index = output.nextTouched(0); index !== null; index = output.nextTouched(index + 1)) {
      const kind = output.kindOf(index);
      if (kind !== null) this.#merge(index, kind, nth, step);
    }
    if (output.view !== step.before) this.#check(output.view, step);
    const lost = isOfSpec ? lostReplacements(step).map((each) => new LostExplainer(each)) : [];
    if (lost.length > 0) this.#hasLost = true;
    this.#said.push({ step, lost });
  }

  #merge(index: number, kind: FateKind, nth: number, { stage, before, output }: StageStep): void {
    if (output.view === before && !standsInView(kind)) {
      throw new Error(`${stage.kind} took #${index} out of a view it returned unchanged`);
    }
    const known = KINDS[this.#kinds[index] ?? 0] ?? 'kept';
    const isFirst = known === 'kept' && kind !== 'kept';
    // As in mergeFates: behind such a kind nothing is left of what was said before.
    if (isFirst || (standsInView(known) && !standsInView(kind))) this.#from[index] = nth;
    this.#kinds[index] = NUMBERS.get(mergeKinds(known, kind)) ?? 0;
  }

  // A message that leaves the view without a fate, or one that its fate says has left and is still in the view, is a stage's bug.
  #check(view: View, { stage }: StageStep): void {
    const present = new Uint8Array(this.#kinds.length);
    for (const item of view.items) {
      if (item.kind !== 'source') continue;
      if (present[item.index] !== 0) throw new Error(`${stage.kind} put #${item.index} into the view twice`);
      present[item.index] = 1;
    }
    for (let index = 0; index < present.length; index++) {
      if (STANDS[this.#kinds[index]!] === (present[index] === 1)) continue;
      throw new Error(`${stage.kind} gave #${index} a fate that its view belies`);
    }
  }

  /** One fate for each message. */
  *fates(): Pausing<Fate[]> {
    const fates = new Array<Fate>(this.#kinds.length).fill(UNTOUCHED);
    let made = 0;
    for (let index = 0; index < fates.length; index++) {
      const fate = this.#fateOf(index);
      if (fate === UNTOUCHED) continue;
      fates[index] = fate;
      if (++made % PAUSE_EVERY === 0) yield PAUSE;
    }
    return fates;
  }

  #fateOf(index: number): Fate {
    let fate = UNTOUCHED;
    for (let nth = this.#from[index]!; nth < this.#said.length; nth++) {
      const { step, lost } = this.#said[nth]!;
      const own = step.output.fates.get(index);
      if (own !== undefined) fate = fate === UNTOUCHED ? own : mergeFates(fate, own);
      if (this.#hasLost) for (const each of lost) fate = each.explain(index, fate);
    }
    if (fate.kind === KINDS[this.#kinds[index]!]) return fate;
    throw new Error(`#${index} has a fate of the kind ${fate.kind}, which no stage gave it`);
  }
}
