// `npm run worker:memory [-- COUNT]`: what one `parallax worker` with one thread holds after each five hundred of COUNT small
// sessions. Exit code 1 if the second half adds more than a tenth.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFleet, residentAlong } from './support/fleets.ts';

const dir = mkdtempSync(join(tmpdir(), 'parallax-memory-'));
try {
  const samples = await residentAlong(makeFleet(dir, Number(process.argv[2] ?? 6_000)), 500);
  console.log('| answers | MB |\n| --- | --- |');
  for (const { answers, mb } of samples) console.log(`| ${answers} | ${mb.toFixed(0)} |`);
  const half = samples[samples.length >> 1]?.mb ?? 0;
  const last = samples.at(-1)?.mb ?? Number.POSITIVE_INFINITY;
  process.exitCode = last <= half * 1.1 ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
