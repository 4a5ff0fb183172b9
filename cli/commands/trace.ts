import type { Command } from 'commander';
import { followPoints, type PointsToFollow, stageInputs } from '../../core/engine/requests/index.ts';
import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import { StateFollower } from '../../core/insight/followed.ts';
import type { Subject } from '../../core/insight/subject.ts';
import { firstLost, NOT_YET, traceOf, traceSteps } from '../../core/insight/trace.ts';
import type { Trace, TraceLoss, TracePoint } from '../../core/insight/types.ts';
import { observe } from '../../core/insight/visibility.ts';
import { parseMessage } from '../../core/model/decode.ts';
import { partText } from '../../core/model/partText.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints, turnStarts } from '../../core/model/turns.ts';
import { naiveStages, type ReachedPoint } from '../../core/projection/allCallPoints.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { createMemo } from '../../core/view/memo.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { aboutOf } from '../support/inputs.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { callPointOf, noSuchMessage, type Projector, withProjector } from '../support/projecting.ts';
import { FILE, MAPPING, POLICY, SPEC, TRANSCRIPT } from '../support/sharedOptions.ts';
import { type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';
import { traceText } from './traceText.ts';

interface TraceOptions extends SpecOptions {
  readonly text?: string;
  readonly message?: string;
  readonly at?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly case?: boolean;
  readonly word?: boolean;
  readonly json?: boolean;
}

interface Place {
  readonly index: number;
  readonly part: number | null;
  readonly context: string;
}

const SAMPLES = 200;

/** `parallax trace`. */
export function addTrace(program: Command): void {
  withThinkingOptions(
    program
      .command('trace')
      .description('whether a text or message is in the request: where, since when not, by what, and what replaced it')
      .argument(...FILE)
      .option('--text <text>', 'a text, as a person reads it: runs of white space match each other')
      .option('--case', 'with --text: upper and lower case differ')
      .option('--word', 'with --text: whole words only')
      .option('--message <n>', 'the message with this number (from 0)')
      .option(...POLICY)
      .option(...SPEC)
      .option('--at <n>', 'what "now" is: before message N (from 0); "last" = the next request', 'last')
      .option(...TRANSCRIPT)
      .option(...MAPPING)
      .option('--json', 'the trace as one line of JSON')
      .addHelpText(
        'after',
        '\nExit codes: 0 it is in the request now, a text word for word; 1 it is not; 2 wrong usage; 3 unreadable.',
      ),
  ).action(traceFile);
}

async function traceFile(file: string, options: TraceOptions): Promise<void> {
  const { text, message, json = false } = options;
  if ((text === undefined) === (message === undefined)) throw usageFailure('give one of --text and --message');
  const chosen = specOf(options);
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = specNotingWarnings(chosen, options, source);
  const now = callPointOf(options.at, source.length);
  if (text !== undefined) {
    const switches = { matchCase: options.case === true, wholeWord: options.word === true };
    await traceText({ text, ...switches, transcript, source, parsed, now }, json);
    return;
  }
  if (options.case !== undefined || options.word !== undefined) throw usageFailure('--case and --word go with --text');
  const place = placeOf(source, file, message ?? '');
  const trace = await traceMessage(place, { transcript, source, parsed, now });
  if (json) await writeJson({ ...trace, spec: parsed.spec, context: place.context });
  else await write(traceLines(trace, place));
  if (trace.now.state !== 'visible') process.exitCode = EXIT.finding;
}

interface Traced {
  readonly transcript: ImportedTranscript;
  readonly source: TranscriptSource;
  readonly parsed: ParsedSpec;
  readonly now: number;
}

function traceMessage(place: Place, { transcript, source, parsed, now }: Traced): Promise<Trace> {
  const subject = { index: place.index, part: place.part };
  const input = { subject, callPoints: callPoints(source), turnStarts: turnStarts(source), now, samples: SAMPLES };
  return withProjector(async (projector) => {
    const memo = createMemo();
    const inputs = await stageInputs(source, parsed, aboutOf(transcript));
    const project = (at: number) => projector.project(source, parsed.stages, at, memo, inputs);
    const observeAt = async (at: number) => observe(source, await project(at), subject);
    if (naiveStages(parsed.stages).length === 0) {
      const states = await followStates(projector, { source, parsed, options: { ...inputs, memo } }, subject);
      const lostAt = firstLost(states);
      const firstLoss = lostAt === null ? null : await observeAt(lostAt);
      return traceOf(input, { states, firstLoss, now: now > subject.index ? await observeAt(now) : NOT_YET });
    }
    const run = traceSteps(input);
    let step = run.next();
    while (step.done !== true) step = run.next(await observeAt(step.value));
    return step.value;
  });
}

/** At every call point behind the subject. */
async function followStates(
  projector: Projector,
  followed: Omit<PointsToFollow, 'points'>,
  subject: Subject,
): Promise<ReadonlyMap<number, TracePoint['state']>> {
  const { source } = followed;
  const follower = new StateFollower(source, subject);
  const points = callPoints(source).filter((at) => at > subject.index);
  const take = (point: ReachedPoint) => [point.at, follower.at(point)] as const;
  return new Map(await followPoints(projector, { ...followed, points }, take));
}

function placeOf(source: TranscriptSource, file: string, given: string): Place {
  const index = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (index < source.length) return { index, part: null, context: readable(source, index).join(' ') };
  throw noSuchMessage(given, source.length, file);
}

function readable(source: TranscriptSource, index: number): string[] {
  const message = parseMessage(source.text(index));
  return source.facts(index).parts.map((part) => `${part.name ?? ''} ${partText(message, part)}`.trim());
}

function traceLines(trace: Trace, place: Place): string {
  const part = trace.part === null ? '' : `, part ${trace.part}`;
  const rows = [
    ['message', `#${trace.index}${part}: ${oneLine(place.context)}`],
    ['now', nowText(trace)],
    ['lost', trace.firstLoss === null ? 'never' : lossText(trace.firstLoss)],
  ];
  const shown = trace.firstLoss?.replacedBy;
  if (shown) rows.push(['instead', oneLine(shown, 300)]);
  if (trace.returns.length > 0) rows.push(['returns', trace.returns.map((at) => `before message ${at}`).join(', ')]);
  const seen = trace.points.filter((point) => point.state === 'visible').length;
  const points = trace.points.filter((point) => point.state !== 'not_yet').length;
  const sampled = trace.sampled ? ' (samples; the first loss is exact)' : '';
  rows.push(['stands', `in ${grouped(seen)} of ${grouped(points)} requests since it was said${sampled}`]);
  return table(rows);
}

function nowText({ now }: Trace): string {
  const words = {
    visible: 'in the request, word for word',
    changed: 'in the request, changed',
    absent: 'not in the request',
    not_yet: 'not said yet',
  };
  return now.loss === null ? words[now.state] : `${words[now.state]}: ${oneLine(now.loss.reason)}`;
}

function lossText(loss: TraceLoss): string {
  const by = loss.stageTitle === null ? '' : ` by ${loss.stageTitle}`;
  const rule = loss.rule === null ? '' : ` (${loss.rule})`;
  return `before message ${loss.at}, turn ${loss.turn}: ${loss.fate}${by}${rule}: ${oneLine(loss.reason)}`;
}
