// npm run scrub:table [-- PATH…]   What is found in the corpora, by kind; whether a scrubbed transcript is projected to the same
// outcome as the original under every preset. `--found` stops before that. `--sample N --seed S` prints N definite findings with what surrounds
// them, to be read by a person: one of each value, in an order drawn by lot, then further places. `--part I/N` takes every Nth file.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { unpackZlib } from '../core/engine/files/unpackZlib.ts';
import { type ImportedTranscript, importText } from '../core/importers/memory.ts';
import type { Scrubber } from '../core/scrub/scrubber.ts';
import type { ScrubSubject } from '../core/scrub/transcript.ts';
import { loadCounter, type TokenCounter } from '../core/tokens/counters.ts';
import { seededRng } from '../core/util/rng.ts';
import { comparedPresets, learned, scrubbedSource, subjectOf, totalTokens } from './support/isomorphism.ts';
import { filesBelow, sharedDir } from './support/shared.ts';

/** A finding as a person reads it. */
interface Sample {
  readonly value: string;
  readonly line: string;
}

interface Sums {
  readonly byKind: Map<string, number>;
  readonly samples: Sample[];
  files: number;
  projections: number;
  differing: number;
  tokensOff: number;
  most: number;
  readonly isListing: boolean;
}

async function measure(file: string, transcript: ImportedTranscript, counter: TokenCounter, sums: Sums): Promise<void> {
  const subject = subjectOf(transcript);
  const scrubber = learned(subject, counter);
  collect(file, subject, scrubber, sums);
  if (sums.isListing) return;
  const { source } = subject;
  const copy = scrubbedSource(scrubber, subject);
  const [before, after] = [totalTokens(source, counter), totalTokens(copy, counter)];
  const off = Math.abs(after - before) / Math.max(1, before);
  sums.most = Math.max(sums.most, off);
  if (off > 0.02) {
    sums.tokensOff++;
    console.log(`TOKENS ${file} ${transcript.key}: ${before} → ${after}, ${(100 * off).toFixed(1)} %`);
  }
  for await (const { name, a, b, differences } of comparedPresets(transcript, source, copy)) {
    sums.projections++;
    if (differences.length === 0) continue;
    sums.differing++;
    const [first] = differences;
    const index = first?.at ?? 0;
    console.log(
      `DIFFERS ${file} ${transcript.key} ${name}: ${differences.length}, first ${first?.what} ${index}: ${JSON.stringify(a.fates[index])?.slice(0, 260)} | ${JSON.stringify(b.fates[index])?.slice(0, 260)}`,
    );
  }
}

function collect(file: string, { source }: ScrubSubject, scrubber: Scrubber, sums: Sums): void {
  for (let index = 0; index < source.length; index++) {
    const text = source.text(index);
    for (const { string, found } of scrubber.found(text)) {
      for (const { kind, tier, from, to, value } of found) {
        const key = `${tier} ${kind}`;
        sums.byKind.set(key, (sums.byKind.get(key) ?? 0) + 1);
        if (tier !== 'definite' || kind === 'image' || kind === 'encrypted' || kind === 'file') continue;
        const [a, b] = [string.start + from, string.start + to];
        const around = `${text.slice(Math.max(0, a - 70), a)}⟦${value.length > 90 ? `${value.slice(0, 90)}…` : value}⟧${text.slice(b, b + 40)}`;
        const line = `${kind}\t${file.split('/').pop()}#${index}\t${around.replaceAll('\n', '⏎')}`;
        sums.samples.push({ value: `${kind} ${value}`, line });
      }
    }
  }
}

/** One place of each value in an order drawn by lot, then a second of each, and so on. */
function sampleOf(samples: readonly Sample[], count: number, seed: number): readonly string[] {
  const rng = seededRng(seed);
  const byValue = [...Map.groupBy(rng.shuffle(samples), ({ value }) => value).values()];
  const turns = Math.max(0, ...byValue.map(({ length }) => length));
  const lines: string[] = [];
  for (let turn = 0; turn < turns && lines.length < count; turn++) {
    lines.push(...byValue.flatMap((same) => same[turn]?.line ?? []));
  }
  return lines.slice(0, count);
}

function filesOf(paths: readonly string[], part: string | undefined): readonly string[] {
  const dir = sharedDir();
  const all = dir === null ? [] : [`${dir}/corpus`, `${dir}/corpus-2`].flatMap(filesBelow);
  const files = paths.length > 0 ? paths : all;
  const [nth = 1, of = 1] = (part ?? '1/1').split('/').map(Number);
  return files.filter((_, at) => at % of === nth - 1);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      found: { type: 'boolean', default: false },
      sample: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      part: { type: 'string' },
    },
    allowPositionals: true,
  });
  const files = filesOf(positionals, values.part);
  const counter = await loadCounter('o200k_base');
  const sums: Sums = {
    byKind: new Map(),
    samples: [],
    files: 0,
    projections: 0,
    differing: 0,
    tokensOff: 0,
    most: 0,
    isListing: values.found,
  };
  for (const file of files) {
    const { transcripts } = importText(readFileSync(file), { unpack: unpackZlib });
    for (const transcript of values.found ? transcripts : transcripts.slice(0, 3))
      await measure(file, transcript, counter, sums);
    sums.files++;
  }
  for (const [kind, count] of [...sums.byKind].sort((a, b) => b[1] - a[1]))
    console.log(`${String(count).padStart(7)}  ${kind}`);
  console.log(
    `${sums.files} files, ${sums.projections} projections, ${sums.differing} differ; ${sums.tokensOff} transcripts above 2 % of tokens, the most ${(100 * sums.most).toFixed(2)} %`,
  );
  for (const line of sampleOf(sums.samples, Number(values.sample), Number(values.seed))) console.log(line);
  return sums.differing > 0 ? 1 : 0;
}

process.exitCode = await main();
