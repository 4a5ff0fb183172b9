// npm run scrub:table [-- PATH…]   What is found in the corpora, by kind; whether a scrubbed transcript is projected to the same
// outcome as the original under every preset; what is left in the finished bytes. `--found` stops there. `--sample N` prints N findings with what
// surrounds them, to be read by a person.
import { readFileSync } from 'node:fs';
import { unpackZlib } from '../core/engine/files/unpackZlib.ts';
import { type ImportedTranscript, importText } from '../core/importers/memory.ts';
import type { Scrubber } from '../core/scrub/scrubber.ts';
import type { ScrubSubject } from '../core/scrub/transcript.ts';
import { loadCounter, type TokenCounter } from '../core/tokens/counters.ts';
import { seededRng } from '../core/util/rng.ts';
import { comparedPresets, learned, scrubbedSource, subjectOf, totalTokens } from './support/isomorphism.ts';
import { filesBelow, sharedDir } from './support/shared.ts';

interface Sums {
  readonly byKind: Map<string, number>;
  readonly samples: string[];
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
        if (tier !== 'definite' || kind === 'image' || kind === 'encrypted') continue;
        const [a, b] = [string.start + from, string.start + to];
        const around = `${text.slice(Math.max(0, a - 70), a)}⟦${value.length > 90 ? `${value.slice(0, 90)}…` : value}⟧${text.slice(b, b + 40)}`;
        sums.samples.push(`${kind}\t${file.split('/').pop()}#${index}\t${around.replaceAll('\n', '⏎')}`);
      }
    }
  }
}

async function main(args: readonly string[]): Promise<number> {
  const at = args.indexOf('--sample');
  const sample = at < 0 ? 0 : Number(args[at + 1]);
  const paths = args.filter((arg, nth) => !arg.startsWith('--') && (at < 0 || nth !== at + 1));
  const dir = sharedDir();
  const files = paths.length > 0 ? paths : dir === null ? [] : filesBelow(`${dir}/corpus`);
  const counter = await loadCounter('o200k_base');
  const sums: Sums = {
    byKind: new Map(),
    samples: [],
    files: 0,
    projections: 0,
    differing: 0,
    tokensOff: 0,
    most: 0,
    isListing: args.includes('--found'),
  };
  for (const file of files) {
    const { transcripts } = importText(readFileSync(file), { unpack: unpackZlib });
    for (const transcript of transcripts.slice(0, 3)) await measure(file, transcript, counter, sums);
    sums.files++;
  }
  for (const [kind, count] of [...sums.byKind].sort((a, b) => b[1] - a[1]))
    console.log(`${String(count).padStart(7)}  ${kind}`);
  console.log(
    `${sums.files} files, ${sums.projections} projections, ${sums.differing} differ; ${sums.tokensOff} transcripts above 2 % of tokens, the most ${(100 * sums.most).toFixed(2)} %`,
  );
  const byValue = new Map(sums.samples.map((line) => [/⟦.*⟧/.exec(line)?.[0] ?? '', line]));
  for (const line of seededRng(1)
    .shuffle([...byValue.values()])
    .slice(0, sample))
    console.log(line);
  return sums.differing > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
