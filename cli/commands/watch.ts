// `parallax watch`: texts along the session, each with the requests that held it and where it was lost. Of a file those given
// here; of a transcript of the library those that a person watches there, which are added and removed here too.

import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { isSaid, type TextState } from '../../core/insight/text/types.ts';
import type { WatchedQuery, WatchedRun, WatchedText } from '../../core/insight/watch/types.ts';
import { countOf, grouped } from '../../core/util/counts.ts';
import { EXIT, inputFailure, usageFailure } from '../support/failure.ts';
import { note, oneLine, table, write, writeJson } from '../support/output.ts';
import { LIBRARY, MAPPING, POLICY, SPEC, TRANSCRIPT } from '../support/sharedOptions.ts';
import { type SpecOptions, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';
import { watchFile, watchLibrary } from '../support/watching.ts';

export interface WatchOptions extends SpecOptions {
  readonly text: readonly string[];
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly name?: string;
  readonly case?: boolean;
  readonly word?: boolean;
  readonly at?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly library?: string;
  readonly json?: boolean;
}

/** A watched text and what became of it. `id` null = it is kept nowhere. */
export interface WatchedAnswer extends WatchedQuery {
  readonly id: string | null;
  readonly name: string | null;
  readonly watched: WatchedText;
}

/** All of them, under a spec, seen from a call point. */
export interface WatchAnswer {
  readonly spec: unknown;
  readonly at: number;
  readonly sampled: boolean;
  readonly texts: readonly WatchedAnswer[];
}

const HELP = `
Of a FILE the texts given with --text are followed. Of a transcript of the library (its ID, as ls names it) those that are
watched in it, as the app shows them; --add watches another, --remove takes one away by its text, name or id.

Exit codes: 0 every text is in the request at --at, word for word; 1 one is not; 2 wrong usage; 3 unreadable.`;

const collect = (text: string, all: readonly string[]) => [...all, text];

/** `parallax watch`. */
export function addWatch(program: Command): void {
  withThinkingOptions(
    program
      .command('watch')
      .description('texts along the session: which requests held each, and where, by which stage and rule it was lost')
      .argument('<FILE-or-ID>', 'a file of any known format (- = stdin), or a transcript of the library')
      .option('--text <text>', 'of a file: a text to follow (repeatable)', collect, [])
      .option('--add <text>', 'of the library: a text to watch from now on (repeatable)', collect, [])
      .option('--remove <text>', 'of the library: a text, its name or its id, not to be watched any more', collect, [])
      .option('--name <name>', 'what the text of --add is called')
      .option('--case', 'with --text and --add: upper and lower case differ')
      .option('--word', 'with --text and --add: whole words only')
      .option(...POLICY)
      .option(...SPEC)
      .option('--at <n>', 'what "now" is: before message N (from 0); "last" = the next request', 'last')
      .option(...TRANSCRIPT)
      .option(...MAPPING)
      .option(...LIBRARY)
      .option('--json', 'a line of JSON for each text'),
  )
    .addHelpText('after', HELP)
    .action(watch);
}

async function watch(from: string, options: WatchOptions): Promise<void> {
  const isFile = from === '-' || existsSync(from);
  checkOptions(isFile, options);
  const chosen = specOf(options);
  const answer = isFile ? await watchFile(from, chosen, options) : await watchLibrary(from, chosen, options);
  if (options.json) for (const text of answer.texts) await writeJson(jsonOf(text, answer));
  else await write(textOf(answer));
  if (answer.texts.some((text) => !isSaid(stateNow(text, answer)))) process.exitCode = EXIT.finding;
}

function checkOptions(isFile: boolean, { text, add, remove, name, transcript, mapping, library }: WatchOptions): void {
  if (isFile) {
    if (library !== undefined) throw usageFailure('--library goes with a transcript of the library; this is a file');
    if (add.length + remove.length > 0) throw usageFailure('--add and --remove need a transcript of the library');
    if (text.length === 0) throw usageFailure('give --text, once or more');
    if (text.some((one) => one.trim() === '')) throw usageFailure('--text is empty');
    return;
  }
  if (text.length > 0) throw usageFailure('--text follows a text in a file; --add watches one in the library');
  if (name !== undefined && add.length !== 1) throw usageFailure('--name goes with one --add');
  if (transcript !== undefined || mapping !== undefined) throw inputFailure('there is no such file', 'input.missing');
}

function runAt({ watched }: WatchedAnswer, at: number): WatchedRun | null {
  return watched.runs.findLast((run) => run.at <= at) ?? null;
}

function stateNow(text: WatchedAnswer, { at }: WatchAnswer): TextState {
  return runAt(text, at)?.state ?? 'not_yet';
}

function jsonOf({ watched, ...text }: WatchedAnswer, answer: WatchAnswer) {
  const { runs, totalRuns, counts, first, firstLoss } = watched;
  const { spec, at, sampled } = answer;
  const run = runAt({ watched, ...text }, at);
  const now = { at, state: run?.state ?? 'not_yet', since: run?.at ?? null };
  return { ...text, now, firstLoss, counts, first, runs, totalRuns, sampled, spec };
}

function textOf(answer: WatchAnswer): string {
  const { texts, sampled } = answer;
  if (texts.length === 0) return 'No text is watched.\n';
  if (sampled) note('states are those of samples of the requests');
  return texts.map((text, at) => `${at > 0 ? '\n' : ''}${linesOf(text, answer)}`).join('');
}

const RUNS_LISTED = 12;

function linesOf(text: WatchedAnswer, answer: WatchAnswer): string {
  const { name, watched } = text;
  const { runs, totalRuns, firstLoss, counts } = watched;
  const said = counts.original + counts.elsewhere;
  const all = said + counts.partly + counts.gone;
  const rows = [
    ['text', oneLine(name === null ? text.text : `${name}: ${text.text}`, 200)],
    ['now', nowText(text, answer)],
    ['held', `in ${grouped(said)} of ${countOf(all, 'request')} since it was said`],
    ['states', runs.slice(0, RUNS_LISTED).map(runText).join(', ') + (totalRuns > RUNS_LISTED ? ', …' : '')],
  ];
  if (firstLoss !== null) rows.push(['lost', lossText(firstLoss)]);
  return table(rows);
}

function nowText(text: WatchedAnswer, { at }: WatchAnswer): string {
  const run = runAt(text, at);
  if (run === null || run.state === 'not_yet')
    return text.watched.first === null ? 'no message says it' : 'not said yet';
  return `${WORDS[run.state]} since #${run.at}`;
}

const WORDS: Readonly<Record<TextState, string>> = {
  not_yet: 'not said yet',
  original: 'in the request where it was first said,',
  elsewhere: 'in the request, elsewhere,',
  partly: 'only partly in the request',
  gone: 'gone',
};

function runText({ state, at, last }: WatchedRun): string {
  const word = state === 'not_yet' ? 'not yet' : state;
  return at === last ? `${word} #${at}` : `${word} #${at}–#${last}`;
}

function lossText({ at, turn, fate, stage, stageTitle, rule, reason }: NonNullable<WatchedText['firstLoss']>): string {
  const by = stage === null ? '' : ` by stage ${stage + 1}${stageTitle === null ? '' : `, ${stageTitle}`}`;
  const named = rule === null ? '' : ` (${rule})`;
  return `before message ${at}, turn ${turn}: ${fate}${by}${named}: ${oneLine(reason, 300)}`;
}
