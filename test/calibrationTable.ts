// npm run calibration:table [-- FILE…]   How well figures calibrated by recorded usage agree with the provider: each
// request of a session is predicted by the line through the requests of its model before it, and by nothing else. Without
// files the visible corpus. Exit code 1 if the median of the sessions' medians is over 3%.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { usageReport } from '../cli/support/usage.ts';
import { unpackZlib } from '../core/engine/files/unpackZlib.ts';
import { formats } from '../core/importers/formats/index.ts';
import { type ImportedTranscript, importText } from '../core/importers/memory.ts';
import { type CountedRequest, calibrate } from '../core/insight/calibration.ts';
import { median } from '../core/insight/usage/fit.ts';
import { walkForward } from '../core/insight/walkForward.ts';
import { type Calibration, holds, LEAST_REQUESTS } from '../core/tokens/calibrated.ts';
import { corpusFiles, sharedDir } from './support/shared.ts';

const AIM = 0.03;

interface Row {
  readonly session: string;
  readonly model: string;
  readonly requests: number;
  readonly line: Calibration | null;
  readonly predicted: number;
  readonly median: number | null;
  readonly p95: number | null;
}

/** A row for each model of a transcript that records enough requests. */
async function rowsOf(session: string, transcript: ImportedTranscript): Promise<Row[]> {
  if (transcript.messages.filter(({ meta }) => meta.usage?.input !== undefined).length <= LEAST_REQUESTS) return [];
  const { report } = await usageReport(transcript);
  const byModel = Map.groupBy(report.requests, ({ at }) => transcript.messages[at]?.meta.model ?? '(no model)');
  return [...byModel].flatMap(([model, requests]) => {
    if (requests.length <= LEAST_REQUESTS) return [];
    return [rowOf(session, model, requests)];
  });
}

function rowOf(session: string, model: string, requests: readonly CountedRequest[]): Row {
  const { errors } = walkForward(requests);
  const sorted = errors.toSorted((a, b) => a - b);
  return {
    session,
    model,
    requests: requests.length,
    line: calibrate(model, requests),
    predicted: errors.length,
    median: errors.length === 0 ? null : median(errors),
    p95: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? null,
  };
}

function lineOf({ session, model, requests, line, predicted, ...row }: Row): string {
  const share = (value: number | null): string => (value === null ? '–' : `${(value * 100).toFixed(2)}%`);
  const fit = line === null ? 'none' : `${line.base.toLocaleString('en')} + ${line.factor.toFixed(2)} × counted`;
  const off = share(line?.residual ?? null);
  const state = holds(line) ? off : `${off}, does not hold`;
  const cells = [session, model, requests, fit, state, predicted, share(row.median), share(row.p95)];
  return `| ${cells.join(' | ')} |`;
}

async function main(given: readonly string[]): Promise<number> {
  const root = `${sharedDir() ?? ''}/corpus/`;
  const files =
    given.length > 0 ? given.map((file) => resolve(file)) : formats.all.flatMap(({ id }) => corpusFiles(id));
  const rows: Row[] = [];
  for (const file of files) {
    const name = file.startsWith(root) ? file.slice(root.length).replace('/visible', '') : file;
    const { transcripts } = importText(readFileSync(file), { unpack: unpackZlib });
    for (const [number, transcript] of transcripts.entries()) {
      rows.push(...(await rowsOf(transcripts.length > 1 ? `${name} (${number + 1})` : name, transcript)));
    }
  }
  console.log('| session | model | requests | line over all | off by | predicted | next: median | next: p95 |');
  console.log('|---|---|--:|---|---|--:|--:|--:|');
  for (const row of rows) console.log(lineOf(row));
  const medians = rows.flatMap((row) => row.median ?? []);
  const all = median(medians);
  console.log(
    `\n${rows.length} sessions and models, ${medians.length} with a line that held; median of their medians ${(all * 100).toFixed(2)}% (aim: ${AIM * 100}%)`,
  );
  return medians.length > 0 && all <= AIM ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
