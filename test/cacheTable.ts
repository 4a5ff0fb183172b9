// npm run cache:table [-- FILE…]   Each request that lost over half of its prefix, by recorded usage: the cause worked out
// here, the provider's diagnosis, and whether they agree. Without files the visible corpus of Claude Code. Exit code 1 if an
// explanation differs.
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { type ComparedMiss, comparedMisses, describeAgreement, MISS_HEAD, missRows } from '../cli/support/missTable.ts';
import { usageReport } from '../cli/support/usage.ts';
import { unpackZlib } from '../core/engine/files/unpackZlib.ts';
import { importText } from '../core/importers/memory.ts';
import { corpusFiles } from './support/shared.ts';

async function main(given: readonly string[]): Promise<number> {
  const files = given.length > 0 ? given.map((file) => resolve(file)) : corpusFiles('claude-code');
  const all: ComparedMiss[] = [];
  console.log(`| session | ${MISS_HEAD.join(' | ')} |`);
  console.log('|---|---|--:|--:|---|---|---|');
  for (const file of files) {
    const { transcripts } = importText(readFileSync(file), { unpack: unpackZlib });
    for (const [number, transcript] of transcripts.entries()) {
      const { report } = await usageReport(transcript);
      const misses = comparedMisses(report);
      const name = transcripts.length > 1 ? `${basename(file)} (${number + 1})` : basename(file);
      for (const row of missRows(misses, name)) console.log(`| ${row.join(' | ')} |`);
      all.push(...misses);
    }
  }
  console.log(`\n${describeAgreement(all)}.`);
  return all.some(({ agreement }) => agreement === 'differ') ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
