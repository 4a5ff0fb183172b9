// Uses against the slow way: on random sessions under random stages and every preset, and on real ones.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { type Use, UseFinder, UsesIndex, usesOf, wasMissing } from '../../core/insight/uses/index.ts';
import { trailOf } from '../../core/insight/uses/trail.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { plainOutcome, plainParts, plainQuotes } from '../oracle/uses.ts';
import { FORMATS } from '../support/formats.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';
import { corpusFiles } from '../support/shared.ts';
import { noHost } from '../support/textTrace.ts';

const SPECS = PRESETS.filter(({ name }) => name !== 'custom').map(({ name, spec }) => ({ name, spec }));

/** Keeps little, so that something is lost of every session. */
const SHORT = {
  name: 'two turns',
  spec: {
    version: 1,
    stages: [{ kind: 'tool_result_retention' }, { kind: 'summary_prefix', options: { keep_last: 20 } }],
  },
};

const isText = ({ kind }: Use): boolean => kind === 'quote' || kind === 'anchor' || kind === 'rule';

/** The uses whose outcome a projection contradicts. Numbers are told apart by other tests: they have two spellings. */
function contradicted(source: TranscriptSource, spec: unknown, uses: readonly Use[]): readonly string[] {
  const stages = stagesOf(spec);
  const memo = createMemo();
  return uses.filter(isText).flatMap(({ kind, at, evidence, outcome }) => {
    if (/^\d+$/.test(evidence)) return [];
    const { view } = project(source, stages, at, { memo });
    const expected = plainOutcome(source, view, evidence, kind === 'anchor');
    return expected === outcome ? [] : [`${kind} ${JSON.stringify(evidence)} at #${at}: ${outcome}, not ${expected}`];
  });
}

function some<T>(list: readonly T[], most: number, seed: number): readonly T[] {
  return seededRng(seed).shuffle(list).slice(0, most);
}

