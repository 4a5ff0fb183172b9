// Runs of a text that are in others: found where they are, in a time that grows as the texts do, even where a text repeats
// itself and continues alike at every shift.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { type EqualRun, GramIndex, RUN_LEAST } from '../../core/insight/uses/grams.ts';
import { normaliseSpace } from '../../core/insight/uses/normalText.ts';
import { Pace } from '../../core/insight/uses/pace.ts';
import { readSaid } from '../../core/insight/uses/said.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';

function ended<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function runsIn(
  own: string,
  texts: readonly string[],
): { readonly runs: readonly EqualRun[]; readonly compared: number } {
  const index = new GramIndex();
  for (const [number, text] of texts.entries()) ended(index.add(text, number, new Pace()));
  const runs = ended(index.runs(own, (number) => texts[number] ?? '', new Pace()));
  return { runs, compared: index.compared };
}

function word(rng: Rng, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(97 + rng.below(26))).join('');
}

describe('a text that repeats itself', () => {
  for (const period of [1, 2, 7, 24, 61]) {
    it(`of period ${period} is compared in linear time, in whatever lengths`, () => {
      const unit = word(seededRng(period), period);
      const repeated = (length: number) => unit.repeat(Math.ceil(length / period)).slice(0, length);
      for (const [own, others] of [
        [20_000, [20_000]],
        [40_000, [20_000]],
        [20_000, [40_000]],
        [20_000, [5_000, 10_000, 15_000]],
        [20_000, Array.from({ length: 12 }, () => 20_000)],
      ] as const) {
        const { runs, compared } = runsIn(repeated(own), others.map(repeated));
        const all = others.reduce((sum, length) => sum + length, own);
        expect(compared).toBeLessThan(60 * all);
        // Nothing of it is missed: what is found covers it to its end.
        let covered = 0;
        for (const { from, to } of runs) if (from <= covered + RUN_LEAST) covered = Math.max(covered, to);
        expect([own, covered]).toEqual([own, expect.toSatisfy((end: number) => end > own - RUN_LEAST)]);
      }
    });
  }
});

it('finds every run of the least length or more, and says where it is, beside repeated texts', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const rng = seededRng(seed);
    const filler = word(rng, 1 + rng.below(3)).repeat(400);
    const quoted = word(rng, RUN_LEAST + rng.below(200));
    const other = filler + word(rng, 40) + quoted + word(rng, 40) + filler;
    const own = filler + filler + word(rng, 30) + quoted + word(rng, 30) + filler;
    const { runs } = runsIn(own, [other]);
    const at = own.indexOf(quoted);
    const found = runs.find(({ from, to }) => from <= at && at + quoted.length <= to);
    expect([seed, found !== undefined]).toEqual([seed, true]);
    for (const { from, to, begin } of runs) expect(other.slice(begin, begin + to - from)).toBe(own.slice(from, to));
  }
});

describe('texts made of what is everywhere', () => {
  it('hide no run: whatever is said again in the least length is within one that is found', () => {
    let windows = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const rng = seededRng(seed);
      const common = Array.from({ length: 2 + rng.below(10) }, () => word(rng, 1 + rng.below(40)));
      const make = (length: number): string => {
        let made = '';
        while (made.length < length) made += rng.below(12) === 0 ? word(rng, 1 + rng.below(12)) : rng.pick(common);
        return made;
      };
      const texts = Array.from({ length: 1 + rng.below(40) }, () => make(50 + rng.below(600)));
      const quotes = Array.from({ length: 6 }, () => {
        const text = rng.pick(texts);
        const from = rng.below(Math.max(1, text.length - RUN_LEAST));
        return text.slice(from, from + RUN_LEAST + rng.below(17)) + word(rng, rng.below(9)) + make(60 * rng.below(2));
      });
      const own = quotes.join('');
      const { runs } = runsIn(own, texts);
      const said = new Set(texts.flatMap((text) => [...windowsOf(text)]));
      for (const [at, window] of [...windowsOf(own)].entries()) {
        if (!said.has(window)) continue;
        windows++;
        const isFound = runs.some(({ from, to }) => from <= at && at + RUN_LEAST <= to);
        expect([seed, at, isFound]).toEqual([seed, at, true]);
      }
      let end = 0;
      for (const { text, begin, from, to } of runs) {
        expect(texts[text]?.slice(begin, begin + to - from)).toBe(own.slice(from, to));
        expect(to).toBeGreaterThan(end);
        end = to;
      }
    }
    expect(windows).toBeGreaterThan(3000);
  });
});

describe.skipIf(!sharedDir())('a recorded session', () => {
  const names = ['omp-small.jsonl', 'moatless-django-14730.json', 'mini-deepseek-6b362d67.traj.json'];
  const files = ['claude-code', 'moatless', 'mini-swe-agent'].flatMap((format) => corpusFiles(format));
  const known = files.map((file) => [basename(file), file] as const).filter(([name]) => names.includes(name));
  it.each(known)('%s hides none', (_name, file) => {
    const [transcript] = importText(readFileSync(file)).transcripts;
    if (transcript === undefined) throw new Error(`${file} holds no transcript`);
    const source = MemoryTranscript.of(transcript);
    const [index, texts, said] = [new GramIndex(), [] as string[], new Set<string>()];
    let windows = 0;
    for (let at = 0; at < source.length; at++) {
      const fields = readSaid(source, at).parts.flatMap((part) => part.fields.map(normaliseSpace));
      const own = fields.filter((field) => field.length >= RUN_LEAST);
      if (source.facts(at).role === 'assistant') {
        for (const field of own) {
          const runs = ended(index.runs(field, (number) => texts[number] ?? '', new Pace()));
          for (const [begin, window] of [...windowsOf(field)].entries()) {
            if (!said.has(window)) continue;
            windows++;
            const isFound = runs.some(({ from, to }) => from <= begin && begin + RUN_LEAST <= to);
            expect([at, window, isFound]).toEqual([at, window, true]);
          }
        }
      }
      for (const field of own) {
        ended(index.add(field, texts.length, new Pace()));
        texts.push(field);
        for (const window of windowsOf(field)) said.add(window);
      }
    }
    expect(windows).toBeGreaterThan(500);
  });
});

function* windowsOf(text: string): Generator<string> {
  for (let at = 0; at + RUN_LEAST <= text.length; at++) yield text.slice(at, at + RUN_LEAST);
}
