import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { unpackZlib } from '../../core/engine/unpackZlib.ts';
import { type ImportedTranscript, importText } from '../../core/importers/memory.ts';
import type { Problem } from '../../core/model/problem.ts';
import { inputFailure, usageFailure } from './failure.ts';
import { note } from './output.ts';

/** A file's bytes; `-` is stdin. */
export async function readInput(file: string): Promise<Uint8Array> {
  if (file === '-') return buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (error) {
    throw inputFailure(readErrorText(file, error));
  }
}

/** Why a file could not be read, for people. */
export function readErrorText(file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return `${file}: there is no such file`;
  if (code === 'EISDIR') return `${file}: this is a folder; name the files in it`;
  if (code === 'EACCES') return `${file}: you may not read this file`;
  return `${file}: ${error instanceof Error ? error.message : String(error)}`;
}

/** A transcript read into memory, and what was found while reading its file. */
export interface ReadTranscript {
  readonly transcript: ImportedTranscript;
  readonly format: string;
  readonly problems: readonly Problem[];
}

/** Reads one transcript of a file: the one chosen by key or number (from 1), else the first, with a note if there are more. */
export async function readTranscript(file: string, choice: string | undefined): Promise<ReadTranscript> {
  const imported = importText(await readInput(file), { unpack: unpackZlib });
  const { transcripts, problems, format } = imported;
  if (transcripts.length === 0 || format === null) {
    const said = problems.find((problem) => problem.severity === 'error')?.text ?? 'it holds no transcript';
    throw inputFailure(`${file}: ${said}`, problems[0]?.code ?? 'import.not_recognised');
  }
  const broken = problems.filter((problem) => problem.severity === 'error').length;
  if (broken > 0) note(`${file}: ${broken} stretches could not be read; the first: ${placeOf(problems)}`);
  return { transcript: choose(file, transcripts, choice), format, problems };
}

function placeOf(problems: readonly Problem[]): string {
  const first = problems.find((problem) => problem.severity === 'error');
  const line = first?.where?.line === undefined ? '' : `line ${first.where.line}: `;
  return `${line}${first?.text ?? ''}`;
}

function choose(file: string, all: readonly ImportedTranscript[], choice: string | undefined): ImportedTranscript {
  const listed = all
    .map((each, at) => `${at + 1} = ${each.key}`)
    .slice(0, 20)
    .join(', ');
  const number = Number(choice);
  const chosen =
    choice === undefined
      ? all[0]
      : (all.find((each) => each.key === choice) ?? (Number.isInteger(number) ? all[number - 1] : undefined));
  if (chosen === undefined) throw usageFailure(`${file} holds no transcript "${choice}"; it holds ${listed}`);
  if (choice === undefined && all.length > 1) {
    note(`${file} holds ${all.length} transcripts; taking the first. Choose with --transcript: ${listed}`);
  }
  return chosen;
}

/** The model a transcript ran on last, as recorded. */
export function modelOf(transcript: ImportedTranscript): string | undefined {
  return transcript.meta.models?.at(-1) ?? transcript.messages.findLast((message) => message.meta.model)?.meta.model;
}
