// A stage with its overlay: opened over a whole view, moved on cell by cell, and read out wherever it is.
import { UNTOUCHED } from './fates.ts';
import { type IncrementalContext, type IncrementalRun, type IncrementalSteps, roomOf } from './incremental.ts';
import { type CellSpan, LiveView } from './liveView.ts';
import { Overlay } from './overlay.ts';
import { SaidFates } from './saidFates.ts';
import { fateUnder, reportOf, type StageName } from './stageSays.ts';
import type { Fate, FateKind, StageRead, StageReport, View } from './types.ts';
import { WholeView } from './wholeView.ts';

/** One stage on its way. It begins before the first call point, over an empty view. */
export class RunningStage {
  /** Messages whose kind may be another than before the last step. */
  touched: Iterable<number> = [];
  readonly #run: IncrementalRun;
  #name: StageName;
  readonly #context: Pick<IncrementalContext, 'source' | 'stage' | 'room'>;
  #overlay: Overlay;
  /** What it gave when it was opened, while it has not moved since. */
  #opened: WholeView | null = null;
  /** What it gives as a whole where it is, once somebody has asked. */
  #whole: WholeView | null = null;
  #output: LiveView | null = null;
  #read: { readonly before: View; readonly output: StageRead } | null = null;
  /** What it moved on to last. */
  #input: LiveView | null = null;
  /** Cells of its output that are brought up to date when somebody asks. */
  #leftOut: CellSpan | null = null;
  /** Another number, another call point or input. */
  #moves = 0;

  constructor(run: IncrementalRun, name: StageName, context: Pick<IncrementalContext, 'source' | 'stage' | 'room'>) {
    this.#run = run;
    this.#name = name;
    this.#context = context;
    this.#overlay = this.#newOverlay(true);
  }

  /** The step from nothing, over the whole view at once. */
  *open(input: WholeView, at: number): IncrementalSteps {
    this.#overlay = this.#newOverlay(false);
    this.#moves++;
    yield* this.#run.step(input, at, this.#overlay) ?? [];
    this.#opened = this.#overlay.read(input);
  }

  /** Moves on: `input.changed` is what is different from the step before. */
  *step(input: LiveView, at: number): IncrementalSteps {
    // As it was before this step: what was opened is put into cells now.
    const output = this.#outputBehind(input);
    this.#opened = null;
    this.#whole = null;
    this.#read = null;
    this.#moves++;
    this.#input = input;
    this.#overlay.follow();
    const steps = this.#run.step(input, at, this.#overlay);
    if (steps !== undefined) yield* steps;
    this.touched = this.#overlay.flush(input, output);
  }

  /** What it gives, cell by cell. */
  get output(): LiveView {
    return this.#outputBehind(null);
  }

  /** Puts what it gave as a whole into cells, as its next step needs it. `input` = what it was given. */
  prepare(input: LiveView): void {
    this.#outputBehind(input);
  }

