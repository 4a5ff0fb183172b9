import type { TranscriptSearch } from '../../insight/text/search.ts';
import { WATCHPOINTS_MOST } from '../../insight/watch/types.ts';
import type { RecordedOverhead } from '../../model/overheadCounts.ts';
import type { SummaryArtifact } from '../../model/summary.ts';
import { recordedWindow, type TranscriptSource } from '../../model/transcript.ts';
import { bindingInputs } from '../../projection/binding/facts.ts';
import type { BindingInputs } from '../../projection/binding/types.ts';
import { resolveBudget } from '../../projection/budgetSpec.ts';
import { KeptPipeline } from '../../projection/keptPipeline.ts';
import type { StageViews } from '../../projection/savings.ts';
import type { Projection, ProjectionSpec } from '../../projection/types.ts';
import { EngineError } from '../../protocol/client.ts';
import type { TranscriptLink } from '../../protocol/types.ts';
import type { BundleInputs } from '../../report/format.ts';
import { ASSISTANT, TranscriptChangedError, TURN } from '../../store/index.ts';
import type { StoredSource } from '../../store/types.ts';
import type { Budget } from '../../tokens/budget.ts';
import { type Calibration, holds } from '../../tokens/calibrated.ts';
import { isTokenizerId, loadCounter, type TokenizerId } from '../../tokens/counters.ts';
import { type ModelFacts, modelFacts, tokenizerLabel } from '../../tokens/models.ts';
import { countOverhead, knownOverhead } from '../../tokens/overhead.ts';
import { countedTokens } from '../../view/countedTokens.ts';
import type { SourceMap } from '../../view/sourceMap.ts';
import type { Standing } from '../../view/standing.ts';
import type { StageMemo, StageTokens, View } from '../../view/types.ts';
import { CHANGED, SUPERSEDED } from '../failures.ts';
import { nodeSha256 } from '../nodeHash.ts';
import { messageRows, type Span } from '../rows/layout.ts';
import { BoundedMap, createBoundedMemo } from './boundedMap.ts';
import { EditReader } from './edits.ts';
import { LoadedTokens } from './loadedTokens.ts';
import { OverheadTokens } from './overheadTokens.ts';
import { PendingHash } from './pendingHash.ts';
import { PrefixHasher } from './prefixHasher.ts';
import type { PlacedSynthetic, Projected } from './projected.ts';
import { RowFiltering } from './rowFiltering.ts';
import { RowSource } from './rowSource.ts';
import { SessionUses } from './sessionUses.ts';
import { Tokenizing } from './tokenizing.ts';
import { TokenTable } from './tokenTable.ts';
import { modelOf } from './transcriptModel.ts';
import type { Task, Turn, WorkQueue } from './workQueue.ts';

/** Projections kept: a projection of 100,000 messages takes 10 to 20 MB. */
const KEPT_PROJECTIONS = { most: 8, least: 4, messages: 400_000 };
const MEMO_VALUES = 500_000;
/** Searches kept: the find bar's text, that of the selected message, and the ones before. */
const SEARCHES = 4;
/** Characters counted in one slice, about 8 ms. */
const SLICE_CHARS = 20_000;

/** How long an answer waits for a prefix hash that may come later, if the last one took less. */
export const HASH_WAIT_MS = 25;
/** Messages that a first prefix hash reads within that time, more or less. */
const QUICKLY_READ = 2_000;

/** What is derived from the number of messages alone, made again when a transcript grows. */
export interface Outline {
  readonly messages: number;
  readonly callPoints: readonly number[];
  readonly turnStarts: readonly number[];
  /** See messageRows. */
  readonly rows: Uint32Array;
}

/** What of a spec decides how its requests are counted and checked. */
export type InputsSpec = Pick<ProjectionSpec, 'tokenizer' | 'window' | 'budget' | 'preserved_thinking'>;

/** A copy of the transcript, message by message, with changes. */
export interface TranscriptCopy {
  readonly source: TranscriptSource;
  readonly meta: RecordedOverhead;
}

