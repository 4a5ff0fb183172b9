import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { type CountedAbout, stageInputs } from '../../core/engine/requests/index.ts';
import { ENGINE_VERSION } from '../../core/engine/version.ts';
import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import { type StatedFinding, statedWithin } from '../../core/model/statedFinding.ts';
import { settledSpec } from '../../core/projection/binding/facts.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { type BundleInput, bundleChunks, bundleSums } from '../../core/report/bundle.ts';
import { bundleMarkdown } from '../../core/report/markdown.ts';
import { outcomeDifferences } from '../../core/scrub/outcome.ts';
import type { Scrubber } from '../../core/scrub/scrubber.ts';
import type { Calibration } from '../../core/tokens/calibrated.ts';
import { createMemo } from '../../core/view/memo.ts';
import { usageFailure } from '../support/failure.ts';
import { modelOf, readTranscript } from '../support/input.ts';
import { aboutOf } from '../support/inputs.ts';
import { note, writeJson, writeLine } from '../support/output.ts';
import { pageOf } from '../support/pageExport.ts';
import { callPointOf, type Projector, withProjector } from '../support/projecting.ts';
import { addScrubOptions, checkedText, type ScrubCliOptions, scrubberOf, scrubImported } from '../support/scrubbing.ts';
import { SessionWalk } from '../support/sessionWalk.ts';
import { readKey, signFile } from '../support/signing.ts';
import { parsedOrFail, type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';
import { countTokens } from '../support/tokens.ts';
import { costAsRecorded } from '../support/usage.ts';
import { writeChunks } from '../support/writeChunks.ts';
import { exportThread } from './exportThread.ts';
import { exportWire } from './exportWire.ts';

interface ExportOptions extends SpecOptions, ScrubCliOptions {
  readonly unscrubbed?: boolean;
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
  readonly maxTokens?: string;
  readonly strict?: boolean;
  readonly repair?: boolean;
  readonly findings?: boolean;
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
        .argument('<FILE>', 'a transcript of any known format; - = stdin')
        .option('-o, --output <file>', 'where it goes; with --wire, stdout without it')
        .addOption(new Option('--out <file>', 'the same as --output').hideHelp())
        .option('--wire <api>', 'write a request: anthropic, openai (chat completions), responses, gemini')
        .option('--thread <runtime>', 'write the whole transcript as a thread: jido; FILE may be an id of the library')
        .option(
          '--library <dir>',
          'a library whose own words and expressions are masked, too; with --thread: the library FILE is in',
        )
        .option('--policy <name>', 'a policy or preset by name')
        .option('--spec <file-or-json>', 'a spec, or a bare Harn option: a name, JSON, or a file with it')
        .option('--at <n>', 'project before message N (from 0); "last" = the next request', 'last')
        .option('--transcript <key-or-n>', 'which transcript of a file that holds several')
        .option('--mapping <file>', 'read FILE by this mapping of its fields')
        .option(
          '--html <file>',
          'also write a page that anybody can open in a browser: panes, outcomes, chart, why, search',
        )
        .option('--markdown <file>', 'also write a summary for an issue tracker')
        .option('--model <id>', 'with --wire: the model asked; default: the transcript’s, where it is of that vendor')
        .option('--max-tokens <n>', 'with --wire: tokens of the answer')
        .option('--repair', 'with --wire: the provider’s hygiene as the last stage, so that it would take the request')
        .option(
          '--strict',
          'with --wire: leave out fields that the provider’s types do not know, also where they were recorded',
        )
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
    const given = { file, format, transcript, source, parsed, at };
    if (options.unscrubbed) {
      const input = await bundleInputOf(projector, { ...given, about: aboutOf(transcript) }, options);
      return writeBundle(input, bundleChunks(input), options, output, null);
    }
    await exportScrubbed(projector, given, options, output);
  });
}

/** What a bundle is made of. */
interface Given extends Chosen {
  readonly file: string;
  readonly format: string;
}

