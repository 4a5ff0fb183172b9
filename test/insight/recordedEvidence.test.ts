// Does recorded_compaction tell the truth? Real sessions record the tokens of each request. With the stage the counted
// history explains them to within a few percent after a compaction, without it it does not. PARALLAX_EVIDENCE=1 prints
// the table.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type ImportedTranscript, importText } from '../../core/importers/memory.ts';
import { fitLine, median } from '../../core/insight/usage/fit.ts';
import { includesCache, inputOf } from '../../core/insight/usage/input.ts';
import type { RequestRecord } from '../../core/insight/usage/types.ts';
import { countedUsage } from '../support/recordedUsage.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';

/** Sessions that were compacted and recorded usage after it. One is left out: it is many sessions glued together. */
const SESSIONS: readonly (readonly [format: string, file: string])[] = [
  ['claude-code', 'omp-large-compact-2.jsonl'],
  ['codex', 'agentv-2.2m.jsonl'],
  ['codex', 'agentv-2.8m-images.jsonl'],
  ['codex', 'agentv-4m-3compacted.jsonl'],
  ['codex', 'agentv-spark-encrypted.jsonl'],
  ['codex', 'agentv-websearch-orphan-call.jsonl'],
  ['pi', 'pi-before-compaction.jsonl'],
];

const table: string[] = [];
afterAll(() => {
  if (process.env.PARALLAX_EVIDENCE === '1') process.stdout.write(`${table.join('\n')}\n`);
});

/** How far recorded inputs after a compaction are from what one line expects, as shares; with the stage, and without. */
async function distances(transcript: ImportedTranscript) {
  const { recorded, raw } = await countedUsage(transcript);
  const includes = includesCache(recorded.map(({ usage }) => usage));
  const pointsOf = (records: readonly RequestRecord[]) =>
    records.flatMap(({ history, era, usage }) => {
      const input = inputOf(usage, includes);
      return input === null ? [] : [{ history, input, era: 0, after: era > 0 }];
    });
  const fit = fitLine(pointsOf(recorded));
  if (fit === null) throw new Error('too few requests');
  const away = (records: readonly RequestRecord[]) => {
    const after = pointsOf(records).filter((point) => point.after);
    return after.map(({ history, input }) => Math.abs(input - fit.base - fit.factor * history) / input);
  };
  return { compactions: transcript.compactions.length, with: away(recorded), without: away(raw) };
}

const percent = (share: number) => `${(share * 100).toFixed(1)}%`.padStart(8);
const ninth = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.9)] ?? 0;

const title = `recorded inputs after a compaction${sharedDir() === null ? ' (skipped: no shared corpus)' : ''}`;

describe.skipIf(sharedDir() === null)(title, () => {
  it.each(SESSIONS)('%s %s', async (format, name) => {
    const path = corpusFiles(format).find((file) => basename(file) === name);
    if (path === undefined) throw new Error('it is not in the corpus');
    const [transcript] = importText(readFileSync(path)).transcripts;
    if (transcript === undefined) throw new Error('no transcript');
    const found = await distances(transcript);
    const cells = [found.without, found.with].flatMap((away) => [percent(median(away)), percent(ninth(away))]);
    table.push(
      `${name.padEnd(36)} ${String(found.with.length).padStart(4)} requests after ${found.compactions} compactions: raw ${cells[0]} (p90${cells[1]}), as recorded ${cells[2]} (p90${cells[3]})`,
    );
    expect(median(found.with)).toBeLessThan(0.1);
    expect(median(found.with)).toBeLessThan(median(found.without) / 10);
  });
});
