// `parallax findings`: what a session forgot and fetched again, what was not in the request when it was needed, what the
// cache lost, dearest first; and under which policies it would not have happened.
import type { Command } from 'commander';
import { type ImportedTranscript, MemoryTranscript } from '../../core/importers/memory.ts';
import { type Finding, preventedBy } from '../../core/insight/findings/index.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { dollarsText } from '../../core/util/dollars.ts';
import { countOf } from '../../core/view/words.ts';
import { CliFailure, EXIT } from '../support/failure.ts';
import { filesIn } from '../support/files.ts';
import { type Filtered, filterOf, messageTester } from '../support/filtering.ts';
import { readTranscripts } from '../support/input.ts';
import { grouped, note, oneLine, table, write, writeJson } from '../support/output.ts';
import { type Projector, withProjector } from '../support/projecting.ts';
import { type NamedPolicy, SessionWalk } from '../support/sessionWalk.ts';
import { NO_TOKENS, SPEC } from '../support/sharedOptions.ts';
import { type SpecOptions, specNamed, specNotingWarnings, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';

interface FindingsOptions extends SpecOptions {
  readonly mapping?: string;
  readonly json?: boolean;
  readonly tokens: boolean;
  readonly prevented: boolean;
  readonly filter?: string;
  readonly also?: readonly string[];
}

const HELP = `
Kinds: forgotten (the same call again, because its result was not in the request), rule (a call touches what a sentence
forbids that was not in the request: a suspect), dangling (the request points to what is not in it), started_twice (a
sub-agent with the same task), cache_lost (recorded usage shows it), compaction_dropped (used within the next calls),
refused (a provider would refuse the request). Under the recorded history these are facts about the session; under another
policy they say what the recorded agent relied on and this policy would not have sent. docs/insight.md.

--json prints a line of JSON for each: {"transcript", "kind", "at", "evidence", "tokens", "cost", "preventedBy": [policy…],
"certainty", "sources", "goneSince", "by"}.

Exit codes: 0 no finding; 1 findings; 2 wrong usage; 3 a file cannot be read.`;

/** `parallax findings`. */
export function addFindings(program: Command): void {
  withThinkingOptions(
    program
      .command('findings')
      .description('what sessions forgot and fetched again, broke, or lost, dearest first')
      .argument('<PATH...>', 'transcripts of any known format, or folders of them; - = stdin')
      .option('--policy <name>', 'a policy or preset by name; default: the recorded history')
      .option(...SPEC)
      .option('--mapping <file>', 'read files by this mapping of their fields')
      .option('--json', 'a line of JSON for each finding')
      .option('--filter <expr>', 'only findings at messages with a row that fits (docs/filter.md)')
      .option('--also <spec...>', 'further policies to name where they prevent one: JSON, or files with it')
      .option('--no-prevented', 'do not look for policies that prevent them: faster')
      .option(...NO_TOKENS),
  )
    .addHelpText('after', HELP)
    .action(findInPaths);
}

async function findInPaths(paths: string[], options: FindingsOptions): Promise<void> {
  const chosen = specOf(options);
  const further = (options.also ?? []).map((given) => furtherPolicy(given));
  // A filter that makes no sense ends the command before anything is read.
  if (options.filter !== undefined) filterOf(options.filter);
  let count = 0;
  let passedOver = 0;
  await withProjector(async (projector) => {
    for (const { path, isNamed } of await filesIn(paths)) {
      const transcripts = await transcriptsOf(path, isNamed, options);
      if (transcripts === null) passedOver++;
      for (const transcript of transcripts ?? []) {
        const name = (transcripts?.length ?? 0) > 1 ? `${path} ${transcript.key}` : path;
        count += await findIn(projector, { name, transcript, chosen, further, options });
      }
    }
  });
  if (passedOver > 0) note(`${countOf(passedOver, 'file')} skipped: not a transcript of a known format`);
  if (count > 0) process.exitCode = EXIT.finding;
}

// Of a folder a file that is not a transcript is passed over; one that was named is an error.
async function transcriptsOf(
  path: string,
  isNamed: boolean,
  options: FindingsOptions,
): Promise<readonly ImportedTranscript[] | null> {
  try {
    return (await readTranscripts(path, options)).transcripts;
  } catch (error) {
    if (isNamed || !(error instanceof CliFailure)) throw error;
    return null;
  }
}

// A policy without a name of its own is called as it was given.
function furtherPolicy(given: string): NamedPolicy {
  const parsed = specNamed('--also', given);
  return { name: parsed.spec.name ?? given, parsed };
}

interface Question {
  readonly name: string;
  readonly transcript: ImportedTranscript;
  readonly chosen: ParsedSpec;
  readonly further: readonly NamedPolicy[];
  readonly options: FindingsOptions;
}

async function findIn(projector: Projector, { name, transcript, chosen, further, options }: Question): Promise<number> {
  const source = MemoryTranscript.of(transcript);
  const parsed = specNotingWarnings(chosen, options, source);
  const session = await SessionWalk.open(projector, transcript, source, options);
  const all = await session.findings(parsed);
  const found = await fittingFilter(projector, all, { transcript, source, parsed, options });
  const names = options.prevented ? preventedBy(found, await session.alternatives(found, parsed, further)) : null;
  if (options.json) {
    for (const [at, finding] of found.entries()) await writeJson(jsonOf(name, finding, names?.[at] ?? null));
  } else await write(textOf(name, found, names));
  return found.length;
}

/** The findings at messages of which a row fits, in the session's last request. */
async function fittingFilter(
  projector: Projector,
  all: readonly Finding[],
  { options, ...session }: Pick<Question, 'transcript' | 'options'> & Pick<Filtered, 'source' | 'parsed'>,
): Promise<readonly Finding[]> {
  if (options.filter === undefined || all.length === 0) return all;
  const fits = await messageTester(projector, options.filter, { ...session, tokens: options.tokens });
  return all.filter(({ at }) => fits(at));
}

function jsonOf(transcript: string, finding: Finding, prevented: readonly string[] | null) {
  const { kind, at, evidence, tokens, cost, certainty, sources, loss } = finding;
  const by = loss && { stage: loss.stage, stageTitle: loss.stageTitle, rule: loss.rule, reason: loss.reason };
  return {
    ...{ transcript, kind, at, evidence, tokens, cost, preventedBy: prevented ?? [], certainty, sources },
    ...(loss !== null && { goneSince: loss.since, by }),
  };
}

const LISTED = 40;
const NAMES = 3;

function textOf(name: string, findings: readonly Finding[], prevented: readonly (readonly string[])[] | null): string {
  if (findings.length === 0) return `${name}: no findings.\n`;
  const rows = findings.slice(0, LISTED).map((finding, at) => rowOf(finding, prevented?.[at] ?? []));
  const more = findings.length - rows.length;
  const head = ['at', 'kind', 'certainty', 'tokens', 'cost', 'evidence', 'not under'];
  return [
    `${name}: ${countOf(findings.length, 'finding')}.\n\n`,
    table([head, ...rows], [3, 4]),
    more > 0 ? `and ${grouped(more)} more (--json lists all)\n` : '',
  ].join('');
}

function rowOf({ kind, at, evidence, tokens, cost, certainty }: Finding, prevented: readonly string[]): string[] {
  const more = prevented.length - NAMES;
  const names = prevented.slice(0, NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return [
    ...[`#${at}`, kind, certainty],
    ...[tokens === null ? '' : grouped(tokens), cost === null ? '' : dollarsText(cost)],
    ...[oneLine(evidence, 70), names],
  ];
}