  // `input` = what it is given, which may have moved on; null = not known.
  #outputBehind(input: LiveView | null): LiveView {
    this.#output ??= this.#opened === null ? new LiveView(roomOf(this.#context)) : LiveView.of(this.#opened, input);
    return this.#output;
  }

  /** What it leaves out of its input for good, and what it asks of stages before it. */
  get needs(): Pick<IncrementalRun, 'gone' | 'keepsTurns' | 'readsNoWords' | 'putsBack'> {
    return this.#run;
  }

  /** From the next step on nobody needs what it gives in these cells; whoever asks for it all the same gets it. */
  leaveOut(span: CellSpan | null): void {
    if (this.#leftOut === null && span === null) return;
    this.#leftOut = span;
    this.#run.leaveOut?.(span);
    this.output.leaveOut(span, (cell) => this.#renew(cell));
  }

  #renew(cell: number): void {
    const input = this.#input;
    if (input === null) return;
    this.#run.renew?.(cell, this.#overlay);
    this.#overlay.renew(cell, input, this.output);
  }

  #renewAll(): void {
    if (this.#leftOut !== null) for (let { from, to } = this.#leftOut; from < to; from++) this.output.at(from);
  }

  /** Continues under other options of its kind from the next step on; false = it has to be begun again. */
  protected become(name: StageName, reconfigure: (run: IncrementalRun) => boolean): boolean {
    if (!reconfigure(this.#run)) return false;
    this.#name = name;
    return true;
  }

  /**
   * Takes the place of another stage: its output changes to what this one gave when it was opened. `input` = what both are
   * given, which has moved on.
   */
  replace(other: RunningStage, input: LiveView): void {
    const output = other.#outputBehind(input);
    if (this.#opened === null) throw new Error(`${this.#name.kind} takes a place before it was opened`);
    const known = other.#opened ?? new WholeView(output.toView(), output.cells - 1, output.offsets);
    output.become(this.#opened);
    if (output.changed.size === 0) this.#opened = known;
    this.#output = output;
  }

  /** True while moving on would cost more than to open it over the whole view. */
  get beginsAgain(): boolean {
    return this.#run.beginsAgain === true;
  }

  /** True if its output is another than before the last step. */
  get hasChanged(): boolean {
    return this.#output !== null && this.#output.changed.size > 0;
  }

  /** What it gives, for a stage that is opened behind it; null if that is what it is given. */
  get whole(): WholeView | null {
    if (this.#overlay.passes) return null;
    if (this.#opened !== null) return this.#opened;
    const { output } = this;
    this.#whole ??= new WholeView(output.toView(), output.cells - 1, output.offsets);
    return this.#whole;
  }

  #newOverlay(follows: boolean): Overlay {
    const { source } = this.#context;
    return new Overlay(source, this.#run.respectsSignatures ?? false, follows, roomOf(this.#context));
  }

  // The same as long as nothing changes.
  #view(before: View): View {
    if (this.#overlay.passes) return before;
    return this.#opened?.whole ?? this.output.toView();
  }

  /** The transcript has gained messages after the call point it is at: its sentences may say how many there are. */
  grow(): void {
    this.#read = null;
  }

  /** Changes of its output are reported relative to this point from now on. */
  settle(): void {
    this.#output?.settle();
  }

  /** All that it says at the call point it is at, over the view `before`. To be used before it moves on. */
  read(before: View): StageRead {
    if (this.#read?.before === before) return this.#read.output;
    this.#renewAll();
    const moves = this.#moves;
    const overlay = this.#overlay;
    const who = { name: this.#name, stage: this.#context.stage };
    const isNow = (): boolean => moves === this.#moves;
    const output: StageRead = {
      view: this.#view(before),
      fates: new SaidFates(this.#run, overlay, who, { isNow, messages: this.#context.source.length }),
      report: this.report,
      causeOf: (index) => (overlay.blocked ? null : (this.#run.causeOf?.(index) ?? null)),
      kinds: overlay.kinds,
      explain: (position) => {
        const item = before.items[position];
        return item?.kind === 'source' ? this.#run.explain(item.index) : UNTOUCHED;
      },
    };
    this.#read = { before, output };
    return output;
  }

  /** What it reports at the call point it is at, made when it is asked for. */
  get report(): StageReport {
    this.#renewAll();
    return reportOf(this.#run, this.#overlay, this.#name, this.#context.stage);
  }

  /** True if provider safety refuses it at the call point it is at. */
  get blocked(): boolean {
    return this.#overlay.blocked || (this.#run.blockedBy ?? null) !== null;
  }

  /** What the stage does to a message; null = nothing, `kept` = it puts it back as it was said. */
  kind(index: number): FateKind | null {
    if (this.#leftOut !== null) this.output.at(index);
    return this.#overlay.kind(index);
  }

  /** What it says of a message; null = nothing. */
  fateOf(index: number): Fate | null {
    return fateUnder(this.#run, this.#overlay, this.#name, this.#context.stage, index);
  }
}
