// The figures of all call points of a session in typed arrays: what a chart of any zoom is answered from, exactly.
import { CATEGORIES } from '../model/category.ts';
import { mergeBy } from './columns.ts';
import type { AreaTotals, CachePoint, PointTime, RecordedCache, SeriesPoint } from './types.ts';

/** What a request costs besides its point's figures. US dollars and tokens; null = not known, or not recorded. */
export interface PointCharge {
  /** Its input under the policy. */
  readonly spent: number | null;
  /** It and its answer, as recorded, and of that the answer; null = its price is not known, or it is not recorded. */
  readonly billed: number | null;
  readonly answered: number | null;
  /** The tokens of its answer. */
  readonly output: number | null;
}

const CACHE = ['prefixMessages', 'prefixTokens', 'servedTokens', 'writtenTokens', 'againTokens', 'cost'] as const;
const RECORDED = ['input', 'read', 'written'] as const;
const TIME = ['requested', 'until', 'took', 'tools', 'waiting'] as const;
const CHARGE = ['spent', 'billed', 'answered', 'output'] as const;
const OWN = ['at', 'turn', 'model', 'loaded', 'items'] as const;
const NAMES = [...OWN, ...CACHE, ...RECORDED, ...TIME, ...CHARGE];
type Name = (typeof NAMES)[number];
const COLUMN = Object.fromEntries(NAMES.map((name, at) => [name, at])) as Readonly<Record<Name, number>>;
const COLUMNS = NAMES.length;

/** Rows there is room for at first: a slider begins many tables, and fills few of them. */
const FIRST_ROWS = 512;

const POINTS: readonly CachePoint['points'][] = ['recorded', 'assumed', 'automatic', 'none'];
/** Bits of what is there and what is not. */
const BLOCKED = 1;
const SAYS_BLOCKED = 2;
const REFUSED = 4;
const HAS_CACHE = 8;
const NULL_CACHE = 16;
const HAS_RECORDED = 32;
const HAS_TIME = 64;

/** What only few points have. */
interface Rare {
  readonly brokenBy: CachePoint['brokenBy'];
  readonly loss: CachePoint['loss'];
  readonly diagnosis: RecordedCache['diagnosis'] | null;
  readonly edits: RecordedCache['edits'] | null;
}

