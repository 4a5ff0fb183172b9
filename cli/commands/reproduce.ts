import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { isSaid } from '../../core/insight/text/types.ts';
import { isAsRecorded } from '../../core/projection/asRecorded.ts';
import { policyName } from '../../core/projection/policyName.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { bundleSums } from '../../core/report/bundle.ts';
import {
  type CallLanguage,
  defaultTarget,
  type FixtureInput,
  hasCall,
  type IssueAnswer,
  issueText,
  isTyped,
  pytestFixture,
  REPRODUCTIONS,
  type Reproduction,
  type RequestAbout,
  requestCall,
  requestJson,
  sentRequest,
  settingsMarkdown,
  vendorSettings,
  vitestFixture,
} from '../../core/reproduce/index.ts';
import { countOf } from '../../core/util/counts.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { WireTarget } from '../../core/wire/types.ts';
import { wholeNumber } from '../support/arguments.ts';
import {
  type BundleOptions,
  type Leaving,
  type LeavingGiven,
  type MadeBundle,
  makeBundle,
} from '../support/bundling.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { note, oneLine, writeJson, writeJsonText, writeLine } from '../support/output.ts';
import { callPointOf, type Projector, withProjector } from '../support/projecting.ts';
import { addScrubOptions, checkedText } from '../support/scrubbing.ts';
import { FILE, MAPPING, POLICY, SPEC, TRANSCRIPT } from '../support/sharedOptions.ts';
import { type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';
import { traceQuestion } from '../support/tracing.ts';
import { type RequestOptions, targetNamed, writeRequest } from '../support/wireRequest.ts';
import { writeChunks } from '../support/writeChunks.ts';

interface ReproduceOptions extends SpecOptions, BundleOptions, RequestOptions {
  readonly as: string;
  readonly wire?: string;
  readonly at?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly output?: string;
  readonly bundle?: string;
  readonly page?: string;
  readonly expected?: string;
  readonly happened?: string;
  readonly json?: boolean;
}

const HELP = `
curl, python, typescript   the request, ready to be sent; keys come from the environment. curl sends the body of "export
                           --wire"; the SDKs' calls leave out what their published types do not know (--strict does for curl)
vitest, pytest             a test that runs "parallax verify" on the bundle under the policy in it: it fails when another
                           request comes out. The bundle is in the file, or with --bundle in a file beside it
settings                   the policy in the vendors' own settings, and what each cannot say
issue                      text for an issue tracker; --bundle writes the bundle it names, --page names a page that goes with it

Scrubbed as "export" does it; --unscrubbed leaves everything as it is.

Exit codes: 0 written; 1 not written, because something is left in it, or written, but the provider would refuse the request; 2 wrong usage; 3 unreadable or unwritable.`;

/** `parallax reproduce`. */
export function addReproduce(program: Command): void {
  addScrubOptions(
    withThinkingOptions(
      program
        .command('reproduce')
        .description('write a projection as a call, a test, settings of vendors, or the text of an issue')
        .argument(...FILE)
        .requiredOption('--as <what>', REPRODUCTIONS.join(', '))
        .option('-o, --output <file>', 'where it goes; default: stdout')
        .option(
          '--wire <api>',
          'the request: anthropic, openai (chat completions), responses, gemini; default: as recorded',
        )
        .option(...POLICY)
        .option(...SPEC)
        .option('--at <n>', 'before message N (from 0); "last" = the next request', 'last')
        .option(...TRANSCRIPT)
        .option(...MAPPING)
        .option('--model <id>', 'the model asked; default: the transcript’s, where it is of that vendor')
        .option('--max-tokens <n>', 'tokens of the answer', wholeNumber('--max-tokens', 1))
        .option('--repair', 'the provider’s hygiene as the last stage, so that it would take the request')
        .option('--strict', 'leave out fields that the provider’s types do not know, also where they were recorded')
        .option('--bundle <file>', 'tests, issue: write the bundle to this file, and name it')
        .option('--page <file>', 'issue: the name of the page that goes with it')
        .option('--slice', 'tests, issue: a bundle of the smallest slice on which the result is the same')
        .option('--text <text>', 'issue, slice: a text, and what became of it')
        .option('--expected <text>', 'issue: what you expected')
        .option('--happened <text>', 'issue: what happened')
        .option('--library <dir>', 'folder of the library whose own words are masked, too')
        .option('--unscrubbed', 'leave the messages as they are, secrets included')
        .option('--json', 'say what was made as JSON'),
    ),
  )
    .addHelpText('after', HELP)
    .action(reproduce);
}

async function reproduce(file: string, options: ReproduceOptions): Promise<void> {
  const what = REPRODUCTIONS.find((each) => each === options.as);
  if (what === undefined) throw usageFailure(`--as is ${options.as}; there are ${REPRODUCTIONS.join(', ')}`);
  checkWanted(what, options);
  const chosen = specOf(options);
  const { transcript, format } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = specNotingWarnings(chosen, options, source);
  const given = { file, format, transcript, source, parsed, at: callPointOf(options.at, source.length) };
  await withProjector(async (projector) => writeMade(await make(projector, what, given, options), what, options));
}

/** Options that say something of one kind of text alone. */
const ONLY_OF: Readonly<Record<'bundle' | 'page' | 'text' | 'expected' | 'happened', readonly Reproduction[]>> = {
  bundle: ['vitest', 'pytest', 'issue'],
  page: ['issue'],
  text: ['vitest', 'pytest', 'issue'],
  expected: ['issue'],
  happened: ['issue'],
};

function checkWanted(what: Reproduction, options: ReproduceOptions): void {
  for (const name of ['bundle', 'page', 'text', 'expected', 'happened'] as const) {
    if (options[name] === undefined || ONLY_OF[name].includes(what)) continue;
    throw usageFailure(`--${name} goes with --as ${ONLY_OF[name].join(', ')}; --as is ${what}`);
  }
}

/** A text that was made. */
interface Made {
  readonly text: string;
  /** What else there is to say, for `--json`. */
  readonly json?: Readonly<Record<string, unknown>>;
  readonly notes?: readonly string[];
  readonly isRefused?: boolean;
}

async function make(
  projector: Projector,
  what: Reproduction,
  given: LeavingGiven,
  options: ReproduceOptions,
): Promise<Made> {
  if (what === 'settings') return settingsOf(given);
  const made = await makeBundle(projector, given, options, [options.expected ?? '', options.happened ?? '']);
  const about = aboutRequest(given, made);
  switch (what) {
    case 'curl':
    case 'python':
    case 'typescript':
      return callOf(what, made.leaving, about, options);
    case 'vitest':
    case 'pytest':
      return fixtureOf(what, made, about, options);
    case 'issue':
      return issueOf(made, about, options);
  }
}

function aboutRequest({ parsed, source, at }: LeavingGiven, { input }: MadeBundle): RequestAbout {
  const isRecorded = isAsRecorded(parsed.spec, source);
  const policy = isRecorded ? null : (policyName(input.spec, PRESETS) ?? 'a custom policy');
  return { title: input.transcript.title, at, messages: input.transcript.messages ?? source.length, policy };
}

function settingsOf({ parsed }: LeavingGiven): Made {
  const settings = vendorSettings(parsed);
  return {
    text: settingsMarkdown(settings),
    json: { settings },
    isRefused: settings.every(({ code }) => code === null),
  };
}

function ownTarget({ source, at, about: { format, model } }: Leaving): WireTarget {
  return defaultTarget({ source, at, memo: createMemo() }, { format, model });
}

async function callOf(
  language: CallLanguage,
  leaving: Leaving,
  about: RequestAbout,
  options: ReproduceOptions,
): Promise<Made> {
  const target = options.wire === undefined ? ownTarget(leaving) : targetNamed(options.wire);
  if (!hasCall(target, language)) {
    throw usageFailure(
      `there is no ${language} call for ${target}: its package reads other objects than the body; --as curl or typescript`,
    );
  }
  const strict = options.strict ?? (isTyped(language) ? true : undefined);
  const { body, findings } = await writeRequest(leaving, target, {
    ...options,
    ...(strict !== undefined && { strict }),
  });
  const request = sentRequest(body, about);
  if (leaving.scrubber !== null) checkedText(leaving.scrubber, [requestJson(request)]);
  const errors = findings.filter(({ severity }) => severity === 'error');
  return {
    text: requestCall(request, language) ?? '',
    json: { target, url: request.url, betas: request.betas, losses: body.losses.length, findings },
    notes: errors.map(({ index, text }) => `${index === null ? '' : `#${index} `}${oneLine(text, 200)}`),
    isRefused: errors.length > 0,
  };
}

async function fixtureOf(
  what: 'vitest' | 'pytest',
  { input, chunks }: MadeBundle,
  about: RequestAbout,
  options: ReproduceOptions,
): Promise<Made> {
  const text = [...chunks].join('');
  const { prefixHash } = bundleSums(input);
  const bundle = options.bundle === undefined ? { text } : { file: basename(options.bundle) };
  if (options.bundle !== undefined) await writeChunks(resolve(options.bundle), [text], 'the bundle');
  const fixture: FixtureInput = { about, specJson: JSON.stringify(input.spec), bundle, prefixHash };
  const made = what === 'vitest' ? vitestFixture(fixture) : pytestFixture(fixture);
  return { text: made, json: { prefixHash, ...(options.bundle !== undefined && { bundle: resolve(options.bundle) }) } };
}

async function issueOf(
  { input, chunks, leaving }: MadeBundle,
  about: RequestAbout,
  options: ReproduceOptions,
): Promise<Made> {
  const { text, said } = leaving;
  const [expected, happened] = said.map((each) => (each === '' ? undefined : each));
  const sums = bundleSums(input);
  if (options.bundle !== undefined) await writeChunks(resolve(options.bundle), chunks, 'the bundle');
  const issue = issueText({
    about,
    bundle: input,
    sums,
    answer: text === undefined ? undefined : await answerOf(text, leaving),
    expected,
    happened,
    bundleFile: options.bundle === undefined ? undefined : basename(options.bundle),
    pageFile: options.page === undefined ? undefined : basename(options.page),
  });
  if (leaving.scrubber !== null) checkedText(leaving.scrubber, [JSON.stringify({ issue })]);
  return { text: issue, json: { prefixHash: sums.prefixHash } };
}

async function answerOf(text: string, { transcript, source, parsed, at }: Leaving): Promise<IssueAnswer> {
  const trace = await traceQuestion({ text, matchCase: false, wholeWord: false, transcript, source, parsed, now: at });
  return { text: trace.text, sentence: trace.sentence, isLost: !isSaid(trace.now.state) };
}

async function writeMade(made: Made, what: Reproduction, options: ReproduceOptions): Promise<void> {
  const path = options.output === undefined ? null : resolve(options.output);
  const bytes = path === null ? null : await writeChunks(path, [made.text], 'the file');
  const where = path === null ? { text: made.text } : { path, bytes };
  if (options.json) await writeJson({ as: what, ...where, ...made.json });
  else if (path === null) await writeJsonText(made.text);
  else await writeLine(`${path}  ${countOf(bytes ?? 0, 'byte')}`);
  for (const line of made.notes ?? []) note(`the provider would refuse this: ${line}`);
  if (made.isRefused === true) process.exitCode = EXIT.finding;
}
