// What a provider's cache holds of the last request: its beginnings that were written, by when they were last used. A long
// session writes tens of thousands, and a hit uses every shorter one, so entries that were used together share that: a
// request costs what it changes (and the logarithm of what there is), not what there is.
import type { CacheTtl } from '../model/cacheMark.ts';
import type { Breakpoint } from './cachePoints.ts';

/** An entry that was found. `used` in milliseconds; null = not known. */
export interface CacheEntry extends Breakpoint {
  readonly used: number | null;
}

/** Entries from `start` up to the next run. */
interface Run {
  readonly start: number;
  readonly used: number | null;
}

type Place = Pick<Breakpoint, 'tokens' | 'blocks'>;

/** Entries in ascending order of tokens and of blocks. All times in milliseconds; null = not known: then it is in time. */
export class CacheEntries {
  readonly #lifetime: Readonly<Record<CacheTtl, number>>;
  readonly #shortest: number;
  #list: Breakpoint[] = [];
  /** In order; the first starts at 0. */
  #runs: Run[] = [];

  constructor(lifetime: Readonly<Record<CacheTtl, number>>) {
    this.#lifetime = lifetime;
    this.#shortest = Math.min(lifetime['5m'], lifetime['1h']);
  }

  /** The longest entry that lives. */
  last(time: number | null): CacheEntry | null {
    for (let run = this.#runs.length - 1; run >= 0; run--) {
      const { start, used } = this.#runs[run]!;
      for (let at = this.#end(run) - 1; at >= start; at--) {
        if (this.#isAlive(this.#list[at]!, used, time)) return { ...this.#list[at]!, used };
        if (!this.#holdsLiving(used, time)) break;
      }
    }
    return null;
  }

  /** The longest entry at or before a place, whether it lives or not. */
  upTo({ tokens, blocks }: Place): CacheEntry | null {
    let at = this.#firstFrom(tokens + 1) - 1;
    while (at >= 0 && this.#list[at]!.blocks > blocks) at--;
    return at < 0 ? null : { ...this.#list[at]!, used: this.#runs[this.#runOf(at)]!.used };
  }

  /** Forgets what is longer. */
  cut({ tokens, blocks }: Place): void {
    for (let last = this.#list.at(-1); last !== undefined; last = this.#list.at(-1)) {
      if (last.tokens <= tokens && last.blocks <= blocks) break;
      this.#list.pop();
    }
    while ((this.#runs.at(-1)?.start ?? -1) >= this.#list.length) this.#runs.pop();
  }

  /** Forgets all but the latest: the shorter ones are not looked at any more. */
  keepLatest(most: number): void {
    const gone = this.#list.length - most;
    if (gone <= 0) return;
    this.#list.splice(0, gone);
    const runs = this.#runs.map(({ start, used }) => ({ start: Math.max(0, start - gone), used }));
    this.#runs = runs.filter(({ start }, i) => runs[i + 1]?.start !== start && start < this.#list.length);
  }

  /** Forgets what no longer lives. */
  expire(time: number | null): void {
    const mayBeOver = ({ used }: Run): boolean => used !== null && time !== null && time > used + this.#shortest;
    if (!this.#runs.some(mayBeOver)) return;
    const list = this.#list;
    const runs = this.#runs;
    this.#list = [];
    this.#runs = [];
    for (const [i, run] of runs.entries()) {
      const end = runs[i + 1]?.start ?? list.length;
      const own = list.slice(run.start, end);
      const living = mayBeOver(run) ? own.filter((entry) => this.#isAlive(entry, run.used, time)) : own;
      if (living.length === 0) continue;
      this.#begin(this.#list.length, run.used);
      for (const entry of living) this.#list.push(entry);
    }
  }

  /** An entry was read, and with it every shorter one. */
  use({ tokens }: Place, time: number): void {
    const end = this.#firstFrom(tokens + 1);
    if (end === 0) return;
    const run = this.#runOf(end - 1);
    const rest = this.#end(run) > end ? [{ start: end, used: this.#runs[run]!.used }] : [];
    this.#runs.splice(0, run + 1, { start: 0, used: time }, ...rest);
  }

  /** An entry is written. What is there already stays as it is, but for a longer life. */
  write(point: Breakpoint, time: number | null): void {
    const at = this.#firstFrom(point.tokens);
    const known = this.#list[at];
    const isThere = known !== undefined && known.tokens === point.tokens && known.blocks === point.blocks;
    if (isThere && (known.ttl === point.ttl || known.ttl === '1h')) {
      if (known.ttl !== point.ttl) this.#setUsed(at, time);
      return;
    }
    const { tokens, blocks, ttl } = point;
    if (isThere) {
      this.#list[at] = { tokens, blocks, ttl };
      this.#setUsed(at, time);
    } else if (at === this.#list.length) {
      this.#list.push({ tokens, blocks, ttl });
      this.#begin(at, time);
    } else {
      this.#list.splice(at, 0, { tokens, blocks, ttl });
      this.#runs = this.#runs.map((run) => (run.start > at ? { ...run, start: run.start + 1 } : run));
      this.#setUsed(at, time);
    }
  }

  // A run from here to the end; none if the last one was used at the same time.
  #begin(start: number, used: number | null): void {
    const last = this.#runs.at(-1);
    if (last === undefined || last.used !== used) this.#runs.push({ start, used });
  }

  // One entry is used apart from those around it.
  #setUsed(at: number, time: number | null): void {
    const run = this.#runOf(at);
    const { start, used } = this.#runs[run]!;
    if (used === time) return;
    const parts: Run[] = start < at ? [{ start, used }] : [];
    parts.push({ start: at, used: time });
    if (at + 1 < this.#end(run)) parts.push({ start: at + 1, used });
    this.#runs.splice(run, 1, ...parts);
  }

  #end(run: number): number {
    return this.#runs[run + 1]?.start ?? this.#list.length;
  }

  #isAlive({ ttl }: Breakpoint, used: number | null, time: number | null): boolean {
    return used === null || time === null || time <= used + this.#lifetime[ttl];
  }

  #holdsLiving(used: number | null, time: number | null): boolean {
    const { '5m': short, '1h': long } = this.#lifetime;
    return used === null || time === null || time <= used + Math.max(short, long);
  }

  /** Position of the first entry of at least so many tokens. */
  #firstFrom(tokens: number): number {
    let low = 0;
    let high = this.#list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#list[middle]!.tokens < tokens) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The run that an entry is in. */
  #runOf(at: number): number {
    let low = 0;
    let high = this.#runs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#runs[middle]!.start <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
