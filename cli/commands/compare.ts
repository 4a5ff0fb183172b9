import { figureSign } from '../../core/model/figureSign.ts';
// `parallax compare`: two policies on one transcript; or the recorded history (as_recorded) and a policy.

import { type Command, Option } from 'commander';
import type { RequestOptions, SessionRequests } from '../../core/engine/requests/index.ts';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { DifferenceFollower } from '../../core/insight/compare/along.ts';
import { compareRequests } from '../../core/insight/compare/requests.ts';
import type { DifferingMade, DifferingMessage } from '../../core/insight/compare/types.ts';
import { usersOf } from '../../core/insight/compare/usedLater.ts';
import { costMade } from '../../core/insight/costMade.ts';
import type { RequestSums } from '../../core/insight/requestSums.ts';
import { followCallPoints, type ReachedPoint } from '../../core/projection/allCallPoints.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { dollarsText } from '../../core/util/dollars.ts';
import { partialSum } from '../../core/view/costCover.ts';
import type { StageAnswer } from '../../core/view/types.ts';
import { countOf } from '../../core/view/words.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { callPointOf, type Projector, withProjector } from '../support/projecting.ts';
import { openRequests } from '../support/requests.ts';
import { FILE, MAPPING, NO_TOKENS, TRANSCRIPT } from '../support/sharedOptions.ts';
import { specNamed } from '../support/spec.ts';
import { type ThinkingOptions, withThinking, withThinkingOptions } from '../support/thinking.ts';

interface CompareOptions extends ThinkingOptions, RequestOptions {
  readonly a: string;
  readonly b: string;
  readonly at?: string;
  readonly all?: boolean;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly json?: boolean;
}

const HELP = `
A SPEC is the name of a policy or preset (as_recorded = the recorded history), JSON, or a file with it.

Exit codes: 0 the requests asked for are equal; 1 they differ; 2 wrong usage; 3 the file cannot be read.`;

/** `parallax compare`. */
export function addCompare(program: Command): void {
  withThinkingOptions(
    program
      .command('compare')
      .description('compare two policies on one transcript: which messages differ, and what the session comes to')
      .argument(...FILE)
      .requiredOption('--a <spec>', 'the first policy')
      .requiredOption('--b <spec>', 'the second policy')
      .option('--at <n>', 'compare the requests before message N (from 0); "last" = the next request (default)')
      .option('--all', 'compare the requests at all call points')
      .option(...TRANSCRIPT)
      .option(...MAPPING)
      .addOption(
        new Option('--cache-points <where>').choices(['auto', 'recorded', 'end', 'end1h', 'none']).default('auto'),
      )
      .option('--json', 'the whole result as one line of JSON')
      .option(...NO_TOKENS),
  )
    .addHelpText('after', HELP)
    .action(compareFile);
}

async function compareFile(file: string, options: CompareOptions): Promise<void> {
  if (options.at !== undefined && options.all) throw usageFailure('give --at or --all, not both');
  const [a, b] = [chosenSpec('--a', options.a, options), chosenSpec('--b', options.b, options)];
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const at = callPointOf(options.at, source.length);
  const requests = await openRequests(transcript, source, options);
  const found = await withProjector(async (projector) => {
    const along = await compareAlong(projector, requests, a, b);
    const here = options.all ? null : await compareAt(projector, requests, a, b, at);
    return { ...along, here };
  });
  const { here, follower } = found;
  const differs = here === null ? follower.firstDifferenceAt !== null : !here.equal;
  const compared: Compared = {
    at: options.all ? null : at,
    equal: !differs,
    firstDifferenceAt: follower.firstDifferenceAt,
    messages: here === null ? follower.messages : here.messages,
    made: here?.made ?? [],
    a: found.a,
    b: found.b,
    users: usersOf(requests.finder),
    sign: figureSign(requests.counting?.provenance ?? 'estimated'),
  };
  if (options.json) await writeJson(jsonOf(compared, a, b));
  else await write(textOf(compared, options));
  if (differs) process.exitCode = EXIT.finding;
}

interface ComparedSums extends RequestSums {
  /** Uses of something that the request did not hold. */
  readonly usesGone: number;
}

interface Compared {
  /** Null = at all call points. */
  readonly at: number | null;
  readonly equal: boolean;
  readonly firstDifferenceAt: number | null;
  readonly messages: readonly (DifferingMessage & { readonly at?: number })[];
  readonly made: readonly DifferingMade[];
  readonly a: ComparedSums;
  readonly b: ComparedSums;
  readonly users: ReadonlyMap<number, readonly number[]>;
  /** How tokens and cost are known. */
  readonly sign: string;
}

function chosenSpec(option: string, given: string, options: ThinkingOptions): ParsedSpec {
  const parsed = specNamed(option, given);
  return { ...parsed, spec: withThinking(parsed.spec, options) };
}

async function compareAt(projector: Projector, requests: SessionRequests, a: ParsedSpec, b: ParsedSpec, at: number) {
  const { source, memo } = requests;
  const of = async (parsed: ParsedSpec) =>
    projector.project(source, parsed.stages, at, memo, await requests.inputs(parsed));
  return compareRequests(source, await of(a), await of(b));
}

