import type { Command } from 'commander';
import { repairSessionFile, type SessionFileRepair } from '../../core/engine/files/repairSessionFile.ts';
import { grouped } from '../../core/util/counts.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { note, writeJson, writeLine } from '../support/output.ts';

interface RepairOptions {
  readonly check?: boolean;
  readonly json?: boolean;
}

const HELP = `
The file as it was is kept beside it (FILE.bak-…); the new one is written under another name and put in its place at
once. Entries that are whole stay, in their order. A file with nothing broken is not written. Only session files are
repaired: their first line is {"type":"session","id":…}.

Exit codes: 0 repaired, or nothing broken; 1 with --check: broken lines; 2 wrong usage; 3 it could not be repaired.`;

/** `parallax repair`. */
export function addRepair(program: Command): void {
  program
    .command('repair')
    .description('drop broken lines from a session file, keeping the file as it was beside it')
    .argument('<FILE>', 'a session file: one JSON value a line, the header first')
    .option('--check', 'look only, write nothing')
    .option('--json', 'what was done as one line of JSON')
    .addHelpText('after', HELP)
    .action(repairFile);
}

async function repairFile(file: string, options: RepairOptions): Promise<void> {
  if (file === '-') throw usageFailure('repair writes a file in its place: name one, not stdin');
  const isCheck = options.check === true;
  const result = await repairSessionFile(file, { dryRun: isCheck });
  if (options.json) await writeJson(result);
  else if (result.reason === undefined) await writeLine(resultText(file, result, isCheck));
  if (result.reason !== undefined) {
    note(`${file}: ${result.reason}${adviceOn(result)}`);
    process.exitCode = EXIT.unreadable;
  } else if (isCheck && result.droppedLines > 0) process.exitCode = EXIT.finding;
}

/** What to do about a reason; reasons are those of the rule's source, word for word. */
const ADVICE: Readonly<Record<string, string>> = {
  'missing session file': '; check the path',
  'empty session file': '; it was left as it is: none of its lines is whole JSON',
  'invalid session header':
    '; it was left as it is: the first line of a session file is {"type":"session","id":…}. Other formats need no repair: broken lines are reported when a file is read',
};

function adviceOn({ reason = '' }: SessionFileRepair): string {
  return ADVICE[reason] ?? '; it was left as it is: check that it and its folder may be read and written';
}

const LINES_SHOWN = 20;

function resultText(file: string, result: SessionFileRepair, isCheck: boolean): string {
  const { droppedLines, lines, backupPath } = result;
  if (droppedLines === 0) return `${file}: nothing broken, not written`;
  const more = lines.length > LINES_SHOWN ? ` and ${grouped(lines.length - LINES_SHOWN)} more` : '';
  const which = `${droppedLines === 1 ? 'line' : 'lines'} ${lines.slice(0, LINES_SHOWN).join(', ')}${more}`;
  if (isCheck) return `${file}: ${which} broken`;
  return `${file}: dropped ${which}; the file as it was is ${backupPath ?? 'not kept'}`;
}
