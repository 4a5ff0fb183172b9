// The stages of a spec at a call point of a transcript, kept while the call point moves on and options change: a stage whose
// option changes takes it, or is begun again; those before it stay, and those behind it get what has become different. Any way to
// a call point and a spec gives what one step there gives.
import type { IncrementalContext, IncrementalSteps } from '../view/incremental.ts';
import type { LiveView } from '../view/liveView.ts';
import { PAUSE, type View } from '../view/types.ts';
import type { WholeView } from '../view/wholeView.ts';
import { CurrentTokens } from './currentTokens.ts';
import type { ResolvedStage } from './parseSpec.ts';
import { PipelineStage, type StageKey } from './pipelineStage.ts';
import { RawCells } from './rawCells.ts';

/** What all stages are given. */
export type PipelineContext = Omit<IncrementalContext, 'stage'>;

/** What is counted, and what a request may hold: of what stages are given what may become another. */
export type Counted = Pick<PipelineContext, 'tokens' | 'budget'>;

/** The enabled stages of a spec at a call point. */
export class Pipeline {
  readonly #raw: RawCells;
  readonly #tokens: CurrentTokens;
  #context: PipelineContext;
  #stages: readonly PipelineStage[];

  /** Begins before the first call point. `shared` = what other specs have of the same stages, behind the same ones. */
  constructor(context: PipelineContext, stages: readonly ResolvedStage[] = [], shared: SharedStages | null = null) {
    this.#raw = shared?.raw ?? new RawCells(context);
    this.#tokens = shared?.tokens ?? new CurrentTokens(context.tokens);
    this.#context = { ...context, tokens: this.#tokens };
    const enabled = stages.filter((stage) => stage.enabled);
    const keys = enabled.map((stage) => Object.values(this.#key(stage)).join(' '));
    this.#stages = enabled.map((stage, nth) => {
      const way = keys.slice(0, nth + 1).join('\n');
      const made = shared?.stages.get(way) ?? this.#begin(stage);
      shared?.stages.set(way, made);
      return made;
    });
  }

  /** Pipelines of several specs along the same call points: those that begin with the same stages share them. */
  static together(context: PipelineContext, specs: readonly (readonly ResolvedStage[])[]): readonly Pipeline[] {
    const tokens = new CurrentTokens(context.tokens);
    const shared = { raw: new RawCells(context), tokens, stages: new Map<string, PipelineStage>() };
    return specs.map((stages) => new Pipeline(context, stages, shared));
  }

  /** How many messages the transcript may hold while these stages stay. */
  get room(): number {
    return this.#raw.room;
  }

  /** The stages on their way, in order. */
  get stages(): readonly PipelineStage[] {
    return this.#stages;
  }

  /** The messages before the call point, as the first stage is given them. */
  get before(): View {
    return this.#raw.view;
  }

  /** The same, cell by cell. */
  get raw(): LiveView {
    return this.#raw.cells;
  }

  /** What the last of them gives; the messages themselves if there is none. */
  get output(): LiveView {
    return this.#stages.at(-1)?.output ?? this.raw;
  }

  /**
   * Whether what a window drops for good is left out of the stages before it, until somebody asks. For one spec along the call
   * points, whose stages nobody else shares.
   */
  leavesOut = false;

  // From the back: what the last ones do not need.
  #leaveOut(): void {
    const stages = this.#stages;
    if (stages.length < 2) return;
    const window = stages.findLastIndex(({ needs }) => (needs.gone ?? null) !== null);
    const isSafe =
      stages.slice(0, Math.max(0, window)).every(({ needs }) => needs.keepsTurns === true) &&
      !stages.slice(window + 1).some(({ needs }) => needs.putsBack === true);
    let span = isSafe ? (stages[window]?.needs.gone ?? null) : null;
    for (let nth = window - 1; nth >= 0; nth--) {
      const stage = stages[nth]!;
      stage.leaveOut(span);
      if (stage.needs.readsNoWords !== true) span = null;
    }
  }

  /** Moves to a later call point. Differences are reported as changes until {@link settle}. */
  *moveTo(at: number): IncrementalSteps {
    if (this.leavesOut) this.#leaveOut();
    this.#raw.moveTo(at);
    let input = this.raw;
    for (const stage of this.#stages) {
      // One that is shared has moved with the first of those who share it.
      if (stage.at !== at) {
        yield* stage.step(input, at);
        yield PAUSE;
      }
      input = stage.output;
    }
  }

  /** Changes are reported relative to this point from now on. */
  settle(): void {
    this.#raw.settle();
    for (const stage of this.#stages) stage.settle();
  }

  /** The transcript has gained messages, and holds no more than {@link room}: all stays, whatever the call point. */
  grow(): void {
    for (const stage of this.#stages) stage.grow();
  }

  /** Makes what the first step behind {@link become} needs, stage by stage: a slider begins in a pause. */
  *prepare(): Generator<void, void, void> {
    let input = this.raw;
    yield;
    for (const stage of this.#stages) {
      stage.prepare(input);
      input = stage.output;
      yield;
    }
  }

  /** Goes to a call point, earlier or later, under these stages. Stages that come with the same definition stay as they are. */
  *become(stages: readonly ResolvedStage[], at: number, given: Counted): IncrementalSteps {
    if (this.leavesOut) for (const stage of this.#stages) stage.leaveOut(null);
    const known = at < this.#raw.at ? [] : this.#stages;
    this.#take(given);
    const isMoved = at !== this.#raw.at;
    if (known.length > 0) this.#raw.moveTo(at);
    else this.#raw.beginAt(at);
    const wanted = stages.filter(({ enabled }) => enabled);
    // Stages behind the last one that stays begin again, so they need no changes.
    const lastToStay = wanted.findLastIndex((stage, nth) => known[nth]?.mayBecome(stage, this.#key(stage)) === true);
    const next: PipelineStage[] = [];
    const whole = new WholeBehind(next, () => this.#raw.whole);
    for (const [nth, stage] of wanted.entries()) {
      const old = known[nth];
      const last = next.at(-1);
      const isGiven = isMoved || last?.hasChanged === true;
      if (old?.isFor(this.#key(stage)) === true && !(isGiven && old.beginsAgain)) {
        if (isGiven) yield* old.step(last?.output ?? this.raw, at);
        next.push(old);
      } else if (old?.reconfigure(stage, this.#key(stage)) === true) {
        yield* old.step(last?.output ?? this.raw, at);
        next.push(old);
      } else {
        const made = this.#begin(stage);
        yield* made.open(whole.now, at);
        if (old !== undefined && nth < lastToStay) made.replace(old, last?.output ?? this.raw);
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
  #key({ key, position, usesTokens }: ResolvedStage): StageKey {
    const counted = usesTokens ? `${this.#tokens.epoch} ${JSON.stringify(this.#context.budget)}` : '';
    return { options: `${position} ${key}`, counted };
  }

  #take({ tokens, budget }: Counted): void {
    this.#tokens.become(tokens);
    this.#context = { ...this.#context, budget };
  }
}

/** What pipelines of several specs have together. */
interface SharedStages {
  readonly raw: RawCells;
  readonly tokens: CurrentTokens;
  /** By the stages' keys up to it. */
  readonly stages: Map<string, PipelineStage>;
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
