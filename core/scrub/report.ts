import type { ScrubCount, ScrubReport } from '../model/scrubReport.ts';
import type { FoundInString } from './json.ts';
import type { Scrubber } from './scrubber.ts';

/** Counts findings by kind and tier while a transcript is written. */
export class ScrubCounts {
  readonly #scrubber: Scrubber;
  readonly #counts = new Map<string, { kind: string; tier: ScrubCount['tier']; count: number; masked: number }>();

  constructor(scrubber: Scrubber) {
    this.#scrubber = scrubber;
  }

  add(found: readonly FoundInString[]): void {
    for (const { found: all } of found) {
      for (const one of all) {
        const key = `${one.tier} ${one.kind}`;
        const sum = this.#counts.get(key) ?? { kind: one.kind, tier: one.tier, count: 0, masked: 0 };
        sum.count++;
        if (this.#scrubber.isMasked(one)) sum.masked++;
        this.#counts.set(key, sum);
      }
    }
  }

  /** What a bundle says of it; see {@link scrubReport}. */
  report(isSame: boolean, earlier?: ScrubReport): ScrubReport {
    return scrubReport([...this.#counts.values()], isSame, earlier);
  }
}

/** What a bundle says of its scrubbing. `earlier`: what it said of itself already, if it was one; its findings are stand-ins by now. */
export function scrubReport(counts: readonly ScrubCount[], isSame: boolean, earlier?: ScrubReport): ScrubReport {
  const own = counts.map(({ kind, tier, count, masked }) => ({ kind, tier, count, masked }));
  for (const one of earlier?.findings ?? []) {
    if (!own.some(({ kind, tier }) => kind === one.kind && tier === one.tier)) own.push({ ...one });
  }
  own.sort((a, b) =>
    a.tier === b.tier ? b.count - a.count || (a.kind < b.kind ? -1 : 1) : a.tier === 'definite' ? -1 : 1,
  );
  return { scrubbed: true, findings: own, same_outcome: isSame && (earlier?.same_outcome ?? true) };
}
