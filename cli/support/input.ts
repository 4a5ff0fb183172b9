import { LargeFileError, MOST_BYTES } from '../../core/engine/files/regularFile.ts';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importedModel } from '../../core/engine/requests/index.ts';
import { genericFormat } from '../../core/importers/formats/generic/format.ts';
import { type ImportedTranscript, type ImportTextOptions, importText } from '../../core/importers/memory.ts';
import { FormatRegistry } from '../../core/importers/registry.ts';
import type { Problem } from '../../core/model/problem.ts';
import { isMisread } from '../../core/protocol/misread.ts';
import { countOf, grouped } from '../../core/util/counts.ts';
import { currentChannel } from './channel.ts';
import { inputFailure, usageFailure } from './failure.ts';
import { readMappingFile } from './mapping.ts';
import { note } from './output.ts';
import { fileName, readErrorText } from './readError.ts';
import { readWhole } from './smallFile.ts';
import { commandHint } from './unknownFile.ts';

/** A file's bytes; `-` is stdin. */
export async function readInput(file: string): Promise<Uint8Array> {
  try {
    return file === '-' || file === '/dev/stdin' ? await readStdin() : await readWhole(file);
  } catch (error) {
    throw inputFailure(readErrorText(file, error));
  }
}

async function readStdin(): Promise<Uint8Array> {
  const channel = currentChannel();
  if (channel !== undefined) return channel.input ?? new Uint8Array();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new LargeFileError(MOST_BYTES);
    chunks.push(piece);
  }
  return Buffer.concat(chunks);
}

/** The text of a file that is read as one; `-` is stdin. */
export async function readText(file: string): Promise<string> {
  const bytes = await readInput(file);
  if (bytes.length > MOST_TEXT_BYTES) {
    throw inputFailure(readErrorText(fileName(file), new LargeFileError(MOST_TEXT_BYTES)), 'input.too_large');
  }
  return new TextDecoder().decode(bytes);
}

/** A text of JavaScript holds no more. Unit: bytes. */
const MOST_TEXT_BYTES = 512 * 1024 * 1024 - 1024;

/** A transcript read into memory, and what was found while reading its file. */
export interface ReadTranscript {
  readonly transcript: ImportedTranscript;
  readonly format: string;
  readonly problems: readonly Problem[];
}

/** How a command is to read a file. */
export interface ReadingOptions {
  /** Of several: a key, or a number from 1. */
  readonly transcript?: string;
  /** File with a mapping; a format that would know the file does not read it then. */
  readonly mapping?: string;
}

/** Reads one transcript of a file: the one chosen, else the first, with a note if there are more. */
export async function readTranscript(file: string, options: ReadingOptions): Promise<ReadTranscript> {
  const { transcripts, ...read } = await readTranscripts(file, options);
  return { transcript: choose(fileName(file), transcripts, options.transcript), ...read };
}

/** All transcripts of a file, in its order. Errors as of {@link readTranscript}. */
export async function readTranscripts(
  file: string,
  options: Pick<ReadingOptions, 'mapping'>,
): Promise<Omit<ReadTranscript, 'transcript'> & { readonly transcripts: readonly ImportedTranscript[] }> {
  const by = options.mapping === undefined ? {} : await mappedReading(options.mapping);
  const imported = importText(await readInput(file), { unpack: unpackZlib, ...by });
  const { transcripts, problems, format } = imported;
  const name = fileName(file);
  if (transcripts.length === 0 || format === null) {
    const found = problems.find((problem) => problem.severity === 'error');
    const said = found === undefined ? 'it holds no transcript' : `${found.text}${commandHint(found, file)}`;
    throw inputFailure(`${name}: ${said}`, problems[0]?.code ?? 'import.not_recognised');
  }
  for (const problem of problems) {
    if (isMisread(problem.code)) note(`${name}: ${problem.text}${commandHint(problem, file)}`);
  }
  const broken = problems.filter((problem) => problem.severity === 'error').length;
  if (broken > 0)
    note(
      `${name}: ${broken === 1 ? 'a stretch' : `${broken} stretches`} could not be read; the first: ${placeOf(problems)}`,
    );
  for (const said of warningsOf(problems)) note(`${name}: ${said}`);
  return { transcripts, format, problems };
}

async function mappedReading(file: string): Promise<ImportTextOptions> {
  const format = genericFormat(await readMappingFile(file));
  return { registry: new FormatRegistry([format]), format: format.id };
}

// What was read is not all that the file says, or not as it says it, and no answer holds the rest. One of a kind is enough.
function warningsOf(problems: readonly Problem[]): readonly string[] {
  const kinds = Map.groupBy(
    problems.filter(({ code, severity }) => severity === 'warning' && !isMisread(code)),
    ({ code }) => code,
  );
  return [...kinds.values()].map((alike) => {
    const more = alike.length === 1 ? '' : ` (and ${grouped(alike.length - 1)} more like it)`;
    return `${alike[0]!.text}${more}`;
  });
}

function placeOf(problems: readonly Problem[]): string {
  const first = problems.find((problem) => problem.severity === 'error');
  const line = first?.where?.line === undefined ? '' : `line ${first.where.line}: `;
  return `${line}${first?.text ?? ''}`;
}

function choose(file: string, all: readonly ImportedTranscript[], choice: string | undefined): ImportedTranscript {
  // Where keys are numbers themselves, a number is a key first: positions beside them would say something else.
  const isNumbered = all.some(({ key }) => /^\d+$/.test(key));
  const listed = all
    .map((each, at) => (isNumbered ? each.key : `${at + 1} = ${each.key}`))
    .slice(0, 20)
    .join(', ');
  const number = Number(choice);
  const chosen =
    choice === undefined
      ? all[0]
      : (all.find((each) => each.key === choice) ?? (Number.isInteger(number) ? all[number - 1] : undefined));
  if (chosen === undefined) throw usageFailure(`${file} holds no transcript "${choice}"; it holds ${listed}`);
  if (choice === undefined && all.length > 1) {
    note(`${file} holds ${countOf(all.length, 'transcript')}; taking the first. Choose with --transcript: ${listed}`);
  }
  return chosen;
}

/** The model a transcript ran on last, as recorded. */
export const modelOf = importedModel;
