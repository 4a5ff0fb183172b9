import { createWriteStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { ENGINE_VERSION } from '../../core/engine/version.ts';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { type BundleInput, bundleChunks, bundleSums } from '../../core/report/bundle.ts';
import { bundleMarkdown } from '../../core/report/markdown.ts';
import { inputFailure } from '../support/failure.ts';
import { modelOf, readErrorText, readTranscript } from '../support/input.ts';
import { writeLine } from '../support/output.ts';
import { callPointOf, withProjector } from '../support/projecting.ts';
import { type SpecOptions, specFor, specOf } from '../support/spec.ts';
import { countTokens } from '../support/tokens.ts';

interface ExportOptions extends SpecOptions {
  readonly at?: string;
  readonly transcript?: string;
  readonly output: string;
  readonly markdown?: string;
  readonly json?: boolean;
}

/** `parallax export`. */
export function addExport(program: Command): void {
  program
    .command('export')
    .description('write a bug-report bundle: raw slice, spec, projected prefix, fates, hashes')
    .argument('<FILE>', 'a transcript of any known format; - = stdin')
    .requiredOption('-o, --output <file>', 'where the bundle goes')
    .option('--policy <name>', 'a policy or preset by name')
    .option('--spec <file-or-json>', 'a spec, or a bare Harn option: a name, JSON, or a file with it')
    .option('--at <n>', 'project before message N (from 0); "last" = the next request', 'last')
    .option('--transcript <key-or-n>', 'which transcript of a file that holds several')
    .option('--markdown <file>', 'also write a summary for an issue tracker')
    .option('--json', 'say what was written as JSON')
    .addHelpText('after', '\nThe bundle holds the messages as they are, secrets included. Read it before you send it.')
    .action(exportFile);
}

async function exportFile(file: string, options: ExportOptions): Promise<void> {
  const chosen = specOf(options);
  const { transcript, format } = await readTranscript(file, options.transcript);
  const source = MemoryTranscript.of(transcript);
  const parsed = specFor(chosen, options, source);
  const at = callPointOf(options.at, source.length);
  const path = resolve(options.output);
  await withProjector(async (projector) => {
    const projection = await projector.project(source, parsed.stages, at);
    const { tokenizer, raw, projected } = await countTokens(source, projection, parsed.spec, modelOf(transcript));
    const title = transcript.meta.title ?? basename(file);
    const input: BundleInput = {
      engineVersion: ENGINE_VERSION,
      transcript: { id: transcript.meta.sessionId ?? transcript.key, format, title },
      source,
      spec: parsed.spec,
      projection,
      tokens: { tokenizer, raw, projected },
      createdAt: new Date().toISOString(),
      sha256: nodeSha256,
    };
    const sums = bundleSums(input);
    const bytes = await writeChunks(path, bundleChunks(input, sums));
    if (options.markdown !== undefined) await writeFile(options.markdown, bundleMarkdown(input, sums, basename(path)));
    if (options.json) await writeLine(JSON.stringify({ path, bytes, prefixHash: sums.prefixHash }));
    else await writeLine(`${path}  ${bytes} bytes  ${sums.prefixHash}`);
  });
}

// Under another name until it is whole: half a bundle is worse than none.
async function writeChunks(path: string, chunks: Iterable<string>): Promise<number> {
  const partial = `${path}.partial-${process.pid}`;
  const out = createWriteStream(partial);
  try {
    await pipeline(Readable.from(chunks), out);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw inputFailure(`the bundle cannot be written: ${readErrorText(path, error)}`, 'output.unwritable');
  }
  return out.bytesWritten;
}