async function compareAlong(projector: Projector, requests: SessionRequests, a: ParsedSpec, b: ParsedSpec) {
  const { source } = requests;
  const follower = new DifferenceFollower(source);
  const [one, other] = [await walk(requests, a), await walk(requests, b)];
  for (;;) {
    const [inA, inB] = [await nextPoint(projector, one.run), await nextPoint(projector, other.run)];
    if (inA === null || inB === null) break;
    follower.take(inA, inB);
    for (const [side, point] of [
      [one, inA],
      [other, inB],
    ] as const) {
      side.take(point);
      side.uses.take(point);
    }
  }
  const sums = ({ summer, uses }: typeof one): ComparedSums => ({ ...summer.sums, usesGone: uses.gone });
  return { follower, a: sums(one), b: sums(other) };
}

async function walk(requests: SessionRequests, parsed: ParsedSpec) {
  const { source, points } = requests;
  const options = await requests.inputs(parsed);
  const run = followCallPoints({ source, stages: parsed.stages, points, options }, (point) => point);
  return { run, uses: requests.countedUses(), ...requests.summer(await requests.limits(parsed)) };
}

// What it gives is as it is until the next is asked for.
async function nextPoint(
  projector: Projector,
  run: ReturnType<typeof followCallPoints<ReachedPoint>>,
): Promise<ReachedPoint | null> {
  let answer: StageAnswer | null = null;
  for (let step = run.next(answer); step.done !== true; step = run.next(answer)) {
    if (step.value.kind === 'point') return step.value.figures;
    answer = step.value.kind === 'effect' ? await projector.answer(step.value.effect) : null;
  }
  return null;
}

function jsonOf(compared: Compared, a: ParsedSpec, b: ParsedSpec) {
  const { at, equal, firstDifferenceAt, messages, made, users } = compared;
  return {
    at: at ?? 'all',
    equal,
    firstDifferenceAt,
    messages: messages.map(({ a: inA, b: inB, ...message }) => ({
      ...message,
      a: inA.fate,
      b: inB.fate,
      usedLater: users.get(message.index) ?? [],
      why: { a: inA, b: inB },
    })),
    made,
    a: { spec: a.spec, ...compared.a },
    b: { spec: b.spec, ...compared.b },
  };
}

const LISTED = 40;

function textOf(compared: Compared, { a, b }: CompareOptions): string {
  const { at, equal, firstDifferenceAt, messages } = compared;
  const where = at === null ? 'At all call points' : `Before #${at}`;
  const verdict = equal
    ? 'the requests are equal'
    : `${countOf(messages.length, 'message')} ${messages.length === 1 ? 'differs' : 'differ'}`;
  const first =
    firstDifferenceAt === null ? 'no request differs' : `the first request that differs is #${firstDifferenceAt}`;
  const rows = messages
    .slice(0, LISTED)
    .map((each) => [
      `#${each.index}`,
      WORDS[each.differs],
      fateCell(each.a),
      fateCell(each.b),
      usedCell(compared, each.index),
    ]);
  const more = messages.length - rows.length;
  return [
    `${where}: ${verdict}; along the session ${first}.\n\n`,
    table([['', oneLine(a, 40), oneLine(b, 40)], ...sumRows(compared)], [1, 2]),
    rows.length === 0 ? '' : `\n${table([['message', 'differs', 'A', 'B', 'used later by'], ...rows])}`,
    more > 0 ? `and ${grouped(more)} more (--json lists all)\n` : '',
  ].join('');
}

const USERS_LISTED = 3;

function usedCell({ users }: Compared, index: number): string {
  const all = users.get(index) ?? [];
  const listed = all.slice(0, USERS_LISTED).map((at) => `#${at}`);
  return [...listed, ...(all.length > listed.length ? [`${all.length - listed.length} more`] : [])].join(', ');
}

const WORDS: Readonly<Record<DifferingMessage['differs'], string>> = {
  only_a: 'only in A',
  only_b: 'only in B',
  text: 'other text',
  fate: 'in neither',
};

function fateCell({ fate, rule }: DifferingMessage['a']): string {
  return rule === null ? fate : `${fate} (${rule})`;
}

/** Of the requests that were made, as the app says it. */
function costText({ cost, unpriced }: ReturnType<typeof costMade>, sign: string): string {
  return cost === null ? '–' : partialSum(`${sign}${dollarsText(cost)}`, unpriced);
}

function sumRows({ a, b, sign }: Compared): readonly (readonly string[])[] {
  const count = (tokens: number) => `${sign}${grouped(Math.round(tokens))}`;
  const row = (title: string, of: (sums: ComparedSums) => string) => [title, of(a), of(b)];
  return [
    row('message tokens, mean', ({ tokens }) => count(tokens.mean)),
    row('message tokens, 95%', ({ tokens }) => count(tokens.p95)),
    row('message tokens, peak', ({ tokens }) => count(tokens.peak)),
    row('input cost', (sums) => costText(costMade(sums), sign)),
    row('cache breaks', ({ cacheBreaks }) => grouped(cacheBreaks)),
    row('uses gone', ({ usesGone }) => grouped(usesGone)),
    row('over the window', ({ over }) => grouped(over)),
    row('refused', ({ refused }) => grouped(refused)),
  ];
}
