// One request a line, one answer a line, in order: so that xargs, a pipe of Spark, or a shell loop can run projections
// over a fleet. One request is in memory at a time; a slow reader slows the reading.
import type { Readable } from 'node:stream';
import { openRegular } from '../../core/engine/files/regularFile.ts';
import type { Problem } from '../../core/model/problem.ts';
import { rawSlice } from '../../core/report/rawSlice.ts';
import { elements, locate, members, parseJsonText, RawJson, stringifyWithRaw } from '../../core/util/json/index.ts';
import { CliFailure, inputFailure, usageFailure } from './failure.ts';
import { type Line, linesIn, MOST_LINE_BYTES } from './lines.ts';
import { writeJsonText } from './output.ts';
import { callPointOf, type Projector, withProjector } from './projecting.ts';
import { readErrorText } from './readError.ts';
import { type ProjectRequest, projectRequest, resultValue } from './result.ts';
import { parsedOrFail, type SpecOptions, specOf } from './spec.ts';

interface NdjsonOptions extends SpecOptions {
  readonly tokens: boolean;
  readonly mapping?: string;
}

/** Answers every line of a file (or stdin). A line's failure is its answer; the next line continues. */
export async function ndjson(file: string, options: NdjsonOptions): Promise<void> {
  if (options.mapping !== undefined) throw usageFailure('--mapping reads a transcript; --ndjson takes requests');
  specOf(options); // a wrong default is a wrong command line, not a failure of each line
  await withProjector(async (projector) => {
    let number = 0;
    for await (const line of linesOf(file)) {
      number++;
      if (!('text' in line) || line.text.trim() !== '')
        await writeJsonText(`${await answerLine(line, number, options, projector)}\n`);
    }
  });
}

async function openLines(file: string): Promise<Readable> {
  if (file === '-') return process.stdin;
  try {
    return (await openRegular(file)).createReadStream();
  } catch (error) {
    throw inputFailure(readErrorText(file, error));
  }
}

async function* linesOf(file: string): AsyncGenerator<Line> {
  const input = await openLines(file);
  try {
    yield* linesIn(input);
  } catch (error) {
    if (!isOfTheDisk(error)) throw error;
    throw inputFailure(readErrorText(file, error));
  }
}

function isOfTheDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

const FAULTS: Readonly<Record<Extract<Line, { fault: string }>['fault'], readonly [code: string, text: string]>> = {
  too_long: [
    'request.too_long',
    `it has more than ${MOST_LINE_BYTES / 1024 ** 2} MiB, the most of a line that is read`,
  ],
  not_utf8: ['request.not_utf8', 'it is not UTF-8'],
};

function textOf(line: Line, number: number): string {
  if ('text' in line) return line.text;
  const [code, text] = FAULTS[line.fault];
  throw usageFailure(`line ${number}: ${text}`, code);
}

async function answerLine(line: Line, number: number, options: NdjsonOptions, projector: Projector): Promise<string> {
  let id: RawJson | null = null;
  try {
    const fields = fieldsOf(textOf(line, number), number);
    id = new RawJson(fields.get('id') ?? 'null');
    const request = requestOf(fields, number, options);
    const outcome = await projectRequest(projector, request);
    // A stage that failed left the view as it was: to a fleet that must not look like a result.
    const failed = outcome.problems.find((problem) => problem.severity === 'error');
    if (failed !== undefined) return stringifyWithRaw({ id, error: { code: failed.code, message: placed(failed) } });
    return stringifyWithRaw({ id, result: resultValue(request, outcome) });
  } catch (error) {
    const code = error instanceof CliFailure ? error.code : 'engine.bug';
    const message = error instanceof Error ? error.message : String(error);
    return stringifyWithRaw({ id, error: { code, message } });
  }
}

function placed(problem: Problem): string {
  const { line, column } = problem.where ?? {};
  if (line === undefined) return problem.text;
  return `line ${line}${column === undefined ? '' : `, column ${column}`}: ${problem.text}`;
}

type Fields = ReadonlyMap<string, string>;

function fieldsOf(line: string, number: number): Fields {
  const json = parseJsonText(line);
  if (!json.ok) throw usageFailure(`line ${number}: ${json.error.message}`, 'request.not_json');
  const start = line.search(/\S/);
  if (line[start] !== '{') throw invalid(number, 'a request is an object');
  return new Map(members(line, start).map((member) => [member.key, line.slice(member.valueStart, member.valueEnd)]));
}

function requestOf(fields: Fields, number: number, options: NdjsonOptions): ProjectRequest {
  const { messages, summary } = transcriptOf(fields, number);
  const source = rawSlice(messages, summary);
  const spec = fields.get('spec');
  const parsed = spec === undefined ? specOf(options) : parsedOrFail(JSON.parse(spec));
  const at = fields.get('at');
  const model: unknown = JSON.parse(fields.get('model') ?? 'null');
  return {
    source,
    parsed,
    at: callPointOf(at === undefined || at === 'null' ? undefined : at.replaceAll('"', ''), source.length),
    about: {
      model: typeof model === 'string' ? model : undefined,
      beside: { systemJson: fields.get('system'), toolsJson: fields.get('tools') },
    },
    tokens: options.tokens,
  };
}

interface GivenTranscript {
  readonly messages: readonly string[];
  readonly summary: string | null;
}

function transcriptOf(fields: Fields, number: number): GivenTranscript {
  const messages = fields.get('messages');
  if (messages !== undefined) return { messages: messageTexts(messages, number), summary: null };
  const transcript = fields.get('transcript');
  if (transcript === undefined) throw invalid(number, 'it has neither "messages" nor "transcript"');
  if (transcript[0] === '[') return { messages: messageTexts(transcript, number), summary: null };
  const list = locate(transcript, ['messages']);
  if (list === null) throw invalid(number, 'its transcript has no "messages"');
  const summary = locate(transcript, ['summary']);
  const text: unknown = summary === null ? null : JSON.parse(transcript.slice(summary.start, summary.end));
  return {
    messages: messageTexts(transcript.slice(list.start, list.end), number),
    summary: typeof text === 'string' ? text : null,
  };
}

function messageTexts(list: string, number: number): readonly string[] {
  if (list[0] !== '[') throw invalid(number, 'its messages are not a list');
  const texts = elements(list, 0).map(({ start, end }) => list.slice(start, end));
  const odd = texts.findIndex((text) => text[0] !== '{');
  if (odd >= 0) throw invalid(number, `its message ${odd} is not an object`);
  return texts;
}

function invalid(number: number, what: string): CliFailure {
  return usageFailure(`line ${number}: ${what}`, 'request.invalid');
}
