import type { Command } from 'commander';
import { openRegular } from '../../core/engine/files/regularFile.ts';
import { guessMapping } from '../../core/importers/formats/generic/guess.ts';
import { previewMapping } from '../../core/importers/formats/generic/look.ts';
import { formats } from '../../core/importers/formats/index.ts';
import { sniff } from '../../core/importers/sniff.ts';
import type { MappingPreview, PreviewMessage } from '../../core/model/mapping/preview.ts';
import { countOf } from '../../core/util/counts.ts';
import { wholeNumber } from '../support/arguments.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { EXIT, inputFailure, usageFailure } from '../support/failure.ts';
import { readMappingFile } from '../support/mapping.ts';
import { note, oneLine, table, write, writeJson, writeJsonText, writeLine } from '../support/output.ts';
import { readErrorText } from '../support/readError.ts';

const LOOK_BYTES = 512 * 1024;

/** `parallax mapping …`. */
export function addMapping(program: Command): void {
  const mapping = program
    .command('mapping')
    .description('mappings of files that no format knows: guess one, check it, save it in the library');
  mapping
    .command('guess')
    .description('propose a mapping for a file: JSON on stdout, the reasons on stderr')
    .argument('<FILE>', 'a JSON or JSON lines file')
    .addHelpText('after', '\nExit codes: 0 a proposal; 1 none could be made; 3 the file cannot be read.')
    .action(guess);
  mapping
    .command('check')
    .description('show the first messages of a file as a mapping understands them')
    .argument('<MAPPING>', 'file with a mapping')
    .argument('<FILE>', 'a JSON or JSON lines file')
    .option('--limit <n>', 'messages shown', wholeNumber('--limit', 1), 20)
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 it gives messages; 1 it gives none; 2 it is not a mapping; 3 the file cannot be read.',
    )
    .action(check);
  const library = '--library <dir>';
  mapping
    .command('ls')
    .description('list the mappings saved in the library')
    .option(library, 'folder of the library')
    .option('--json', 'one line of JSON a mapping')
    .action(list);
  mapping
    .command('save')
    .description('save a mapping in the library: files that it fits, and no format knows, are then read by it')
    .argument('<MAPPING>', 'file with a mapping')
    .option('--name <name>', 'instead of the name in the file')
    .option(library, 'folder of the library')
    .action(save);
  mapping
    .command('export')
    .description('print a saved mapping')
    .argument('<NAME>', 'its name')
    .option(library, 'folder of the library')
    .action(print);
  mapping
    .command('rm')
    .description('remove a saved mapping; transcripts that were read by it stay')
    .argument('<NAME>', 'its name')
    .option(library, 'folder of the library')
    .action(remove);
}

async function headOf(path: string): Promise<{ readonly bytes: Uint8Array; readonly whole: boolean }> {
  try {
    await using file = await openRegular(path);
    const { size } = await file.stat();
    const bytes = new Uint8Array(Math.min(size, LOOK_BYTES));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, bytesRead), whole: bytesRead >= size };
  } catch (error) {
    throw inputFailure(readErrorText(path, error));
  }
}

async function guess(path: string): Promise<void> {
  const { bytes, whole } = await headOf(path);
  const seen = sniff(bytes, whole);
  const known = formats.detect(seen);
  if (known.ok && !known.value.isMisfit) note(`${path} needs no mapping: it is known as ${known.value.format.title}`);
  const { mapping, confidence, why } = guessMapping(seen);
  for (const reason of why) note(reason);
  if (mapping === null) {
    process.exitCode = EXIT.finding;
    return;
  }
  note(`confidence ${Math.round(confidence * 100)}%: look at it with \`parallax mapping check\` before you import`);
  await writeJsonText(`${JSON.stringify(mapping, null, 2)}\n`);
}

async function check(file: string, path: string, options: { limit: number; json?: boolean }): Promise<void> {
  const { limit } = options;
  const mapping = await readMappingFile(file);
  const { bytes, whole } = await headOf(path);
  const preview = previewMapping(bytes, whole, mapping, limit);
  if (options.json) await writeJson(preview);
  else await printPreview(preview);
  if (preview.counts.messages === 0) process.exitCode = EXIT.finding;
}

async function printPreview({ messages, counts, problems, whole }: MappingPreview): Promise<void> {
  for (const message of messages) await write(messageText(message));
  for (const { severity, where, text } of problems) {
    const line = where?.line === undefined ? '' : `line ${where.line}: `;
    note(`${severity}: ${line}${oneLine(text, 300)}`);
  }
  const where = whole ? 'in the file' : 'in the beginning of the file';
  const events = counts.events === 0 ? '' : `, ${countOf(counts.events, 'record')} kept as events`;
  note(`${countOf(counts.messages, 'message')} in ${countOf(counts.transcripts, 'transcript')} ${where}${events}`);
}

function messageText({ line, role, parts }: PreviewMessage): string {
  const said = parts.map(({ kind, name, isError, text }) => {
    const label = kind === 'text' ? '' : `[${kind}${name === null ? '' : ` ${name}`}${isError ? ', failed' : ''}] `;
    return `${label}${oneLine(text, 120)}`;
  });
  return table(
    (said.length === 0 ? [''] : said).map((one, at) => [at === 0 ? `${line}` : '', at === 0 ? role : '', one]),
    [0],
  );
}

async function list(options: LibraryOptions & { json?: boolean }): Promise<void> {
  const { mappings } = await withEngine(options, (engine) => engine.call('mapping.list', {}));
  if (options.json) for (const mapping of mappings) await writeJson(mapping);
  else await write(table(mappings.map(({ name, hash, savedAt }) => [name, hash, savedAt.slice(0, 10)])));
}

async function save(file: string, options: LibraryOptions & { name?: string }): Promise<void> {
  const mapping = await readMappingFile(file);
  const name = options.name ?? mapping.name;
  if (name === '') throw usageFailure('the mapping has no name: give one with --name');
  const { hash } = await withEngine(options, (engine) => engine.call('mapping.save', { name, mapping }));
  await writeLine(`${hash}  ${name}`);
}

async function print(name: string, options: LibraryOptions): Promise<void> {
  const { mappings } = await withEngine(options, (engine) => engine.call('mapping.list', {}));
  const found = mappings.find((one) => one.name === name);
  if (found === undefined) throw usageFailure(`the library has no mapping "${name}"`, 'mapping.unknown');
  await writeJsonText(`${JSON.stringify(found.mapping, null, 2)}\n`);
}

async function remove(name: string, options: LibraryOptions): Promise<void> {
  const { removed } = await withEngine(options, (engine) => engine.call('mapping.remove', { name }));
  if (!removed) throw usageFailure(`the library has no mapping "${name}"`, 'mapping.unknown');
}