/** Points in the order in which they are added. A number that is not there is NaN. */
export class PointTable {
  /** The call points there are. */
  readonly capacity: number;
  /** Row by row. */
  #numbers: Float64Array;
  #tokens: Float64Array;
  #flags: Uint8Array;
  #kinds: Uint8Array;
  readonly #rare = new Map<number, Rare>();
  #length = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    const rows = Math.min(capacity, FIRST_ROWS);
    this.#numbers = new Float64Array(rows * COLUMNS);
    this.#tokens = new Float64Array(rows * CATEGORIES.length);
    this.#flags = new Uint8Array(rows);
    this.#kinds = new Uint8Array(rows);
  }

  get length(): number {
    return this.#length;
  }

  add(point: SeriesPoint, charge: PointCharge): void {
    const row = this.#length++;
    if (row >= this.#flags.length) this.#grow(row + 1);
    const { cache, recorded, time } = point;
    this.#putOwn(row, point);
    this.#putCache(row, cache ?? null);
    this.#putRecorded(row, recorded);
    this.#putTime(row, time);
    this.#putCharge(row, charge);
    const { byCategory } = point;
    const from = row * CATEGORIES.length;
    for (let slot = 0; slot < byCategory.length; slot++) this.#tokens[from + slot] = byCategory[slot]!;
    this.#flags[row] = flagsOf(point);
    this.#kinds[row] = cache ? POINTS.indexOf(cache.points) : 0;
    const brokenBy = cache?.brokenBy ?? null;
    const loss = cache?.loss ?? null;
    const diagnosis = recorded?.diagnosis ?? null;
    const edits = recorded?.edits ?? null;
    const isRare = brokenBy !== null || loss !== null || diagnosis !== null || edits !== null;
    if (isRare) this.#rare.set(row, { brokenBy, loss, diagnosis, edits });
  }

  #grow(atLeast: number): void {
    const rows = Math.max(atLeast, Math.min(this.capacity, this.#flags.length * 2));
    this.#numbers = grown(this.#numbers, new Float64Array(rows * COLUMNS));
    this.#tokens = grown(this.#tokens, new Float64Array(rows * CATEGORIES.length));
    this.#flags = grown(this.#flags, new Uint8Array(rows));
    this.#kinds = grown(this.#kinds, new Uint8Array(rows));
  }

  // Field by field: by names from a list this was a tenth of a walk along the call points.
  #putOwn(row: number, { at, turn, model, loaded, items }: SeriesPoint): void {
    const numbers = this.#numbers;
    const from = row * COLUMNS;
    numbers[from + COLUMN.at] = at;
    numbers[from + COLUMN.turn] = turn;
    numbers[from + COLUMN.model] = model ?? Number.NaN;
    numbers[from + COLUMN.loaded] = loaded ?? Number.NaN;
    numbers[from + COLUMN.items] = items ?? Number.NaN;
  }

  #putCache(row: number, cache: CachePoint | null): void {
    const numbers = this.#numbers;
    const from = row * COLUMNS;
    numbers[from + COLUMN.prefixMessages] = cache?.prefixMessages ?? Number.NaN;
    numbers[from + COLUMN.prefixTokens] = cache?.prefixTokens ?? Number.NaN;
    numbers[from + COLUMN.servedTokens] = cache?.servedTokens ?? Number.NaN;
    numbers[from + COLUMN.writtenTokens] = cache?.writtenTokens ?? Number.NaN;
    numbers[from + COLUMN.againTokens] = cache?.againTokens ?? Number.NaN;
    numbers[from + COLUMN.cost] = cache?.cost ?? Number.NaN;
  }

  #putRecorded(row: number, recorded: RecordedCache | undefined): void {
    const numbers = this.#numbers;
    const from = row * COLUMNS;
    numbers[from + COLUMN.input] = recorded?.input ?? Number.NaN;
    numbers[from + COLUMN.read] = recorded?.read ?? Number.NaN;
    numbers[from + COLUMN.written] = recorded?.written ?? Number.NaN;
  }

  #putTime(row: number, time: PointTime | undefined): void {
    const numbers = this.#numbers;
    const from = row * COLUMNS;
    numbers[from + COLUMN.requested] = time?.requested ?? Number.NaN;
    numbers[from + COLUMN.until] = time?.until ?? Number.NaN;
    numbers[from + COLUMN.took] = time?.took ?? Number.NaN;
    numbers[from + COLUMN.tools] = time?.tools ?? Number.NaN;
    numbers[from + COLUMN.waiting] = time?.waiting ?? Number.NaN;
  }

  #putCharge(row: number, { spent, billed, answered, output }: PointCharge): void {
    const numbers = this.#numbers;
    const from = row * COLUMNS;
    numbers[from + COLUMN.spent] = spent ?? Number.NaN;
    numbers[from + COLUMN.billed] = billed ?? Number.NaN;
    numbers[from + COLUMN.answered] = answered ?? Number.NaN;
    numbers[from + COLUMN.output] = output ?? Number.NaN;
  }

  /** A point as it was added. */
  point(row: number): SeriesPoint {
    const flags = this.#flags[row] ?? 0;
    const rare = this.#rare.get(row);
    const own = this.#read(OWN, row);
    const from = row * CATEGORIES.length;
    const recorded = this.#read(RECORDED, row);
    return {
      at: own.at ?? 0,
      turn: own.turn ?? 0,
      ...(own.model !== null && { model: own.model }),
      byCategory: [...this.#tokens.subarray(from, from + CATEGORIES.length)],
      ...(own.loaded !== null && { loaded: own.loaded }),
      ...(own.items !== null && { items: own.items }),
      ...(flags & SAYS_BLOCKED && { blocked: (flags & BLOCKED) !== 0 }),
      ...(flags & REFUSED && { refused: true }),
      ...(flags & NULL_CACHE && { cache: null }),
      ...(flags & HAS_CACHE && { cache: this.#cacheAt(row, rare) }),
      ...(flags & HAS_RECORDED && {
        recorded: {
          ...recorded,
          ...(rare?.diagnosis && { diagnosis: rare.diagnosis }),
          ...(rare?.edits && { edits: rare.edits }),
        },
      }),
      ...(flags & HAS_TIME && { time: this.#timeAt(row) }),
    };
  }

  /** At most `most` points for the call points [from, to), each standing for as many; they begin at a multiple of that. */
  range(from: number, to: number, most: number): { readonly first: number; readonly points: readonly SeriesPoint[] } {
    const end = Math.min(to, this.#length);
    const size = Math.max(1, Math.ceil((end - from) / most));
    const first = Math.floor(from / size) * size;
    const points = Array.from({ length: Math.max(0, end - first) }, (_, at) => this.point(first + at));
    return { first, points: mergeBy(points, size, first) };
  }

  /** Sums over the call points [from, to). `next` = source index of the request that was not made yet; `beside` = overhead. */
  area(from: number, to: number, { next, beside }: { readonly next: number; readonly beside: number }): AreaTotals {
    const sums = new AreaSums();
    for (let row = Math.max(0, from); row < Math.min(to, this.#length); row++) {
      const at = this.#numbers[row * COLUMNS + COLUMN.at] ?? 0;
      const charge = this.#read(CHARGE, row);
      const cache = this.#read(CACHE, row);
      const flags = this.#flags[row] ?? 0;
      const categories = this.#tokens.subarray(row * CATEGORIES.length, (row + 1) * CATEGORIES.length);
      const tokens = categories.reduce((sum, each) => sum + each, beside + (this.#read(OWN, row).loaded ?? 0));
      sums.add({
        at,
        isMade: at < next,
        tokens,
        served: cache.servedTokens ?? 0,
        written: cache.writtenTokens ?? 0,
        isBroken: (this.#rare.get(row)?.brokenBy ?? null) !== null,
        isRefused: (flags & REFUSED) !== 0,
        recorded: this.#read(RECORDED, row),
        time: flags & HAS_TIME ? this.#read(TIME, row) : null,
        ...charge,
      });
    }
    return sums.totals;
  }

  #cacheAt(row: number, rare: Rare | undefined): CachePoint {
    const { cost, ...numbers } = this.#read(CACHE, row);
    return {
      prefixMessages: numbers.prefixMessages ?? 0,
      prefixTokens: numbers.prefixTokens ?? 0,
      servedTokens: numbers.servedTokens ?? 0,
      writtenTokens: numbers.writtenTokens ?? 0,
      againTokens: numbers.againTokens ?? 0,
      brokenBy: rare?.brokenBy ?? null,
      cost,
      points: POINTS[this.#kinds[row] ?? 0] ?? 'assumed',
      loss: rare?.loss ?? null,
    };
  }

  // Points with a time have these two.
  #timeAt(row: number): PointTime {
    const { requested, until, ...rest } = this.#read(TIME, row);
    return { ...rest, requested: requested ?? 0, until: until ?? 0 };
  }

  #read<N extends Name>(names: readonly N[], row: number): { readonly [K in N]: number | null } {
    const read: Partial<Record<N, number | null>> = {};
    for (const name of names) {
      const value = this.#numbers[row * COLUMNS + COLUMN[name]] ?? Number.NaN;
      read[name] = Number.isNaN(value) ? null : value;
    }
    return read as { readonly [K in N]: number | null };
  }
}

function grown<T extends Float64Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function flagsOf({ blocked, refused, cache, recorded, time }: SeriesPoint): number {
  return (
    (blocked === undefined ? 0 : SAYS_BLOCKED) |
    (blocked === true ? BLOCKED : 0) |
    (refused === true ? REFUSED : 0) |
    (cache === null ? NULL_CACHE : cache === undefined ? 0 : HAS_CACHE) |
    (recorded === undefined ? 0 : HAS_RECORDED) |
    (time === undefined ? 0 : HAS_TIME)
  );
}

interface AreaRow extends PointCharge {
  readonly at: number;
  /** False: the next request, which was not made. */
  readonly isMade: boolean;
  readonly tokens: number;
  readonly served: number;
  readonly written: number;
  readonly isBroken: boolean;
  readonly isRefused: boolean;
  readonly recorded: { readonly input: number | null; readonly read: number | null; readonly written: number | null };
  readonly time: { readonly [K in keyof PointTime]: number | null } | null;
}

/** Adds up call points. The next request is counted by itself: it was not made, and is in no sum. */
class AreaSums {
  #calls = 0;
  #hasNext = false;
  #first: number | null = null;
  #last: number | null = null;
  #time: { begins: number; ends: number; answering: number; tools: number; waiting: number } | null = null;
  #recorded = { requests: 0, input: 0, read: 0, written: 0, output: 0, answers: 0, peak: 0 };
  #policy = { tokens: 0, peak: 0, peakAt: null as number | null, served: 0, written: 0, breaks: 0, refused: 0 };
  #spent = 0;
  #unpriced = 0;
  #billed: number | null = null;
  #priced = { requests: 0, answers: 0, unpriced: 0 };

  add(row: AreaRow): void {
    if (!row.isMade) {
      this.#hasNext = true;
      return;
    }
    this.#calls++;
    this.#first ??= row.at;
    this.#last = row.at;
    this.#addPolicy(row);
    this.#addRecorded(row);
    this.#addTime(row.time);
  }

  #addPolicy({ at, tokens, served, written, isBroken, isRefused, spent }: AreaRow): void {
    const policy = this.#policy;
    policy.tokens += tokens;
    policy.served += served;
    policy.written += written;
    if (isBroken) policy.breaks++;
    if (isRefused) policy.refused++;
    if (policy.peakAt === null || tokens > policy.peak) [policy.peak, policy.peakAt] = [tokens, at];
    if (spent === null) this.#unpriced++;
    this.#spent += spent ?? 0;
  }

  #addRecorded({ recorded: { input, read, written }, output, billed, answered }: AreaRow): void {
    const recorded = this.#recorded;
    if (output !== null) {
      recorded.output += output;
      recorded.answers++;
    }
    if (billed === null && input !== null) this.#priced.unpriced++;
    if (billed !== null) {
      this.#billed = (this.#billed ?? 0) + billed;
      this.#priced.requests++;
      if (answered !== null) this.#priced.answers++;
    }
    if (input === null) return;
    recorded.requests++;
    recorded.input += input;
    recorded.read += read ?? 0;
    recorded.written += written ?? 0;
    recorded.peak = Math.max(recorded.peak, input);
  }

  #addTime(time: AreaRow['time']): void {
    if (time === null || time.requested === null) return;
    this.#time ??= { begins: time.requested, ends: 0, answering: 0, tools: 0, waiting: 0 };
    const sum = this.#time;
    // What went before the first call lies outside of the area.
    const isFirst = this.#calls === 1;
    sum.begins = Math.min(sum.begins, time.requested);
    sum.ends = Math.max(sum.ends, time.until ?? time.requested);
    sum.answering += time.took ?? 0;
    sum.tools += isFirst ? 0 : (time.tools ?? 0);
    sum.waiting += isFirst ? 0 : (time.waiting ?? 0);
  }

  get totals(): AreaTotals {
    return {
      calls: this.#calls,
      hasNext: this.#hasNext,
      first: this.#first,
      last: this.#last,
      time: this.#time,
      recorded: { ...this.#recorded, cost: this.#billed, priced: this.#priced },
      policy: {
        ...{ ...this.#policy, unpriced: this.#unpriced },
        cost: this.#unpriced < this.#calls ? this.#spent : null,
      },
    };
  }
}
