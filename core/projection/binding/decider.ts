// Which thinking blocks of a request are behind what they were made behind. The rule is written once, for one call point
// and for a walk along all of them: what stages change is noted cell by cell, and judging costs what has changed.
//
// A block fails if, in what the client sends, something before it is another than in the request that made it: a stage of
// the client changed it, or a recorded compaction lies between the two histories. What providers edit on their own side is
// no change. Those that are sent must be an unbroken run of those that were made; thinking itself counts for nothing else.
import type { TranscriptSource } from '../../model/transcript.ts';
import { Fenwick } from '../../util/fenwick.ts';
import type { StageMemo, ViewItem } from '../../view/types.ts';
import type { ResolvedStage } from '../parseSpec.ts';
import { type BlockTable, blockTable, type SignedBlock } from './blocks.ts';
import { type Replacement, StageChanges } from './changes.ts';
import { cellOf, type Place, placeBefore } from './places.ts';
import { appliedKinds, type RecordedBreak, recordedBreaks } from './recordedBreaks.ts';
import type { BindingCause, BindingInputs, BlockPlace, BlockRun } from './types.ts';

/** Why blocks from a place on fail: the stage, or the gap that thinking taken out before has left. */
export interface Break {
  readonly kind: BindingCause['kind'];
  /** Position of the stage in the spec; null for a recorded compaction. */
  readonly stage: number | null;
  /** Source index of the changed message. */
  readonly index: number | null;
  /** Number of the recorded compaction, and whether the block was made after it. */
  readonly compaction?: number;
  readonly isAfter?: boolean;
}

/** What a block is in the request: `sent` = and read by the model, `estranged` = made in another recorded history. */
const State = { absent: 0, sent: 1, removed: 2, foreign: 3, estranged: 4 } as const;

type State = (typeof State)[keyof typeof State];

/** A stage of the client whose changes count; of what the runtime recorded only counts what is no longer sent. */
interface Client {
  readonly stage: ResolvedStage;
  readonly changes: StageChanges;
}

const EVERYTHING: Place = placeBefore(0);

/** The judge of one spec's requests. */
export class ThinkingDecider {
  readonly table: BlockTable;
  /** Grows where blocks that were there before may be of another history now. */
  epoch = 0;
  readonly #source: TranscriptSource;
  readonly #inputs: BindingInputs;
  readonly #clients: readonly Client[];
  readonly #breaks: readonly RecordedBreak[];
  readonly #applied: ReadonlySet<RecordedBreak['kind']>;
  readonly #states: Uint8Array;
  readonly #sums: readonly Fenwick[];
  readonly #counts = [0, 0, 0, 0, 0];
  readonly #dirty = new Set<number>();
  #at = 0;
  #seen = 0;
  /** The request is read from here on. */
  #from: Place = EVERYTHING;
  #standIn: Replacement | null = null;
  #first: { readonly ordinal: number; readonly by: Break } | null = null;

