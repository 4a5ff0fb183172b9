// The stages of a spec at a call point of a transcript, kept while the call point moves on and options change: a stage whose
// option changes is begun again, those before it stay, and those behind it are told what has become different. Any way to
// a call point and a spec gives what one step there gives.
import type { TranscriptSource } from '../model/transcript.ts';
import type { IncrementalContext, IncrementalSteps } from '../view/incremental.ts';
import { LiveView } from '../view/liveView.ts';
import { rawItems, rawView } from '../view/reader.ts';
import { PAUSE, type View } from '../view/types.ts';
import { WholeView } from '../view/wholeView.ts';
import { CurrentTokens } from './currentTokens.ts';
import type { ResolvedStage } from './parseSpec.ts';
import { PipelineStage } from './pipelineStage.ts';

/** What all stages are given. */
export type PipelineContext = Omit<IncrementalContext, 'stage'>;

/** What is counted, and what a request may hold: of what stages are given what may become another. */
export type Counted = Pick<PipelineContext, 'tokens' | 'budget'>;

/** The enabled stages of a spec at a call point. */
export class Pipeline {
  readonly #source: TranscriptSource;
  readonly #tokens: CurrentTokens;
  #context: PipelineContext;
  #stages: readonly PipelineStage[];
  #at = 0;
  #before: View | null = null;
  /** The messages before the call point, cell by cell; made with the first step that is not one from nothing. */
  #raw: LiveView | null = null;

  /** Begins before the first call point. */
  constructor(context: PipelineContext, stages: readonly ResolvedStage[] = []) {
    this.#source = context.source;
    this.#tokens = new CurrentTokens(context.tokens);
    this.#context = { ...context, tokens: this.#tokens };
    this.#stages = stages.filter(({ enabled }) => enabled).map((stage) => this.#begin(stage));
  }

  /** The stages on their way, in order. */
  get stages(): readonly PipelineStage[] {
    return this.#stages;
  }

  /** The messages before the call point, as the first stage is given them. */
  get before(): View {
    this.#before ??= rawView(this.#source, this.#at, this.#context.memo);
    return this.#before;
  }

  /** The same, cell by cell. */
  get raw(): LiveView {
    this.#raw ??=
      this.#at === 0 ? new LiveView(this.#source.length) : LiveView.of(new WholeView(this.before, this.#source.length));
    return this.#raw;
  }

  /** Moves on to a later call point. What is different is told as changed until {@link settle}. */
  *moveTo(at: number): IncrementalSteps {
    this.#moveRaw(at);
    let input = this.raw;
    for (const stage of this.#stages) {
      yield* stage.step(input, at);
      yield PAUSE;
      input = stage.output;
    }
  }

  /** From now on changes are told from here. */
  settle(): void {
    this.#raw?.settle();
    for (const stage of this.#stages) stage.settle();
  }

  /** Goes to a call point, earlier or later, under these stages. Those that are told the same stay as they are. */
  *become(stages: readonly ResolvedStage[], at: number, given: Counted): IncrementalSteps {
    const known = at < this.#at ? [] : this.#stages;
    this.#take(given);
    const isMoved = at !== this.#at;
    if (known.length > 0) this.#moveRaw(at);
    else this.#beginAt(at);
    const wanted = stages.filter(({ enabled }) => enabled);
    const isKept = (stage: ResolvedStage, nth: number) => known[nth]?.isFor(this.#key(stage)) === true;
    // Behind it nobody is told what becomes different.
    const lastKept = wanted.findLastIndex(isKept);
    const next: PipelineStage[] = [];
    const whole = new WholeBehind(next, () => new WholeView(this.before, this.#source.length));
    for (const [nth, stage] of wanted.entries()) {
      const old = known[nth];
      const last = next.at(-1);
      const isGiven = isMoved || last?.hasChanged === true;
      if (old?.isFor(this.#key(stage)) === true && !(isGiven && old.beginsAgain)) {
        if (isGiven) yield* old.step(last?.output ?? this.raw, at);
        next.push(old);
      } else {
        const made = this.#begin(stage);
        yield* made.open(whole.now, at);
        if (old !== undefined && nth < lastKept) made.replace(old);
        next.push(made);
      }
      yield PAUSE;
    }
    this.#stages = next;
    this.settle();
  }

  #begin(stage: ResolvedStage): PipelineStage {
    return new PipelineStage(stage, this.#key(stage), { ...this.#context, stage: stage.position });
  }

  // All that a stage's output depends on besides the messages before the call point and the stages before it.
  #key({ key, position, usesTokens }: ResolvedStage): string {
    return `${position} ${key}${usesTokens ? ` ${this.#tokens.epoch} ${JSON.stringify(this.#context.budget)}` : ''}`;
  }

  #take({ tokens, budget }: Counted): void {
    this.#tokens.become(tokens);
    this.#context = { ...this.#context, budget };
  }

  #beginAt(at: number): void {
    if (at === this.#at) return;
    this.#at = at;
    this.#raw = null;
    this.#before = null;
  }

  #moveRaw(at: number): void {
    if (at === this.#at) return;
    const { raw } = this;
    const items = rawItems(this.#source, this.#context.memo);
    for (let index = this.#at; index < at; index++) raw.set(index, items.slice(index, index + 1));
    this.#at = at;
    this.#before = null;
  }
}

// What the last of some stages gives as a whole, while more come behind it: no stage is asked twice.
class WholeBehind {
  readonly #stages: readonly PipelineStage[];
  readonly #first: () => WholeView;
  #asked = 0;
  #whole: WholeView | null = null;

  /** `first` = what the first stage is given. */
  constructor(stages: readonly PipelineStage[], first: () => WholeView) {
    this.#stages = stages;
    this.#first = first;
  }

  get now(): WholeView {
    for (let nth = this.#stages.length - 1; nth >= this.#asked; nth--) {
      const own = this.#stages[nth]?.whole ?? null;
      if (own === null) continue;
      this.#whole = own;
      break;
    }
    this.#asked = this.#stages.length;
    this.#whole ??= this.#first();
    return this.#whole;
  }
}