async function exportScrubbed(
  projector: Projector,
  given: Given,
  options: ExportOptions,
  output: string,
): Promise<void> {
  const { transcript, source, at } = given;
  const scrubber = await scrubberOf(options, modelOf(transcript));
  const own = await bundleInputOf(projector, { ...given, about: aboutOf(transcript) }, { ...options, findings: false });
  const others = [own.spec, own.transcript].map((value) => JSON.stringify(value));
  const scrubbed = scrubImported(scrubber, transcript, at, others);
  const [spec = '', named = ''] = scrubbed.others;
  // Counted as the original is: the line that makes counts the provider's is not looked for again.
  const about = { ...aboutOf(scrubbed.transcript), stated: own.transcript.calibration ?? null };
  const written = { ...given, ...scrubbed, parsed: parsedOrFail(JSON.parse(spec)), about };
  const input = await bundleInputOf(projector, written, options);
  const isSame = outcomeDifferences(own.projection, input.projection).length === 0;
  if (!isSame) note('stand-ins change what the policy decides of some messages; the bundle says so');
  const scrub = scrubbed.counts.report(isSame, transcript.meta.bundle?.scrub);
  const said: BundleInput['transcript'] = JSON.parse(named);
  const messages = own.transcript.messages ?? source.length;
  const whole: BundleInput = { ...input, transcript: { ...said, messages }, scrub };
  const text = checkedText(scrubber, bundleChunks(whole));
  await writeBundle(whole, [text], options, output, scrubber);
}

async function bundleInputOf(
  projector: Projector,
  given: Given & { readonly about: CountedAbout },
  options: ExportOptions,
): Promise<BundleInput> {
  const { file, format, transcript, source, parsed, at, about } = given;
  const inputs = await stageInputs(source, parsed, about);
  const projection = await projector.project(source, parsed.stages, at, createMemo(), inputs);
  const { tokenizer, calibration, raw, projected } = await countTokens(source, projection, parsed.spec, about);
  return {
    engineVersion: ENGINE_VERSION,
    transcript: bundledTranscript(file, transcript, format, calibration),
    recorded: { ...transcript.meta, meta: (index) => transcript.messages[index]?.meta ?? {} },
    source,
    spec: settledSpec(parsed.spec, inputs.binding ?? null),
    projection,
    tokens: { tokenizer, raw, projected },
    ...(inputs.bundle !== undefined && { inputs: inputs.bundle }),
    ...(options.findings && { findings: await findingsBefore(projector, { transcript, source, parsed, at }) }),
    ...costOf(transcript),
    createdAt: new Date().toISOString(),
    sha256: nodeSha256,
  };
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

  if (options.html !== undefined && page !== null) await writeChunks(resolve(options.html), [page], 'the page');
  if (options.markdown !== undefined) {
    await writeChunks(resolve(options.markdown), [bundleMarkdown(input, sums, basename(path))], 'the summary');
  }
  if (options.json) await writeJson({ path, bytes, prefixHash: sums.prefixHash });
  else await writeLine(`${path}  ${bytes} bytes  ${sums.prefixHash}`);
}

/** What is found in the messages before the call point: what a bundle of it can show. */
async function findingsBefore(
  projector: Projector,
  { transcript, source, parsed, at }: Chosen,
): Promise<readonly StatedFinding[]> {
  const walk = await SessionWalk.open(projector, transcript, source, { tokens: true });
  return statedWithin(await walk.findings(parsed), at);
}

interface Chosen {
  readonly transcript: ImportedTranscript;
  readonly source: MemoryTranscript;
  readonly parsed: ParsedSpec;
  readonly at: number;
}

// What the policy would have cost: `sweep` says it.
function costOf(transcript: ImportedTranscript): Pick<BundleInput, 'cost'> {
  const cost = costAsRecorded(transcript);
  return cost === null ? {} : { cost: { ...cost, policy: null } };
}

// A bundle that is exported again is of the transcript that it was made of.
function bundledTranscript(
  file: string,
  transcript: ImportedTranscript,
  format: string,
  calibration: Calibration | null,
): BundleInput['transcript'] {
  const { bundle, sessionId, title = basename(file) } = transcript.meta;
  if (bundle !== undefined) return bundle.transcript;
  const model = modelOf(transcript);
  return { id: sessionId ?? transcript.key, format, title, ...(model !== undefined && { model }), calibration };
}
