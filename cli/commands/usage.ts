import type { Command } from 'commander';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import type { RecordedOverhead, RequestFigure, UsageFit } from '../../core/insight/usage/types.ts';
import type { Problem } from '../../core/model/problem.ts';
import { countOf } from '../../core/util/counts.ts';
import { dollarsText } from '../../core/util/dollars.ts';
import { coverWords } from '../../core/view/costCover.ts';
import { EXIT } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { reportReplayed } from '../support/lineage.ts';
import { grouped, table, write, writeJson } from '../support/output.ts';
import { FILE, MAPPING, TRANSCRIPT } from '../support/sharedOptions.ts';
import { usageReport } from '../support/usage.ts';

interface UsageOptions {
  readonly transcript?: string;
  readonly mapping?: string;
  readonly requests?: boolean;
  readonly json?: boolean;
}

const HELP = `
Held against each other: the tokens that the transcript records of each request, and the history as the runtime kept it
(recorded compactions applied), counted here. What is concluded and not recorded says "probably".

Exit codes: 0 nothing unusual; 1 a warning, such as an input that fell without a recorded reason; 2 wrong usage;
3 the file cannot be read.`;

/** `parallax usage`. */
export function addUsage(program: Command): void {
  program
    .command('usage')
    .description('recorded token usage against what the transcript holds: unexplained falls, cache misses, drift')
    .argument(...FILE)
    .option(...TRANSCRIPT)
    .option(...MAPPING)
    .option('--requests', 'list every request')
    .option('--json', 'the whole report as one line of JSON')
    .addHelpText('after', HELP)
    .action(usageOfFile);
}

async function usageOfFile(file: string, options: UsageOptions): Promise<void> {
  const { transcript } = await readTranscript(file, options);
  await reportReplayed(file, transcript, MemoryTranscript.of(transcript));
  const { report, overhead, cost, isCalibrated } = await usageReport(transcript);
  if (options.json) await writeJson({ ...report, overhead, cost });
  else await write(reportText({ report, overhead, cost, isCalibrated }, options.requests === true));
  if (report.problems.some(({ severity }) => severity !== 'info')) process.exitCode = EXIT.finding;
}

function reportText(
  { report, overhead, cost, isCalibrated }: Awaited<ReturnType<typeof usageReport>>,
  withRequests: boolean,
): string {
  const { requests, fits, problems } = report;
  if (requests.length === 0) return 'No request of this transcript records its tokens.\n';
  const sections = [
    `${countOf(requests.length, 'request')} with recorded tokens.\n`,
    ...(cost === null ? [] : [`cost as recorded, ${coverWords(cost)}: ${dollarsText(cost.total)}\n`]),
    ...fits.map(fitLine),
    ...(overhead === null ? [] : [overheadLine(overhead, isCalibrated)]),
    ...problems.map(problemLine),
    ...(problems.length === 0 ? ['Nothing unusual.\n'] : []),
    ...(withRequests ? [requestTable(requests)] : []),
  ];
  return sections.join('');
}

function fitLine({ model, requests, factor, base, residual }: UsageFit): string {
  const of = model === null ? '' : `${model}: `;
  const off = `typically ${(residual * 100).toFixed(1)}% off over ${grouped(requests)} requests`;
  return `${of}input ≈ ${grouped(Math.max(0, Math.round(base)))} + ${factor.toFixed(2)} × counted tokens, ${off}\n`;
}

function overheadLine({ tokens, spread }: RecordedOverhead, isCounted: boolean): string {
  const counted = isCounted
    ? 'counted unless budget.overhead of a spec says another number'
    : 'too few or too scattered requests to count it by themselves: give it as budget.overhead of a spec';
  return `not recorded (system prompt, tools): probably ${grouped(tokens)} ± ${grouped(spread)} tokens; ${counted}\n`;
}

function problemLine({ severity, code, text }: Problem): string {
  return `${severity}  ${code}  ${text}\n`;
}

function requestTable(requests: readonly RequestFigure[]): string {
  const cell = (value: number | null): string => (value === null ? '-' : grouped(value));
  const head = ['request', 'input', 'expected', 'history', 'cache read', 'cache write', 'output', 'answer'];
  const rows = requests.map((request) => [
    `#${request.at}`,
    ...[request.input, request.expected, request.history].map(cell),
    ...[request.cacheRead, request.cacheWrite, request.output, request.answer].map(cell),
  ]);
  return `\n${table([head, ...rows], [1, 2, 3, 4, 5, 6, 7])}`;
}