  constructor(source: TranscriptSource, memo: StageMemo, stages: readonly ResolvedStage[], inputs: BindingInputs) {
    this.#source = source;
    this.#inputs = inputs;
    this.table = blockTable(source, memo);
    this.#clients = sendingStages(stages).map((stage) => ({
      stage,
      changes: new StageChanges(source, memo, this.table),
    }));
    this.#breaks = recordedBreaks(source);
    this.#applied = appliedKinds(stages);
    const { length } = this.table.blocks;
    this.#states = new Uint8Array(length);
    this.#sums = Array.from({ length: 5 }, () => new Fenwick(length));
  }

  /** Stages whose changes must be noted, by position in the spec. */
  get clients(): readonly number[] {
    return this.#clients.map(({ stage }) => stage.position);
  }

  /** Says what a stage of the client made of a cell. */
  note(stage: number, cell: number, before: readonly ViewItem[], after: readonly ViewItem[]): void {
    const client = this.#clients.find((each) => each.stage.position === stage);
    if (client?.changes.note(cell, before, after) === true) this.#dirty.add(cell);
  }

  /** Judges the request at a call point, which must not lie before the last one. */
  moveTo(at: number): void {
    const applied = this.#breaks.filter(({ from }) => from <= at).length;
    const standIn = this.#clients.map(({ changes }) => changes.standIn).findLast((each) => each !== null) ?? null;
    const from = this.#from;
    const isOther = applied !== this.#seen || standIn !== this.#standIn;
    this.#seen = applied;
    this.#standIn = standIn;
    this.#from = this.#readFrom(at);
    const all = isOther || from !== this.#from;
    if (all) this.epoch++;
    const before = all ? 0 : this.#firstAt(this.#at);
    this.#at = at;
    const end = this.#firstAt(at);
    for (let ordinal = before; ordinal < end; ordinal++) this.#update(ordinal);
    if (!all) for (const cell of this.#dirty) this.#updateCell(cell, end);
    this.#dirty.clear();
    this.#first = this.#inputs.checks ? this.#firstBreak() : null;
  }

  /** True once a message with signed thinking lies before the call point. */
  get hasBegun(): boolean {
    const [first] = this.table.blocks;
    return first !== undefined && first.index < this.#at;
  }

  /** Blocks that are sent, and that the provider reads. */
  get sent(): number {
    return this.#counts[State.sent]! + this.#counts[State.estranged]!;
  }

  get foreign(): number {
    return this.#counts[State.foreign]!;
  }

  /** How many of the sent blocks fail. */
  get failing(): number {
    if (!this.#inputs.checks) return 0;
    const behind = this.#first === null ? 0 : this.#counts[State.sent]! - this.#before(State.sent, this.#first.ordinal);
    return behind + this.#counts[State.estranged]!;
  }

  /** From this block on all fail; the number of blocks if none does. Blocks before it may be of another history. */
  get failsFrom(): number {
    return this.#first?.ordinal ?? this.table.blocks.length;
  }

  isForeign(ordinal: number): boolean {
    return this.#makerUnread(ordinal) !== null;
  }

  /** True if a block, wherever it stands, is no longer behind what it was made behind. */
  fails(ordinal: number): boolean {
    if (!this.#inputs.checks || this.isForeign(ordinal)) return false;
    return ordinal >= this.failsFrom || this.#states[ordinal] === State.estranged;
  }

  /** The first block that fails, and why; null = none. */
  firstFailing(): { readonly block: SignedBlock; readonly by: Break } | null {
    const behind = this.#first === null ? null : this.#nextSent(State.sent, this.#first.ordinal);
    const strange = this.#inputs.checks ? this.#nextSent(State.estranged, 0) : null;
    const ordinal = Math.min(behind ?? Number.POSITIVE_INFINITY, strange ?? Number.POSITIVE_INFINITY);
    const block = this.table.blocks[ordinal];
    if (block === undefined) return null;
    return { block, by: ordinal === strange ? this.#estrangedBy(block) : (this.#first?.by ?? NOBODY) };
  }

  /** The sent blocks as runs that fail or hold: few, as a change breaks all behind it. */
  sentRuns(): readonly BlockRun[] {
    const { blocks } = this.table;
    const end = this.#firstAt(this.#at);
    const runs: { from: SignedBlock; to: SignedBlock; fails: boolean }[] = [];
    let isOpen = false;
    for (let ordinal = 0; ordinal < end; ordinal++) {
      const state = this.#states[ordinal];
      // Blocks that nobody sends any more, or that lie before what the provider reads, end a run.
      if (state === State.absent) isOpen = false;
      if (state !== State.sent && state !== State.estranged) continue;
      const fails = this.fails(ordinal);
      const block = blocks[ordinal]!;
      const last = isOpen ? runs.at(-1) : undefined;
      if (last?.fails === fails) last.to = block;
      else runs.push({ from: block, to: block, fails });
      isOpen = true;
    }
    return runs.map(({ from, to, fails }) => ({ from: placeOf(from), to: placeOf(to), fails }));
  }

  firstForeign(): { readonly block: SignedBlock; readonly maker: string } | null {
    const ordinal = this.#nextSent(State.foreign, 0);
    const block = ordinal === null ? undefined : this.table.blocks[ordinal];
    const maker = ordinal === null ? null : this.#makerUnread(ordinal);
    return block === undefined || maker === null ? null : { block, maker };
  }

  /** Why a block fails. */
  breakOf(ordinal: number): Break {
    const block = this.table.blocks[ordinal];
    if (block !== undefined && this.#states[ordinal] === State.estranged) return this.#estrangedBy(block);
    return this.#first?.by ?? NOBODY;
  }

  // The position of the first block at or behind a message.
  #firstAt(index: number): number {
    const { blocks } = this.table;
    let [low, high] = [0, blocks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (blocks[middle]!.index < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // The first block behind a place.
  #ordinalBehind(place: Place): number {
    const { blocks } = this.table;
    let ordinal = this.#firstAt(cellOf(place));
    while (ordinal < blocks.length && blocks[ordinal]!.place <= place) ordinal++;
    return ordinal;
  }

  // Providers read from the newest compaction block on, be it recorded or put in.
  #readFrom(at: number): Place {
    if (this.#standIn !== null) return placeBefore(this.#standIn.to);
    const recorded = this.table.compactions.findLast((place) => cellOf(place) < at);
    return recorded ?? EVERYTHING;
  }

  #updateCell(cell: number, end: number): void {
    const { blocks, firstOf } = this.table;
    for (let ordinal = firstOf.get(cell) ?? end; ordinal < end && blocks[ordinal]!.index === cell; ordinal++)
      this.#update(ordinal);
  }

  #update(ordinal: number): void {
    const known = this.#states[ordinal]!;
    const next = this.#stateOf(ordinal);
    if (known === next) return;
    this.#states[ordinal] = next;
    for (const [state, step] of [
      [known, -1],
      [next, 1],
    ] as const) {
      this.#counts[state]! += step;
      this.#sums[state]!.add(ordinal, step);
    }
  }

  #stateOf(ordinal: number): State {
    const block = this.table.blocks[ordinal]!;
    if (block.index >= this.#at || block.place <= this.#from) return State.absent;
    const remover = this.#removerOf(block);
    if (remover !== null) return isRecorded(remover) ? State.absent : State.removed;
    if (this.isForeign(ordinal)) return State.foreign;
    return this.#breakBetween(block) === null ? State.sent : State.estranged;
  }

  #removerOf({ index, part }: SignedBlock): Client | null {
    return this.#clients.find(({ changes }) => changes.removed(index).has(part)) ?? null;
  }

  #makerUnread(ordinal: number): string | null {
    const { unread } = this.#inputs;
    const block = this.table.blocks[ordinal];
    if (unread.size === 0 || block === undefined) return null;
    const maker = this.#inputs.makerOf(block.index);
    return maker !== null && unread.has(maker) ? maker : null;
  }

  // The first recorded compaction that one of the two histories has had, the one that made the block or this one.
  #breakBetween({ index, place }: SignedBlock): RecordedBreak | null {
    const between = this.#breaks.find(({ from, kind, place: changed }) => {
      const hasNow = from <= this.#at && this.#applied.has(kind);
      return hasNow !== from <= index && changed < place;
    });
    return between ?? null;
  }

  #estrangedBy(block: SignedBlock): Break {
    const between = this.#breakBetween(block);
    return {
      kind: 'recorded',
      stage: null,
      index: null,
      ...(between !== null && { compaction: between.number, isAfter: between.from <= block.index }),
    };
  }

  #firstBreak(): { readonly ordinal: number; readonly by: Break } | null {
    const { envelope } = this.#inputs;
    if (envelope !== undefined) return { ordinal: 0, by: { kind: envelope, stage: null, index: null } };
    const broken = this.#firstChange();
    const gap = this.#firstGap();
    if (broken === null || gap === null) return broken ?? gap;
    return gap.ordinal < broken.ordinal ? gap : broken;
  }

  #firstChange(): { readonly ordinal: number; readonly by: Break } | null {
    let first: Place | null = null;
    let by: Break = NOBODY;
    for (const { stage, changes } of this.#clients) {
      if (isRecorded({ stage })) continue;
      const place = changes.firstFrom(this.#from);
      if (place === null || (first !== null && place >= first)) continue;
      first = place;
      by = { kind: 'stage', stage: stage.position, index: cellOf(place) };
    }
    const cut = this.#cutsWithin();
    if (cut !== null && (first === null || this.#from <= first))
      return { ordinal: this.#ordinalBehind(this.#from), by: cut };
    return first === null ? null : { ordinal: this.#ordinalBehind(first), by };
  }

  // Kept turns keep their thinking only if the first of them is of another role than the last that was summarised.
  #cutsWithin(): Break | null {
    const standIn = this.#standIn;
    if (standIn === null || standIn.to >= this.#at) return null;
    const [last, kept] = [standIn.to - 1, standIn.to].map((index) => this.#source.facts(index).role);
    if (last !== kept && kept !== 'system') return null;
    return { kind: 'cut', stage: null, index: standIn.to };
  }

  #firstGap(): { readonly ordinal: number; readonly by: Break } | null {
    if (this.#counts[State.removed] === 0) return null;
    const start = this.#nextSent(State.sent, 0);
    const gap = start === null ? null : this.#nextSent(State.removed, start);
    const block = gap === null ? undefined : this.table.blocks[gap];
    if (gap === null || block === undefined) return null;
    const remover = this.#removerOf(block);
    return { ordinal: gap + 1, by: { kind: 'gap', stage: remover?.stage.position ?? null, index: block.index } };
  }

  #before(state: State, ordinal: number): number {
    return this.#sums[state]!.before(ordinal);
  }

  #nextSent(state: State, from: number): number | null {
    const sums = this.#sums[state]!;
    const found = sums.find(sums.before(from));
    return found < this.table.blocks.length ? found : null;
  }
}

function placeOf({ index, part }: SignedBlock): BlockPlace {
  return { index, part };
}

const NOBODY: Break = { kind: 'stage', stage: null, index: null };

function isRecorded({ stage }: Pick<Client, 'stage'>): boolean {
  return stage.keepsThinking === 'recorded';
}

/** The stages that decide what the client sends: not those of the provider, which edits on its own side. */
function sendingStages(stages: readonly ResolvedStage[]): readonly ResolvedStage[] {
  return stages.filter(
    ({ enabled, keepsThinking }) => enabled && (keepsThinking === 'no' || keepsThinking === 'recorded'),
  );
}
