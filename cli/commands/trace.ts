import type { Command } from 'commander';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { StateFollower } from '../../core/insight/followed.ts';
import { firstLost, NOT_YET, traceOf, traceSteps } from '../../core/insight/trace.ts';
import type { Trace, TraceLoss, TracePoint } from '../../core/insight/types.ts';
import type { Subject } from '../../core/insight/visibility.ts';
import { partText } from '../../core/model/partText.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints, turnStarts } from '../../core/model/turns.ts';
import { followCallPoints, naiveStages } from '../../core/projection/allCallPoints.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import type { ProjectOptions } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { aboutOf, stageInputs } from '../support/inputs.ts';
import { observeIn, seen } from '../support/observe.ts';
import { grouped, note, oneLine, table, write, writeLine } from '../support/output.ts';
import { callPointOf, noSuchMessage, withProjector } from '../support/projecting.ts';
import { fileName } from '../support/readError.ts';
import { type SpecOptions, specOf, specToldFor } from '../support/spec.ts';

interface TraceOptions extends SpecOptions {
  readonly text?: string;
  readonly message?: string;
  readonly at?: string;
  readonly transcript?: string;
  readonly mapping?: string;
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
  program
    .command('trace')
    .description('why a message or text is not visible to the model: when it was lost, by what, and what stands there')
    .argument('<FILE>', 'a transcript of any known format; - = stdin')
    .option('--text <text>', 'the first place this text stands at')
    .option('--message <n>', 'the message with this number (from 0)')
    .option('--policy <name>', 'a policy or preset by name')
    .option('--spec <file-or-json>', 'a spec, or a bare Harn option: a name, JSON, or a file with it')
    .option('--at <n>', 'what "now" is: before message N (from 0); "last" = the next request', 'last')
    .option('--transcript <key-or-n>', 'which transcript of a file that holds several')
    .option('--mapping <file>', 'read FILE by this mapping of its fields')
    .option('--json', 'the trace as one line of JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 visible now; 1 not visible now, or the text stands nowhere; 2 wrong usage; 3 unreadable.',
    )
    .action(traceFile);
}

async function traceFile(file: string, options: TraceOptions): Promise<void> {
  const chosen = specOf(options);
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = specToldFor(chosen, options, source);
  const now = callPointOf(options.at, source.length);
  const place = placeOf(source, file, options);
  if (place === null) {
    note(`the text ${JSON.stringify(options.text)} stands nowhere in ${fileName(file)}`);
    process.exitCode = EXIT.finding;
    return;
  }
  const subject = { index: place.index, part: place.part };
  const input = { subject, callPoints: callPoints(source), turnStarts: turnStarts(source), now, samples: SAMPLES };
  const trace = await withProjector(async (projector) => {
    const memo = createMemo();
    const inputs = await stageInputs(source, parsed, aboutOf(transcript));
    const project = (at: number) => projector.project(source, parsed.stages, at, memo, inputs);
    const observeAt = async (at: number) => observeIn(source, await project(at), subject);
    if (naiveStages(parsed.stages).length === 0) {
      const states = followStates(source, parsed, subject, { ...inputs, memo });
      const lostAt = firstLost(states);
      const firstLoss = lostAt === null ? null : await observeAt(lostAt);
      return traceOf(input, { states, firstLoss, now: now > subject.index ? await observeAt(now) : NOT_YET });
    }
    const run = traceSteps(input);
    let step = run.next();
    while (step.done !== true) step = run.next(await observeAt(step.value));
    return step.value;
  });
  if (options.json) await writeLine(JSON.stringify({ ...trace, spec: parsed.spec, context: place.context }));
  else await write(traceText(trace, place));
  if (trace.now.state !== 'visible') process.exitCode = EXIT.finding;
}

/** At every call point behind the subject. */
function followStates(
  source: TranscriptSource,
  { stages }: ParsedSpec,
  subject: Subject,
  options: ProjectOptions,
): ReadonlyMap<number, TracePoint['state']> {
  const follower = new StateFollower(subject, (item, fate) => seen(source, fate, item));
  const points = callPoints(source).filter((at) => at > subject.index);
  const states = new Map<number, TracePoint['state']>();
  const input = { source, stages, points, options: { ...options, sha256: nodeSha256 } };
  const run = followCallPoints(input, (point) => [point.at, follower.at(point)] as const);
  // Stages that follow ask their host for nothing.
  for (let step = run.next(null); step.done !== true; step = run.next(null)) {
    if (step.value.kind === 'point') states.set(...step.value.figures);
  }
  return states;
}

function placeOf(source: TranscriptSource, file: string, options: TraceOptions): Place | null {
  if ((options.text === undefined) === (options.message === undefined)) {
    throw usageFailure('give one of --text and --message');
  }
  if (options.text !== undefined) return findText(source, options.text);
  const index = /^\d+$/.test(options.message ?? '') ? Number(options.message) : Number.NaN;
  if (index < source.length) return { index, part: null, context: readable(source, index).join(' ') };
  throw noSuchMessage(options.message ?? '', source.length, file);
}

function readable(source: TranscriptSource, index: number): string[] {
  const message: unknown = JSON.parse(source.text(index));
  return source.facts(index).parts.map((part) => `${part.name ?? ''} ${partText(message, part)}`.trim());
}

function findText(source: TranscriptSource, text: string): Place | null {
  const needle = text.toLowerCase();
  let first: Place | null = null;
  let others = 0;
  for (let index = 0; index < source.length; index++) {
    for (const [part, own] of readable(source, index).entries()) {
      const at = own.toLowerCase().indexOf(needle);
      if (at < 0) continue;
      if (first === null) first = { index, part, context: own.slice(Math.max(0, at - 60), at + needle.length + 60) };
      else others++;
    }
  }
  if (others > 0) note(`the text stands in ${others} more places; tracing the first (--message N chooses another)`);
  return first;
}

function traceText(trace: Trace, place: Place): string {
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
  rows.push(['seen', `in ${grouped(seen)} of ${grouped(points)} requests${sampled}`]);
  return table(rows);
}

function nowText({ now }: Trace): string {
  const words = { visible: 'visible', changed: 'changed', absent: 'not visible', not_yet: 'not there yet' };
  return now.loss === null ? words[now.state] : `${words[now.state]}: ${oneLine(now.loss.reason)}`;
}

function lossText(loss: TraceLoss): string {
  const by = loss.stageTitle === null ? '' : ` by ${loss.stageTitle}`;
  const rule = loss.rule === null ? '' : ` (${loss.rule})`;
  return `before message ${loss.at}, turn ${loss.turn}: ${loss.fate}${by}${rule}: ${oneLine(loss.reason)}`;
}
