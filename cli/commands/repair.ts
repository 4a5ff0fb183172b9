import type { Command } from 'commander';
import { repairSessionFile, type SessionFileRepair } from '../../core/engine/repairSessionFile.ts';
import { EXIT } from '../support/failure.ts';
import { note, writeLine } from '../support/output.ts';

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
  const isCheck = options.check === true;
  const result = await repairSessionFile(file, { dryRun: isCheck });
  if (options.json) await writeLine(JSON.stringify(result));
  else if (result.reason === undefined) await writeLine(resultText(file, result, isCheck));
  if (result.reason !== undefined) {
    note(`${file}: ${result.reason}`);
    process.exitCode = EXIT.unreadable;
  } else if (isCheck && result.droppedLines > 0) process.exitCode = EXIT.finding;
}

const LINES_SHOWN = 20;

function resultText(file: string, result: SessionFileRepair, isCheck: boolean): string {
  const { droppedLines, lines, backupPath } = result;
  if (droppedLines === 0) return `${file}: nothing broken, not written`;
  const more = lines.length > LINES_SHOWN ? ` and ${lines.length - LINES_SHOWN} more` : '';
  const which = `${droppedLines === 1 ? 'line' : 'lines'} ${lines.slice(0, LINES_SHOWN).join(', ')}${more}`;
  if (isCheck) return `${file}: ${which} broken`;
  return `${file}: dropped ${which}; the file as it was is ${backupPath ?? 'not kept'}`;
}