/** What a session reports. */
export interface SessionEvents {
  /** Better numbers are to be had: a tokenizer was loaded, or edits were counted. */
  onCounter(): void;
  /** The transcript is wanted under this tokenizer: time to count it. */
  onTokenizer(tokenizer: TokenizerId): void;
  /** The sub-agents that its calls started, by the call's id. */
  spawned(): ReadonlyMap<string, TranscriptLink>;
  /** Whether the person wants counts as they are, not the provider's. */
  plainCounts(): boolean;
  /** Resolves when it is known what recorded usage makes of the counts. */
  calibrated(): Promise<void>;
}

/** An open transcript: its source and everything remembered about it. */
export class Session {
  readonly id: string;
  readonly source: StoredSource;
  readonly edits: EditReader;
  readonly hasher: PrefixHasher;
  readonly rowSource: RowSource;
  readonly filtering: RowFiltering;
  /** The stages of the last projection on the screen. */
  readonly pipeline = new KeptPipeline();
  /** Those of what was projected last beside the screen: to be compared, exported, checked. The screen's stay where they are. */
  readonly besidePipeline = new KeptPipeline();
  readonly memo: StageMemo = createBoundedMemo(MEMO_VALUES);
  /** Projections by projectionId. */
  readonly projections = new BoundedMap<string, ProjectedView>(() => this.#keptProjections());
  /** Projections that were asked for, also such as are at hand. */
  asked = 0;
  /** The projection that was described last: the next one mostly holds the same. */
  last: Computed | null = null;
  /** Projections and hashes by what they were made from. */
  readonly computed = new BoundedMap<string, Promise<Computed>>(() => this.#keptProjections());
  /** Texts that were looked for, by text and switches. A search does not depend on the policy. */
  readonly searches = new BoundedMap<string, TranscriptSearch>(SEARCHES);
  /** Those of its watchpoints. */
  readonly watchedSearches = new BoundedMap<string, TranscriptSearch>(WATCHPOINTS_MOST);
  /** What its messages relied on. */
  readonly uses: SessionUses;
  /** What is done for it, in order. */
  readonly work: WorkQueue;
  /** Messages up to which stages have gathered what they remember (see prefetch.ts). */
  gathered = 0;
  /** Messages that hygiene has read ahead. */
  readAhead = 0;
  readonly #events: SessionEvents;
  #closed = false;
  #counting: Task<boolean> | null = null;
  #summaries: { readonly list: readonly SummaryArtifact[]; readonly key: string } = { list: [], key: '' };
  readonly #tokenizings = new Map<string, Tokenizing>();
  #outline: Outline | null = null;
  /** Asked for with every projection; found by a table of patterns. */
  #model: { readonly name: string | undefined; readonly facts: ModelFacts } | null = null;
  /** Undefined = not known yet. */
  #calibration: Calibration | null | undefined = undefined;

  constructor(source: StoredSource, events: SessionEvents, work: WorkQueue) {
    this.id = source.id;
    this.source = source;
    this.#events = events;
    this.work = work;
    this.uses = new SessionUses(source);
    this.edits = new EditReader(source);
    this.hasher = new PrefixHasher(source);
    this.filtering = new RowFiltering(this);
    this.rowSource = new RowSource(source, this.edits, () => events.spawned());
  }

  get outline(): Outline {
    if (this.#outline?.messages !== this.source.length) this.#outline = outlineOf(this.source, this.#outline);
    return this.#outline;
  }

  /** Facts of the model the transcript ran on last. */
  get model(): ModelFacts {
    const name = this.modelName;
    if (this.#model === null || this.#model.name !== name) this.#model = { name, facts: modelFacts(name) };
    return this.#model.facts;
  }

  /** What requests must fit where no spec says it: as recorded, else by the model; null = it is not known. Unit: tokens. */
  get window(): number | null {
    return recordedWindow(this.source.row().meta) ?? this.model.window;
  }

  get modelName(): string | undefined {
    return modelOf(this.source.row()) ?? undefined;
  }

  /** Names the sub-agents that rows link to: rows are others when this is another. */
  get links(): string {
    return JSON.stringify([...this.#events.spawned()]);
  }

  /** The line that makes counts the provider's; null = there is none that holds, or none is wanted. */
  get calibration(): Calibration | null {
    const line = this.#calibration ?? null;
    return !this.#events.plainCounts() && holds(line) ? line : null;
  }

  /** Whether it is still to be found out what recorded usage makes of the counts. */
  get isCalibrating(): boolean {
    return this.#calibration === undefined && !this.#events.plainCounts();
  }

  /** Takes a line for its counts. */
  calibrateBy(line: Calibration | null): void {
    const before = JSON.stringify(this.#calibration);
    const isFirst = this.#calibration === undefined;
    this.#calibration = line;
    if (before === JSON.stringify(line)) return;
    for (const [key, { calibration }] of this.#tokenizings) if (calibration !== null) this.#tokenizings.delete(key);
    // Whoever shows figures waits to hear that they are final.
    if (!this.closed && (isFirst || before !== 'null' || line !== null)) this.#events.onCounter();
  }

  #keptProjections(): number {
    const { most, least, messages } = KEPT_PROJECTIONS;
    return Math.min(most, Math.max(least, Math.floor(messages / Math.max(1, this.source.length))));
  }

  /** Takes in messages that were imported, and counts that were made since. `messages` = how many there are now. */
  refresh(messages: number): void {
    // What stages say of messages may say how many there are.
    if (messages !== this.source.length) for (const kept of [this.pipeline, this.besidePipeline]) kept.settleNow();
    this.source.refresh();
    for (const tokenizing of this.#tokenizings.values()) tokenizing.refresh();
  }

  /** Keeps a projection addressable by its id, among the last few. */
  remember(view: ProjectedView): void {
    this.projections.set(view.projected.id, view);
  }

  /** The transcript was removed or is another one, or the engine ends: nothing may be read any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Drops texts and bytes that are read or made again when next needed; keeps what was computed. */
  trim(): void {
    this.source.dropTexts();
    this.hasher.dropText();
    this.edits.dropCanonical();
    this.searches.clear();
    this.uses.trim();
  }

  /** Ends all work that continues for it. */
  close(): void {
    this.#closed = true;
    this.work.close();
  }

  /** The prefix hash of a view. Ended with the session, or because nobody waits for it: an EngineError says so. */
  hash(view: View): PendingHash {
    let task: Task<string> | null = null;
    const run = (turn: Turn) => this.hasher.hash(view, (item) => this.edits.canonical(item), turn);
    const make = async (isAwaited: boolean): Promise<string> => {
      const { lastMs } = this.hasher;
      // The first one reads all messages.
      const isSlow = lastMs === Number.POSITIVE_INFINITY ? view.items.length > QUICKLY_READ : lastMs > HASH_WAIT_MS;
      task = this.work.background('hash', run, { isLong: isSlow && !isAwaited });
      const made = await task.done;
      if (made.ok) return made.value;
      throw new EngineError(this.closed ? CHANGED : SUPERSEDED);
    };
    return new PendingHash(make, () => task?.end());
  }

  /**
   * Counts the edits of a projection that are only estimated, in slices; a later projection takes its place. `views` = what
   * its stages were given and gave: each says what it saved, also of what a later one takes out.
   */
  countLater(tokens: Tokenizing, views: ReadonlySet<View>): void {
    this.#counting?.end();
    this.#counting = null;
    // Without a counter there is nothing to do but wait: its arrival makes everybody project again.
    if (!tokens.ready) return;
    const counting = this.work.background('counts', (turn) => countAll(tokens, views, turn));
    this.#counting = counting;
    const ended = (): void => {
      if (this.#counting === counting) this.#counting = null;
    };
    // A bug there must not end the engine; whoever needs the counts meets it too, and gets the failure.
    counting.done.then((counted) => {
      ended();
      if (counted.ok && counted.value) this.#events.onCounter();
    }, ended);
  }

  /**
   * What stages of a spec may count with and must fit. `window` and `tokenizer` chosen for this request stand above the
   * spec's own; without either, the transcript's model decides.
   */
  inputsFor(
    spec: InputsSpec,
    chosen: {
      readonly window?: number | null | undefined;
      readonly tokenizer?: string | null | undefined;
      /** In place of a tokenizer: counts that are at hand. */
      readonly tokens?: Tokenizing | undefined;
    } = {},
  ): StageInputs {
    const tokenizing = chosen.tokens ?? this.tokenizing(chosen.tokenizer ?? spec.tokenizer);
    const windows = { chosen: chosen.window, specWindow: spec.window, own: this.window, model: this.modelName };
    const { known, estimated } = tokenizing;
    const budget = resolveBudget(spec.budget, { ...windows, ...known, estimated });
    const state = `${tokenizing.state} ${JSON.stringify(budget)} ${this.summariesKey}`;
    return { tokens: tokenizing.forStages(), budget, binding: this.bindingFor(spec), state };
  }

  /**
   * As inputsFor, with every count made before it is used: for what others must find again. Takes as long as counting
   * the transcript, if that is not done yet. `copy`: of a copy with changes.
   */
  async settledInputs(spec: InputsSpec, copy?: TranscriptCopy): Promise<SettledInputs> {
    await this.#events.calibrated();
    const tokenizing = this.tokenizing(spec.tokenizer);
    const { images } = this.model;
    const tokenizer = this.tokenizerFor(spec.tokenizer);
    const counter = await loadCounter(tokenizer);
    const { calibration, exact, estimated } = tokenizing;
    const isKnown = copy === undefined && tokenizing.beside.counted;
    const { meta } = copy ?? this.source.row();
    const recorded = isKnown ? tokenizing.beside.counts : countOverhead(meta, counter, images);
    const known = knownOverhead(recorded, calibration);
    const budget = resolveBudget(spec.budget, {
      specWindow: spec.window,
      own: this.window,
      model: this.modelName,
      ...known,
      estimated,
    });
    const counting = { counter, tokenizer, exact, images, factor: calibration?.factor };
    const whole = tokenizing.settled() ?? countedTokens(this.source, counting);
    const before = { source: this.source, tokens: whole };
    const tokens = copy === undefined ? whole : countedTokens(copy.source, counting, before);
    const bundle = { tokenizer, exact, images, budget };
    const binding = this.bindingFor(spec);
    return { tokens, budget, binding, state: `settled ${JSON.stringify(bundle)}`, bundle };
  }

  /** How the provider checks the thinking in the requests of a spec; null = it does not, or there is none to check. */
  bindingFor({ preserved_thinking }: Pick<ProjectionSpec, 'preserved_thinking'>): BindingInputs | null {
    const row = this.source.row();
    const metaAt = (index: number) => this.source.meta(index);
    return bindingInputs(preserved_thinking, { model: modelOf(row), models: row.models, meta: row.meta, metaAt });
  }

  /** Names the written summaries as they are: with others, another projection. */
  get summariesKey(): string {
    const list = this.source.summaries();
    if (list !== this.#summaries.list) {
      const key = list.length === 0 ? '' : nodeSha256().update(JSON.stringify(list)).hex();
      this.#summaries = { list, key };
    }
    return this.#summaries.key;
  }

  /** The tokenizer for a choice by name (null = the model's), and whether it was named. */
  tokenizerFor(chosen: string | null | undefined): TokenizerId {
    return chosen != null && isTokenizerId(chosen) ? chosen : this.model.tokenizer;
  }

  /** The transcript under its model's tokenizer as it counts: what recorded usage is held against. */
  plainTokenizing(): Tokenizing {
    return this.#tokenizing(null, null);
  }

  /** The transcript under a tokenizer, as the provider counts where that is known. A named tokenizer's counts are exact as its own, the model's only if it is its. */
  tokenizing(chosen: string | null | undefined): Tokenizing {
    const named = chosen != null && isTokenizerId(chosen);
    return this.#tokenizing(chosen, named ? null : this.calibration);
  }

  #tokenizing(chosen: string | null | undefined, calibration: Calibration | null): Tokenizing {
    const named = chosen != null && isTokenizerId(chosen);
    const id = this.tokenizerFor(chosen);
    const { exact: modelExact, label: modelLabel, images, tokenizer } = this.model;
    const exact = id !== 'estimate' && (named || modelExact);
    const counted = named || id !== tokenizer ? tokenizerLabel(id, exact) : modelLabel;
    const label = calibration === null ? counted : 'calibrated by recorded usage';
    // A transcript that grows may continue with another model, which may share the tokenizer and nothing else.
    const key = `${id} ${exact} ${images} ${label} ${JSON.stringify(calibration)}`;
    const known = this.#tokenizings.get(key);
    if (known) return known;
    const table = new TokenTable(this.source, id, images, calibration?.factor);
    const beside = new OverheadTokens(this.source, id, images);
    const loaded = new LoadedTokens(this.source, calibration?.factor ?? 1);
    const made = new Tokenizing(table, this.edits, images, { label, exact, beside, loaded, calibration });
    this.#tokenizings.set(key, made);
    this.#events.onTokenizer(id);
    void loadCounter(id).then((counter) => {
      made.use(counter);
      if (!this.closed) this.#events.onCounter();
    });
    return made;
  }
}

// Another projection, or the end of the session, ends it early. What is no longer there need not be counted: whoever shows
// the transcript hears that it has changed.
async function countAll(tokens: Tokenizing, views: Iterable<View>, turn: Turn): Promise<boolean> {
  let counted = true;
  try {
    for (const view of views) {
      const steps = tokens.countView(view, SLICE_CHARS);
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) {
          counted &&= step.value;
          break;
        }
        const pause = turn.pause();
        if (pause) await pause;
      }
    }
    return counted;
  } catch (error) {
    if (error instanceof TranscriptChangedError) return true;
    throw error;
  }
}

/** Of a transcript that grew only what is new is looked at: it may grow twice a second, and have a million messages. */
function outlineOf(source: StoredSource, before: Outline | null): Outline {
  const from = before !== null && before.messages <= source.length ? before.messages : 0;
  const known = from === 0 || before === null ? null : before;
  const callPoints = known?.callPoints.slice(0, -1) ?? [];
  const turnStarts = known?.turnStarts.slice() ?? [];
  const { roles } = source.digest();
  for (let i = from; i < source.length; i++) {
    if ((roles[i]! & ASSISTANT) !== 0) callPoints.push(i);
    if ((roles[i]! & TURN) !== 0) turnStarts.push(i);
  }
  callPoints.push(source.length);
  return { messages: source.length, callPoints, turnStarts, rows: messageRows(source.partCounts()) };
}

/** What a projection's stages are given besides the transcript; `state` names it: another one, another projection. */
export interface StageInputs {
  readonly tokens: StageTokens;
  readonly budget: Budget | null;
  readonly binding: BindingInputs | null;
  readonly state: string;
}

/** Inputs whose counts are all made, and how a bundle states them. */
export interface SettledInputs extends StageInputs {
  readonly bundle: BundleInputs;
}

/** A projection with what is derived from it alone. */
export interface Computed {
  readonly projection: Projection;
  /** What its stages counted with, and had to fit. */
  readonly inputs: StageInputs;
  readonly views: readonly StageViews[];
  /** False while a stage had to guess counts: project again to have them counted. */
  readonly settled: boolean;
  readonly hash: PendingHash;
  readonly map: SourceMap;
  readonly synthetics: readonly PlacedSynthetic[];
  readonly standing: Standing;
  /** Source indices whose fate is not kept, ascending. */
  readonly changed: () => readonly number[];
  /** Long runs of messages that left the request for one cause. */
  readonly gone: readonly Span[];
}

/** A projection with the tokenizing its rows are counted under. */
export interface ProjectedView {
  readonly projected: Projected;
  readonly tokens: Tokenizing;
}
