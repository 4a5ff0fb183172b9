import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type EngineClient, EngineError } from '../../core/protocol/client.ts';
import { isMisread } from '../../core/protocol/misread.ts';
import type { FolderReport, ImportOutcome, VerifyReport } from '../../core/protocol/types.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { EXIT } from '../support/failure.ts';
import { followUntilInterrupted, type Imported } from '../support/follow.ts';
import { readMappingFile } from '../support/mapping.ts';
import { grouped, note, oneLine, write, writeJson } from '../support/output.ts';
import { LIBRARY } from '../support/sharedOptions.ts';
import { commandHint } from '../support/unknownFile.ts';

interface ImportOptions extends LibraryOptions {
  readonly json?: boolean;
  readonly follow?: boolean;
  readonly mapping?: string;
}

/** `parallax import`. */
export function addImport(program: Command): void {
  program
    .command('import')
    .description('import transcripts into the library')
    .argument('<PATH...>', 'files of any known format, or folders: the transcripts in them')
    .option(...LIBRARY)
    .option('--json', 'one line of JSON a file')
    .option('--mapping <file>', 'read files by this mapping of their fields; of folders those that no format knows')
    .option('--follow', 'keep taking in what is appended to the files, and new files of folders, until interrupted')
    .addHelpText(
      'after',
      '\nAn import that was interrupted resumes where it was; so does a file that has grown since.\n\nExit codes: 0 done; 1 some records could not be read, or a bundle does not verify; 2 wrong usage; 3 a file cannot be read or is not a transcript; the others are imported.',
    )
    .action(async (files: string[], options: ImportOptions) => importFiles(files, options));
}

async function importFiles(files: readonly string[], options: ImportOptions): Promise<void> {
  const paths = files.map((file) => resolve(file));
  const by = options.mapping === undefined ? {} : { mapping: await readMappingFile(options.mapping) };
  await withEngine(options, async (engine) => {
    const outcomes: ImportOutcome[] = [];
    let bundleDiffers = false;
    const onImported = async (found: Imported): Promise<void> => {
      const checks = await checksOf(engine, found.outcomes);
      await printOutcome(found.outcomes, found.folders, checks, options);
      if (checks.some(({ report }) => !report.same)) bundleDiffers = true;
      outcomes.push(...found.outcomes);
      process.exitCode = exitCodeOf(outcomes, bundleDiffers);
    };
    // Following begins with its own import; one by a mapping goes before it, and is remembered.
    if (options.follow !== true || options.mapping !== undefined) {
      const { jobId } = await engine.call('import.start', { paths, ...by });
      await onImported(await engine.call('import.result', { jobId }));
    }
    if (options.follow !== true) return;
    const hasOutcomes = outcomes.length > 0;
    await followUntilInterrupted(engine, paths, {
      json: options.json === true,
      onImported: async (found) => (hasOutcomes ? undefined : onImported(found)),
    });
  });
}

/** Of a bundle among the transcripts: whether it verifies. */
interface BundleCheck {
  readonly id: string;
  readonly report: VerifyReport;
}

const NOT_CHECKED = ['bundle.none', 'spec.invalid'];

async function checksOf(engine: EngineClient, outcomes: readonly ImportOutcome[]): Promise<readonly BundleCheck[]> {
  const checks: BundleCheck[] = [];
  for (const { id } of outcomes.flatMap(({ transcripts }) => transcripts)) {
    try {
      checks.push({ id, report: await engine.call('bundle.check', { id }) });
    } catch (thrown) {
      if (!(thrown instanceof EngineError) || !NOT_CHECKED.includes(thrown.code)) throw thrown;
      if (thrown.code !== 'bundle.none') note(`${id}: the bundle cannot be checked here: ${thrown.message}`);
    }
  }
  return checks;
}

function checkText({ report: { same, differences, prefixHash } }: BundleCheck): string {
  if (same) return `  a bundle; verified: ${prefixHash}\n`;
  const lines = differences.map(({ what, expected, got }) => `    ${what}: states ${expected}, here ${got}\n`);
  return `  a bundle; does not verify:\n${lines.join('')}`;
}

async function printOutcome(
  outcomes: readonly ImportOutcome[],
  folders: readonly FolderReport[],
  checks: readonly BundleCheck[],
  { json = false }: ImportOptions,
): Promise<void> {
  for (const outcome of outcomes) {
    const own = checks.filter(({ id }) => outcome.transcripts.some((one) => one.id === id));
    const bundle = own.map(({ report: { same, differences } }) => ({ same, differences }))[0];
    if (json) await writeJson({ ...outcome, ...(bundle !== undefined && { bundle }) });
    else await write(outcomeText(outcome) + own.map(checkText).join(''));
  }
  for (const { folder, transcripts, skipped, unreadable } of folders) {
    for (const { text } of unreadable) note(oneLine(text, 300));
    const passed = skipped === 0 ? '' : `, ${grouped(skipped)} other files skipped`;
    note(`${folder}: ${grouped(transcripts)} transcript files${passed}`);
  }
}

function exitCodeOf(outcomes: readonly ImportOutcome[], bundleDiffers: boolean): number {
  if (outcomes.some((outcome) => outcome.error !== null)) return EXIT.unreadable;
  const broken = outcomes.some(({ problems }) => problems.some((problem) => problem.severity === 'error'));
  return broken || bundleDiffers ? EXIT.finding : EXIT.done;
}

function outcomeText(outcome: ImportOutcome): string {
  if (outcome.error !== null) {
    const { file, error } = outcome;
    note(`${error.text.startsWith(file) ? '' : `${file}: `}${error.text}${commandHint(error, file)}`);
    return '';
  }
  for (const { code, severity, where, text } of outcome.problems) {
    const line = where?.line === undefined ? '' : `:${where.line}`;
    const hint = isMisread(code) ? commandHint({ code }, outcome.file) : '';
    if (severity !== 'info') note(`${outcome.file}${line}: ${severity}: ${oneLine(text, 400)}${hint}`);
  }
  return outcome.transcripts
    .map(({ id, messages, existed }) => {
      const known = existed ? ' (was there already)' : '';
      return `${id}  ${grouped(messages)} messages  ${outcome.file}${known}\n`;
    })
    .join('');
}
