import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { EngineClient } from '../../core/protocol/client.ts';
import { countOf } from '../../core/util/counts.ts';
import { elements, isJsonText } from '../../core/util/json/index.ts';
import { checkFile } from '../support/arguments.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { inputFailure, usageFailure } from '../support/failure.ts';
import { readText } from '../support/input.ts';
import { readMappingFile } from '../support/mapping.ts';
import { writeJson, writeLine } from '../support/output.ts';
import { callPointOf, checkPlace } from '../support/projecting.ts';
import { LIBRARY } from '../support/sharedOptions.ts';

interface ForkOptions extends LibraryOptions {
  readonly at?: string;
  readonly append?: string;
  readonly text?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly json?: boolean;
}

const HELP = `
A what-if is a transcript of the library that begins as another one does and continues as you say. It is labelled so in
every list, export and bundle; the transcript it was forked from never changes. \`parallax rm\` deletes it.

Exit codes: 0 done; 2 wrong usage; 3 the transcript or the messages cannot be read.`;

/** `parallax fork`. */
export function addFork(program: Command): void {
  program
    .command('fork')
    .description('make a what-if: the messages before a place in a transcript, and your own messages after them')
    .argument('<FILE-or-ID>', 'a transcript of the library, as ls names it, or a file, which is imported first')
    .option('--at <n>', 'fork before message N (from 0); "last" = after all of them', 'last')
    .option('--append <file-or-json>', 'messages to continue with: JSON of one or a list, or a file with it; - = stdin')
    .option('--text <text>', 'a user’s message to continue with, after those of --append')
    .option('--transcript <key-or-n>', 'which transcript of a file that holds several, by its number')
    .option('--mapping <file>', 'import FILE by this mapping of its fields')
    .option(...LIBRARY)
    .option('--json', 'say what was made as JSON')
    .addHelpText('after', HELP)
    .action(forkTranscript);
}

async function forkTranscript(from: string, options: ForkOptions): Promise<void> {
  checkPlace(options.at);
  const messages = options.append === undefined ? [] : await readMessages(options.append);
  await withEngine(options, async (engine) => {
    const id = await transcriptId(engine, from, options);
    const { messages: length, title } = await engine.call('transcript.open', { id });
    const at = callPointOf(options.at, length);
    const text = options.text === undefined ? {} : { text: options.text };
    const fork = await engine.call('transcript.fork', { id, at, messages, ...text });
    const added = messages.length + (options.text === undefined ? 0 : 1);
    if (options.json) await writeJson({ ...fork, parent: id, at, added });
    else await writeLine(`${fork.id}  what-if of ${id} (${title}) before message ${at}, ${added} added`);
  });
}

async function transcriptId(engine: EngineClient, from: string, options: ForkOptions): Promise<string> {
  const { transcript: choice, mapping } = options;
  if (!existsSync(from)) {
    if (mapping === undefined) return from;
    throw usageFailure(`--mapping reads a file; there is no file ${from}`);
  }
  await checkFile(from);
  const by = mapping === undefined ? {} : { mapping: await readMappingFile(mapping) };
  const { jobId } = await engine.call('import.start', { paths: [resolve(from)], ...by });
  const { outcomes } = await engine.call('import.result', { jobId });
  const [outcome] = outcomes;
  if (outcome === undefined || outcome.error !== null) {
    throw inputFailure(outcome?.error?.text ?? `${from}: it holds no transcript`, outcome?.error?.code);
  }
  const number = choice === undefined ? 1 : Number(choice);
  const found = outcome.transcripts[number - 1];
  if (found === undefined) {
    throw usageFailure(
      `${from} holds ${countOf(outcome.transcripts.length, 'transcript')}; there is no number ${choice ?? 1}`,
    );
  }
  return found.id;
}

/** The exact texts of messages given as JSON, or in a file. */
async function readMessages(given: string): Promise<readonly string[]> {
  const isInline = /^\s*[{[]/.test(given) && !existsSync(given);
  const text = (isInline ? given : await readText(given)).trim();
  if (!isJsonText(text)) throw inputFailure(`${isInline ? 'what to append' : given} is not JSON`, 'fork.not_a_message');
  if (!text.startsWith('[')) return [text];
  return elements(text, 0).map(({ start, end }) => text.slice(start, end));
}
