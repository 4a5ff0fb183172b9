// npm run vectors -- FILE…   Runs vector files; prints each failing case, then `N passed, N failed`. Exit code 1 if any
// case failed, 2 if a file could not be read or no file has cases. A file of another kind (no list "vectors") is skipped.
import { readFileSync } from 'node:fs';
import { elements, valueTextAt } from '../core/util/json/index.ts';
import { isRecord, ownAt } from '../core/util/unknown.ts';
import { isHarnVector, runHarnVector, type VectorOutcome } from './support/harnVectors.ts';
import { isHygieneVector, runHygieneVector } from './support/vectors/hygiene.ts';
import { isInsightVector, runInsightVector } from './support/vectors/insight.ts';
import { isProviderVector, runProviderVector } from './support/vectors/providers/index.ts';
import { isReducerVector, runReducerVector } from './support/vectors/reducers.ts';
import { isSecretsFile, runSecrets } from './support/vectors/secrets.ts';

/** The JSON texts of the cases in a vector file; null = the file has no list of them. */
function readCases(file: string): string[] | null {
  const list = valueTextAt(readFileSync(file, 'utf8'), ['vectors']);
  if (list === null || !list.startsWith('[')) return null;
  return elements(list, 0).map((span) => list.slice(span.start, span.end));
}

async function runCase(json: string): Promise<VectorOutcome> {
  const vector: unknown = JSON.parse(json);
  if (isRecord(vector) && isProviderVector(vector)) return runProviderVector(json);
  if (isRecord(vector) && isInsightVector(vector)) return runInsightVector(json);
  if (isRecord(vector) && isHarnVector(vector)) return runHarnVector(json);
  if (isRecord(vector) && isReducerVector(vector)) return runReducerVector(json);
  if (isRecord(vector) && isHygieneVector(vector)) return runHygieneVector(json);
  const id = isRecord(vector) ? String(ownAt(vector, 'id')) : '?';
  const rule = isRecord(vector) ? String(ownAt(vector, 'rule')) : '?';
  return { id, passed: false, report: [`no stage for rule ${rule} yet`] };
}

/** Prints the recall by what was missed and what was masked of clean lines; whether both are as they should be. */
function reportSecrets(file: Parameters<typeof runSecrets>[0]): boolean {
  const { found, of, missed, masked } = runSecrets(file);
  console.log(`${found} of ${of} found (${((100 * found) / of).toFixed(2)} %), ${masked.length} clean lines masked`);
  for (const [what, count] of missed) console.log(`  missed: ${what}: ${count}`);
  for (const line of masked) console.log(`  masked: ${line}`);
  return found / of >= 0.99 && masked.length === 0;
}

async function main(files: readonly string[]): Promise<number> {
  if (files.length === 0) {
    console.error('usage: npm run vectors -- FILE…');
    return 2;
  }
  let passed = 0;
  let failed = 0;
  let checks = 0;
  for (const file of files) {
    const secrets: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isSecretsFile(secrets)) {
      if (reportSecrets(secrets)) passed++;
      else failed++;
      continue;
    }
    const cases = readCases(file);
    if (cases === null) console.log(`SKIPPED ${file}: it has no list "vectors"`);
    for (const json of cases ?? []) {
      const outcome = await runCase(json);
      checks += outcome.checks ?? 0;
      if (outcome.passed) passed++;
      else {
        failed++;
        console.log(`FAIL ${outcome.id}`);
        for (const line of outcome.report) console.log(`  ${line}`);
      }
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (checks > 0) console.log(`${checks} texts and uses checked`);
  if (passed + failed === 0) return 2;
  return failed > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
