import type { Command } from 'commander';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { type KeepSubject, keptThing, type PricedChange } from '../../core/insight/keep/index.ts';
import { dollarsText } from '../../core/util/dollars.ts';
import { countOf } from '../../core/view/words.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { type Keeping, keepChanges, type PricedPin, pinChoices } from '../support/keeping.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { callPointOf, noSuchMessage, withProjector } from '../support/projecting.ts';
import { openRequests } from '../support/requests.ts';
import { FILE, MAPPING, NO_TOKENS, POLICY, SPEC, TRANSCRIPT } from '../support/sharedOptions.ts';
import { type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';

interface KeepOptions extends SpecOptions {
  readonly text?: string;
  readonly message?: string;
  readonly at?: string;
  readonly case?: boolean;
  readonly word?: boolean;
  readonly pins?: boolean;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly json?: boolean;
  readonly tokens: boolean;
}

const HELP = `
Each change was projected: under it the request holds what was asked for, and with the next smaller value it does not. Sums are
of the whole session, the next request included; cost is that of the input, with what the cache serves.

--pins gives the ways to pin instead, whether or not it is in the request now: the message with its call or results, words of it
(--text beside --message, or --text alone: the message that says it first), its turn, all user messages.

Exit codes: 0 changes were found; 1 none was, or it is in the request already; 2 wrong usage; 3 the file cannot be read.
With --pins: 0 a pin keeps it; 1 none does.`;

/** `parallax keep`. */
export function addKeep(program: Command): void {
  withThinkingOptions(
    program
      .command('keep')
      .description('the smallest changes of a policy that keep a text or message in the request, with their price')
      .argument(...FILE)
      .option('--text <text>', 'a text, as a person reads it: runs of white space match each other')
      .option('--case', 'with --text: upper and lower case differ')
      .option('--word', 'with --text: whole words only')
      .option('--message <n>', 'the message with this number (from 0)')
      .option('--pins', 'the ways to pin it, each proved and priced')
      .option(...POLICY)
      .option(...SPEC)
      .option('--at <n>', 'the request before message N (from 0); "last" = the next request', 'last')
      .option(...TRANSCRIPT)
      .option(...MAPPING)
      .option('--json', 'the changes as one line of JSON')
      .option(...NO_TOKENS),
  )
    .addHelpText('after', HELP)
    .action(keepInFile);
}

async function keepInFile(file: string, options: KeepOptions): Promise<void> {
  const chosen = specOf(options);
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = specNotingWarnings(chosen, options, source);
  const at = callPointOf(options.at, source.length);
  const asked =
    options.pins === true ? pinnedOf(options, source.length, file) : subjectOf(options, source.length, file);
  const requests = await openRequests(transcript, source, { tokens: options.tokens, cachePoints: 'auto' });
  const isKept =
    'words' in asked
      ? await writePins({ requests, parsed, at }, asked, options)
      : await writeChanges({ requests, parsed, at }, asked, options);
  if (!isKept) process.exitCode = EXIT.finding;
}

type Asking = Omit<Keeping, 'projector' | 'subject'>;

async function writeChanges(asking: Asking, subject: KeepSubject, { json }: KeepOptions): Promise<boolean> {
  const found = await withProjector((projector) => keepChanges({ ...asking, projector, subject }));
  if (found === null) throw usageFailure('--text is empty: there is nothing to look for');
  const { state, takers, useless, tried, changes } = found;
  const { at, parsed } = asking;
  if (json) await writeJson({ at, spec: parsed.spec, state, takers, useless, tried, changes });
  else await write(keepText(found, at));
  return changes.length > 0;
}

/** What `--pins` is asked about; at least one of both is there. */
interface Pinned {
  readonly message: number | null;
  readonly words: string | null;
}

async function writePins(asking: Asking, { message: given, words }: Pinned, { json }: KeepOptions): Promise<boolean> {
  const { requests, parsed, at } = asking;
  const said = words === null ? null : keptThing({ text: words }, at, requests.source, requests.memo, requests.meta);
  if (words !== null && said === null) throw usageFailure('--text is empty: there is nothing to look for');
  const message = given ?? said?.index ?? null;
  const pins =
    message === null ? [] : await withProjector((projector) => pinChoices({ ...asking, projector, message, words }));
  if (json) await writeJson({ at, spec: parsed.spec, message, pins });
  else await write(pinsText(pins, message, at));
  return pins.some(({ change }) => change !== null);
}

function subjectOf({ text, message, ...options }: KeepOptions, length: number, file: string): KeepSubject {
  if ((text === undefined) === (message === undefined)) throw usageFailure('give one of --text and --message');
  if (text !== undefined) return { text, matchCase: options.case === true, wholeWord: options.word === true };
  if (options.case !== undefined || options.word !== undefined) throw usageFailure('--case and --word go with --text');
  return { message: messageOf(message, length, file) };
}

function pinnedOf({ text, message, ...options }: KeepOptions, length: number, file: string): Pinned {
  if (text === undefined && message === undefined) throw usageFailure('--pins needs --message, --text or both');
  if (options.case !== undefined || options.word !== undefined) {
    throw usageFailure('--pins looks for words in any case: leave --case and --word out');
  }
  return { message: message === undefined ? null : messageOf(message, length, file), words: text ?? null };
}

function messageOf(message: string | undefined, length: number, file: string): number {
  const index = /^\d+$/.test(message ?? '') ? Number(message) : Number.NaN;
  if (index < length) return index;
  throw noSuchMessage(message ?? '', length, file);
}

type Found = NonNullable<Awaited<ReturnType<typeof keepChanges>>>;

function keepText({ state, takers, useless, tried, changes }: Found, at: number): string {
  if (state === 'there') return `It is in the request at #${at}: nothing to change.\n`;
  if (state === 'not_said') return `Nobody says it before #${at}.\n`;
  const taken = takers.map(
    ({ stage, title, reason }) => `Taken by stage ${stage + 1}, ${title}: ${oneLine(reason, 300)}\n`,
  );
  if (changes.length === 0)
    return `${taken.join('')}No change of the policy keeps it (${countOf(tried, 'spec')} tried).\n`;
  return [
    `${taken.join('')}${countOf(changes.length, 'change')} would keep it (${countOf(tried, 'spec')} tried):\n\n`,
    changesTable(changes),
    useless.length === 0 ? '' : `\nNo value of these keeps it: ${useless.join('; ')}\n`,
  ].join('');
}

function pinsText(pins: readonly PricedPin[], message: number | null, at: number): string {
  if (message === null) return `Nobody says it before #${at}.\n`;
  if (pins.length === 0) return `#${message} does not come before #${at}: that request cannot hold it.\n`;
  const changes = pins.flatMap(({ change }) => change ?? []);
  const others = pins.flatMap(({ change, title, whyNot }) =>
    change === null ? [`No pin of ${title}: ${whyNot}\n`] : [],
  );
  const head = `${countOf(changes.length, 'way')} to pin #${message}${changes.length === 0 ? '' : ':\n\n'}`;
  return [head, changes.length === 0 ? '' : changesTable(changes), '\n', ...others].join('');
}

function changesTable(changes: readonly PricedChange[]): string {
  const head = ['change', 'tokens here', 'session', 'input cost', 'uses saved', 'fits', 'accepted'];
  return table([head, ...changes.map(rowOf)], [1, 2, 3, 4]);
}

function rowOf(change: PricedChange): readonly string[] {
  const {
    words,
    tokensHere,
    tokensSession,
    costSession,
    usesSaved,
    fits,
    firstOver,
    providerTakesIt,
    refusedFor,
    refusedBefore,
  } = change;
  const fit = fits === null ? 'no window known' : fits ? 'yes' : `not at #${firstOver}`;
  const accepted = providerTakesIt
    ? 'yes'
    : `${refusedBefore ? 'no, as before' : 'no'}: ${oneLine(refusedFor ?? '', 60)}`;
  const cost = costSession === null ? '–' : `${costSession < 0 ? '−' : '+'}${dollarsText(Math.abs(costSession))}`;
  return [words, signed(tokensHere), signed(tokensSession), cost, grouped(usesSaved), fit, accepted];
}

function signed(tokens: number): string {
  return `${tokens < 0 ? '−' : '+'}${grouped(Math.abs(Math.round(tokens)))}`;
}