describe('what a use relied on', () => {
  it('stands in the request as a projection has it, on random sessions', () => {
    let checked = 0;
    for (let seed = 0; seed < 30; seed++) {
      const shape = SHAPES[seed % SHAPES.length] ?? 'openai';
      const source = memorySource(randomTranscript({ seed, shape, turns: 10, files: 12, signed: seed % 2 === 0 }));
      const finder = new UseFinder(source);
      for (const { name, spec } of some(SPECS, 3, seed)) {
        const { uses } = usesOf({ source, stages: stagesOf(spec), finder }, noHost);
        const sample = some(uses, 12, seed);
        checked += sample.length;
        expect(contradicted(source, spec, sample), `seed ${seed}, ${shape}, ${name}`).toEqual([]);
      }
    }
    expect(checked).toBeGreaterThan(200);
  });

  it.runIf(corpusFiles('claude-code').length > 0)(
    'stands in the request as a projection has it, on real sessions',
    () => {
      let gone = 0;
      for (const [nth, file] of some(FORMATS.flatMap((id) => corpusFiles(id)).filter(isSmall), 14, 7).entries()) {
        for (const transcript of some(importText(readFileSync(file), { unpack: unpackZlib }).transcripts, 1, nth)) {
          const source = MemoryTranscript.of(transcript);
          const { spec, name } = nth % 2 === 0 ? SHORT : (SPECS[(nth * 5) % SPECS.length] ?? SHORT);
          const { uses } = usesOf({ source, stages: stagesOf(spec) }, noHost);
          const lost = uses.filter(({ outcome }) => outcome !== 'original');
          gone += lost.length;
          const sample = [...some(lost, 6, nth), ...some(uses, 3, nth)];
          expect(contradicted(source, spec, sample), `${basename(file)}, ${name}`).toEqual([]);
        }
      }
      expect(gone).toBeGreaterThan(0);
    },
  );

  it('is found if it is a quote, wherever it is cut', () => {
    for (let seed = 0; seed < 12; seed++) {
      const source = memorySource(quotingSession(seed));
      const finder = new UseFinder(source);
      for (const _ of finder.grow());
      for (let at = 0; at < source.length; at++) {
        if (source.facts(at).role !== 'assistant') continue;
        const told = finder.usesAt(at).flatMap(({ kind, evidence }) => (kind === 'quote' ? [evidence] : []));
        for (const field of plainParts(source.text(at)).flat()) {
          for (const run of plainQuotes(source, at, field, 60)) {
            const isTold = told.some((quote) => overlap(quote.replace(/\s+/g, ' '), run) >= 24);
            expect(isTold, `seed ${seed}, #${at}: ${run}`).toBe(true);
          }
        }
      }
    }
  });

  it('is where its range says, at the use and at its source', () => {
    const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
    let checked = 0;
    for (let seed = 0; seed < 12; seed++) {
      const source = memorySource(quotingSession(seed));
      const textAt = (index: number, part: number) => (plainParts(source.text(index))[part] ?? []).join('\n');
      for (const use of usesOf({ source, stages: stagesOf('raw') }, noHost).uses) {
        if (use.kind !== 'quote') continue;
        checked++;
        expect(textAt(use.at, use.part).slice(use.from, use.to)).toBe(use.evidence);
        for (const { index, part, from, to } of use.sources) {
          expect(plain(textAt(index, part).slice(from, to)), `seed ${seed}`).toBe(plain(use.evidence));
        }
      }
    }
    expect(checked).toBeGreaterThan(20);
  });

  it('is by the messages it has to do with as a look through all uses has it', () => {
    let trails = 0;
    for (let seed = 0; seed < 16; seed++) {
      const shape = SHAPES[seed % SHAPES.length] ?? 'openai';
      const source = memorySource(randomTranscript({ seed, shape, turns: 10, files: 8 }));
      const { spec } = some(SPECS, 1, seed)[0] ?? SHORT;
      const { uses } = usesOf({ source, stages: stagesOf(spec) }, noHost);
      const index = UsesIndex.of(uses);
      const gone = new Map<number, number>();
      for (const use of uses) if (wasMissing(use)) gone.set(use.at, (gone.get(use.at) ?? 0) + 1);
      expect(index.figures.gone).toEqual([...gone].map(([at, count]) => ({ at, uses: count })));
      expect(index.all).toEqual(uses);
      for (let message = 0; message < source.length; message++) {
        const about = uses.filter(({ at, sources }) => at === message || sources.some((one) => one.index === message));
        expect(index.about(message), `seed ${seed}, #${message}`).toEqual(about);
        expect(trailOf(index.about(message), message)).toEqual(trailOf(uses, message));
        if (about.length > 1) trails++;
      }
    }
    expect(trails).toBeGreaterThan(50);
  });

  it('is the same for a session that grew and for one that was read at once', () => {
    for (let seed = 0; seed < 10; seed++) {
      const texts = randomTranscript({ seed, turns: 12, files: 6, shape: SHAPES[seed % SHAPES.length] ?? 'openai' });
      const growing: string[] = [];
      const whole = memorySource(texts);
      const part: TranscriptSource = {
        ...whole,
        get length() {
          return growing.length;
        },
      };
      const finder = new UseFinder(part);
      for (const text of texts) {
        growing.push(text);
        if (seed % 2 === 0 || growing.length % 3 === 0) for (const _ of finder.grow());
      }
      const [grown, once] = [finder, new UseFinder(whole)].map(
        (each) => usesOf({ source: whole, stages: stagesOf('raw'), finder: each }, noHost).uses,
      );
      const plainly = (uses: readonly Use[] = []) => uses.map((use) => JSON.stringify(use)).sort();
      expect(plainly(grown), `seed ${seed}`).toEqual(plainly(once));
    }
  });
});

function isSmall(file: string): boolean {
  return readFileSync(file).length < 1_300_000 && /\.jsonl?$/.test(file);
}

// The longest end of one that the other begins with, or all of the shorter.
function overlap(quote: string, run: string): number {
  for (let length = run.length; length > 0; length--) {
    for (let from = 0; from + length <= run.length; from++) {
      if (quote.includes(run.slice(from, from + length))) return length;
    }
  }
  return 0;
}

const WORDS = 'amber basil cedar delta ember flint grove hazel ivory jade kelp lotus maple night ocean pearl'.split(
  ' ',
);

// Runs said before are said again, cut anywhere, with other words and white space around and within.
function quotingSession(seed: number): string[] {
  const rng = seededRng(seed);
  const words = (count: number) => Array.from({ length: count }, () => rng.pick(WORDS) + rng.below(90)).join(' ');
  const texts: string[] = [];
  const said: string[] = [];
  for (let index = 0; index < 24; index++) {
    // Each is copied from once: what many parts say proves nothing.
    const [old = ''] = said.length === 0 ? [] : said.splice(rng.below(said.length), 1);
    const from = rng.below(Math.max(1, old.length - 80));
    const copied = rng.chance(0.6)
      ? old.slice(from, from + 30 + rng.below(80)).replace(' ', rng.pick([' ', '\n  ']))
      : '';
    const content = `${words(6)}${copied}${words(5)}`;
    said.push(content);
    texts.push(JSON.stringify({ role: index % 2 === 0 ? 'user' : 'assistant', content }));
  }
  return texts;
}
