// `parallax autopsy`: what each compaction of a session lost, and what came behind it.
import type { Command } from 'commander';
import type { SessionRequests } from '../../core/engine/requests/index.ts';
import { followPoints } from '../../core/engine/requests/index.ts';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { autopsiesOf } from '../../core/insight/autopsy/autopsy.ts';
import { CompactionWatch } from '../../core/insight/autopsy/moments.ts';
import { type Autopsy, type LostItem, SURVIVAL_CLASSES, type SurvivalClass } from '../../core/insight/autopsy/types.ts';
import { NO_SUMMARY_RECORDED, nothingCovered } from '../../core/model/coveredWords.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { countOf } from '../../core/view/words.ts';
import { usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { withProjector } from '../support/projecting.ts';
import { openRequests } from '../support/requests.ts';
import { FILE, MAPPING, NO_TOKENS, POLICY, SPEC, TRANSCRIPT } from '../support/sharedOptions.ts';
import { type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';

interface AutopsyOptions extends SpecOptions {
  readonly compaction?: string;
  readonly tokens: boolean;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly json?: boolean;
}

const HELP = `
Without --policy or --spec: the recorded compactions. With one: those it follows, and each summary that a stage puts in place.

Exit codes: 0 done, also where there is no compaction; 2 wrong usage; 3 the file cannot be read.`;

/** `parallax autopsy`. */
export function addAutopsy(program: Command): void {
  withThinkingOptions(
    program
      .command('autopsy')
      .description('what each compaction lost: what of the covered span survives, and what was done again behind it')
      .argument(...FILE)
      .option('--compaction <n>', 'only compaction N (from 0)')
      .option(...POLICY)
      .option(...SPEC)
      .option(...TRANSCRIPT)
      .option(...MAPPING)
      .option('--json', 'the whole result as one line of JSON')
      .option(...NO_TOKENS),
  )
    .addHelpText('after', HELP)
    .action(autopsyFile);
}

async function autopsyFile(file: string, options: AutopsyOptions): Promise<void> {
  const isChosen = options.policy !== undefined || options.spec !== undefined;
  const chosen = specOf(isChosen ? options : { ...options, policy: 'as_recorded' });
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = isChosen ? specNotingWarnings(chosen, options, source) : chosen;
  const requests = await openRequests(transcript, source, { ...options, cachePoints: 'auto' });
  const all = await autopsies(requests, parsed);
  const found = chosenOf(all, options.compaction);
  if (options.json) await writeJson({ spec: parsed.spec, compactions: found.map(jsonOf) });
  else await write(found.length === 0 ? 'There is no compaction.\n' : found.map(textOf).join('\n'));
}

async function autopsies(requests: SessionRequests, parsed: ParsedSpec): Promise<readonly Autopsy[]> {
  const { source, points } = requests;
  const watch = new CompactionWatch(source);
  const follower = requests.uses();
  const options = await requests.inputs(parsed);
  await withProjector((projector) =>
    followPoints(projector, { source, parsed, points, options }, (point) => {
      watch.take(point);
      follower.take(point);
    }),
  );
  return autopsiesOf({
    source,
    metaAt: (index) => requests.metaAt(index),
    tokens: requests.counted,
    moments: watch.moments,
    uses: follower.all,
    window: requests.window,
  });
}

function chosenOf(all: readonly Autopsy[], given: string | undefined): readonly Autopsy[] {
  if (given === undefined) return all;
  const found = /^\d+$/.test(given) ? all[Number(given)] : undefined;
  const accepted = all.length === 0 ? 'there are none' : `accepted: 0 to ${all.length - 1}`;
  if (found === undefined) throw usageFailure(`--compaction is ${given}; ${accepted}`, 'transcript.no_such_place');
  return [found];
}

function jsonOf({ after, covered, ...autopsy }: Autopsy) {
  const { rereads, repeatedFailures, ...rest } = after;
  const forgotten = rereads.filter(({ ignored }) => !ignored);
  return {
    ...autopsy,
    covered: { messages: covered.length, from: covered[0] ?? null, to: covered.at(-1) ?? null },
    after: {
      rereads: rereads.length,
      rereadTokens: rereads.reduce((sum, { tokens }) => sum + tokens, 0),
      rereadCost: rereads.reduce<number | null>(
        (sum, { cost }) => (sum === null || cost === null ? null : sum + cost),
        0,
      ),
      forgotten: forgotten.length,
      repeatedFailures: repeatedFailures.length,
      ...rest,
      rereadCalls: rereads,
      repeatedFailureCalls: repeatedFailures,
    },
  };
}

const WORDS: Readonly<Record<SurvivalClass, string>> = {
  user_sentences: 'user sentences',
  imperatives: 'imperatives',
  decisions: 'decisions (probable)',
  open_tasks: 'open tasks',
  files_edited: 'files edited',
  paths: 'paths',
  commands: 'commands',
  errors: 'errors',
  identifiers: 'identifiers',
  numbers: 'numbers',
};

const LISTED = 8;

function textOf({
  index,
  at,
  recordedAt,
  trigger,
  tokensBefore,
  tokensAfter,
  window,
  covered,
  survival,
  after,
  stage,
  placeholder,
  incomplete,
}: Autopsy): string {
  const size = tokensBefore === null ? '' : `, ${grouped(tokensBefore)} tokens before${shareOf(tokensBefore, window)}`;
  const left = tokensAfter === null ? '' : `, ${grouped(tokensAfter)} after`;
  const how =
    stage === null
      ? (trigger ?? 'trigger not recorded')
      : `put in place by a stage${placeholder ? ', not written yet' : ''}`;
  const head = `Compaction ${grouped(index + 1)} (--compaction ${index}) before #${at}: ${how}${size}${left}; ${countOf(covered.length, 'message')} covered\n`;
  const none = survival === null ? null : nothingCovered(recordedAt, covered.length);
  const doubt = incomplete && none === null ? `${NO_SUMMARY_RECORDED}\n` : '';
  return [head, doubt, none === null ? survivalText(survival) : `${none}\n`, afterText(after)].join('');
}

function shareOf(tokens: number, window: number | null): string {
  return window === null ? '' : ` (${Math.round((100 * tokens) / window)}% of ${grouped(window)})`;
}

function survivalText(survival: Autopsy['survival']): string {
  if (survival === null) return 'What it put in place cannot be read: nothing is said of what survived.\n';
  const rows = SURVIVAL_CLASSES.map((name) => {
    const { total, survived, words, lost } = survival[name];
    const used = lost.filter(({ usedLater }) => usedLater.length > 0).length;
    return [WORDS[name], grouped(total), grouped(survived), grouped(words), grouped(lost.length), grouped(used)];
  });
  const head = ['', 'said', 'survived', 'word for word', 'lost', 'used later'];
  const lost = SURVIVAL_CLASSES.flatMap((name) => survival[name].lost.map((item) => ({ name, item })))
    .filter(({ item }) => item.usedLater.length > 0)
    .sort((a, b) => b.item.usedLater.length - a.item.usedLater.length)
    .slice(0, LISTED);
  const listed = lost.map(({ name, item }) => [WORDS[name], oneLine(item.text, 70), `#${item.index}`, usersCell(item)]);
  const more = listed.length === 0 ? '' : `\nLost and used later\n${table([['', '', 'said', 'used by'], ...listed])}`;
  return `${table([head, ...rows], [1, 2, 3, 4, 5])}${more}`;
}

function usersCell({ usedLater }: LostItem): string {
  const shown = usedLater.slice(0, 3).map((at) => `#${at}`);
  return [...shown, ...(usedLater.length > 3 ? [`${usedLater.length - 3} more`] : [])].join(', ');
}

function afterText({
  calls,
  rereads,
  changedRereads,
  repeatedFailures,
  filesReadAgain,
  ...after
}: Autopsy['after']): string {
  const tokens = rereads.reduce((sum, each) => sum + each.tokens, 0);
  const ignored = rereads.filter((each) => each.ignored).length;
  const seen = ignored === 0 ? '' : `, ${ignored} of them while the result was still there`;
  const changed = changedRereads === 0 ? '' : `; ${changedRereads} more with another result, not counted`;
  const edit =
    after.callsToFirstEdit === null
      ? 'no edit'
      : `edit at #${after.firstEditAt}, ${countOf(after.callsToFirstEdit, 'call')} in`;
  const refill = after.refill.slice(0, 4).map(({ kind, tokens: own }) => `${kind} ${grouped(own)}`);
  return `\n${table([
    ['behind it', `${countOf(calls, 'call')}; ${edit}`],
    ['again', `${countOf(rereads.length, 'call')} with the same result, ${grouped(tokens)} tokens${seen}${changed}`],
    ['files', `${countOf(filesReadAgain.length, 'file')} read again`],
    ['failures', `${countOf(repeatedFailures.length, 'call')} failed again`],
    ['refill', `${grouped(after.refillTokens)} tokens: ${refill.join(', ')}`],
  ])}`;
}
