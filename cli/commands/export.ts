import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { type BundleInput, bundleSums } from '../../core/report/bundle.ts';
import { bundleMarkdown } from '../../core/report/markdown.ts';
import type { Scrubber } from '../../core/scrub/scrubber.ts';
import { countOf } from '../../core/util/counts.ts';
import { wholeNumber } from '../support/arguments.ts';
import { type BundleOptions, makeBundle } from '../support/bundling.ts';
import { checkExportOptions } from '../support/exportOptions.ts';
import { usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { writeJson, writeLine } from '../support/output.ts';
import { pageOf } from '../support/pageExport.ts';
import { callPointOf, withProjector } from '../support/projecting.ts';
import { addScrubOptions } from '../support/scrubbing.ts';
import { FILE, MAPPING, POLICY, SPEC, TRANSCRIPT } from '../support/sharedOptions.ts';
import { readKey, signFile } from '../support/signing.ts';
import { type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';
import { writeChunks } from '../support/writeChunks.ts';
import { exportThread } from './exportThread.ts';
import { exportWire } from './exportWire.ts';

interface ExportOptions extends SpecOptions, BundleOptions {
  readonly sign?: string;
  readonly at?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly output?: string;
  readonly out?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly wire?: string;
  readonly thread?: string;
  readonly library?: string;
  readonly model?: string;
  readonly maxTokens?: number;
  readonly strict?: boolean;
  readonly repair?: boolean;
  readonly json?: boolean;
}

const HELP = `
Without --wire a bug-report bundle. Secrets and personal data are replaced by stand-ins first: what is definite by default,
candidates with --mask-candidates; "parallax scrub" lists both. The finished bytes are searched again, decoded: if anything is
left, nothing is written. --unscrubbed writes the messages as they are, and the bundle says so.

With --wire the body of the request that the history would be sent as, to OUTPUT or stdout; what it cannot carry, and
what is chosen because the transcript does not record it, go to stderr. With provider hygiene as the last stage of the
spec the body is strictly of the provider's published types.

Exit codes: 0 written; 1 not written, because something is left in it, or written, but the provider would refuse it (--wire); 2 wrong usage; 3 unreadable or unwritable.`;

/** `parallax export`. */
export function addExport(program: Command): void {
  addScrubOptions(
    withThinkingOptions(
      program
        .command('export')
        .description('write a bug-report bundle, or with --wire the exact body of a request')
        .argument(...FILE)
        .option('-o, --output <file>', 'where it goes; with --wire, stdout without it')
        .addOption(new Option('--out <file>', 'the same as --output').hideHelp())
        .option('--wire <api>', 'write a request: anthropic, openai (chat completions), responses, gemini')
        .option('--thread <runtime>', 'write the whole transcript as a thread: jido; FILE may be an id of the library')
        .option(
          '--library <dir>',
          'a library whose own words and expressions are masked, too; with --thread: the library FILE is in',
        )
        .option(...POLICY)
        .option(...SPEC)
        .option('--at <n>', 'project before message N (from 0); "last" = the next request', 'last')
        .option(...TRANSCRIPT)
        .option(...MAPPING)
        .option(
          '--html <file>',
          'also write a page that anybody can open in a browser: panes, outcomes, chart, why, search',
        )
        .option('--markdown <file>', 'also write a summary for an issue tracker')
        .option('--model <id>', 'with --wire: the model asked; default: the transcript’s, where it is of that vendor')
        .option('--max-tokens <n>', 'with --wire: tokens of the answer', wholeNumber('--max-tokens', 1))
        .option('--repair', 'with --wire: the provider’s hygiene as the last stage, so that it would take the request')
        .option(
          '--strict',
          'with --wire: leave out fields that the provider’s types do not know, also where they were recorded',
        )
        .option(
          '--slice',
          'only what is needed: messages without which the result is the same leave without their words',
        )
        .option('--text <text>', 'with --slice: what became of this text is the same, too')
        .option('--findings', 'put what `parallax findings` finds under the policy into the bundle')
        .option('--sign <key>', 'also sign it: OUT.dsse.json, by a private key of "parallax keys"')
        .option('--unscrubbed', 'write the messages as they are, secrets included; the file says so')
        .option('--json', 'say what was written as JSON; with --wire also all that is not carried'),
    ),
  )
    .addHelpText('after', HELP)
    .action(exportFile);
}

async function exportFile(file: string, given: ExportOptions): Promise<void> {
  checkExportOptions(file, given);
  if (given.output !== undefined && given.out !== undefined)
    throw usageFailure('-o and --out are one; give one of them');
  const output = given.output ?? given.out;
  const options = { ...given, ...(output !== undefined && { output }) };
  if (options.thread !== undefined) await exportThread(file, { ...options, thread: options.thread });
  else if (options.wire !== undefined) await exportWire(file, { ...options, wire: options.wire });
  else if (output === undefined) throw usageFailure('give -o, --output: where the bundle goes');
  else await exportBundle(file, options, output);
}

async function exportBundle(file: string, options: ExportOptions, output: string): Promise<void> {
  const chosen = specOf(options);
  const { transcript, format } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = specNotingWarnings(chosen, options, source);
  const at = callPointOf(options.at, source.length);
  await withProjector(async (projector) => {
    const { input, chunks, leaving } = await makeBundle(
      projector,
      { file, format, transcript, source, parsed, at },
      options,
    );
    await writeBundle(input, chunks, options, output, leaving.scrubber);
  });
}

async function writeBundle(
  input: BundleInput,
  chunks: Iterable<string>,
  options: ExportOptions,
  output: string,
  scrubber: Scrubber | null,
): Promise<void> {
  const path = resolve(output);
  // What is left in the page ends the command before anything is written.
  const texts = options.html === undefined ? chunks : [...chunks];
  const page = options.html === undefined ? null : await pageOf([...texts].join(''), input, scrubber);
  const sums = bundleSums(input);
  // A key that cannot be read ends the command before anything is written.
  const key = options.sign === undefined ? null : await readKey(options.sign, 'private');
  const bytes = await writeChunks(path, texts, 'the bundle');
  const { engineVersion, scrub } = input;
  if (key !== null)
    await signFile(path, key, { engineVersion, prefixHash: sums.prefixHash, scrubbed: scrub?.scrubbed ?? false });

  if (options.html !== undefined && page !== null)
    await writeChunks(resolve(options.html), [page], `${path} is written; the page`);
  if (options.markdown !== undefined) {
    await writeChunks(
      resolve(options.markdown),
      [bundleMarkdown(input, sums, basename(path))],
      `${path} is written; the summary`,
    );
  }
  if (options.json) await writeJson({ path, bytes, prefixHash: sums.prefixHash });
  else await writeLine(`${path}  ${countOf(bytes, 'byte')}  ${sums.prefixHash}`);
}
