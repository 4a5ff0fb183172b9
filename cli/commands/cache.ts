import type { Command } from 'commander';
import { diagnosisFindings } from '../../core/insight/usage/findings.ts';
import { readTranscript } from '../support/input.ts';
import { comparedMisses, missText } from '../support/missTable.ts';
import { write, writeLine } from '../support/output.ts';
import { FILE, MAPPING, TRANSCRIPT } from '../support/sharedOptions.ts';
import { usageReport } from '../support/usage.ts';

interface CacheOptions {
  readonly transcript?: string;
  readonly mapping?: string;
  readonly json?: boolean;
}

const HELP = `
Read from recorded usage: what a request found in the provider's cache, against what the one before had left there. "here"
is worked out from what is recorded (model, speed, effort, compactions, times, how much was found); "provider" is its own
diagnosis, where the answers hold one (Claude Code, responses of the Claude API and of OpenAI). Its tokens are its estimate.

Exit codes: 0 done; 2 wrong usage; 3 the file cannot be read.`;

/** `parallax cache`. */
export function addCache(program: Command): void {
  program
    .command('cache')
    .description('requests that lost over half of what was cached: our explanation, and the provider’s diagnosis')
    .argument(...FILE)
    .option(...TRANSCRIPT)
    .option(...MAPPING)
    .option('--json', 'the result as one line of JSON')
    .addHelpText('after', HELP)
    .action(cacheOfFile);
}

async function cacheOfFile(file: string, options: CacheOptions): Promise<void> {
  const { transcript } = await readTranscript(file, options);
  const { report } = await usageReport(transcript);
  const misses = comparedMisses(report);
  if (options.json) return writeLine(JSON.stringify({ misses, diagnoses: report.diagnoses }));
  if (report.requests.every(({ cacheRead }) => cacheRead === null)) {
    return write('No request of this transcript records what it read from a cache.\n');
  }
  const lines = diagnosisFindings(report.diagnoses).map(({ text }) => `${text}\n`);
  await write([missText(misses), ...lines].join(''));
}
