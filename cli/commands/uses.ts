// `parallax uses`: what each message relied on that was said before, and whether the request behind it held that.
import type { Command } from 'commander';
import { findUses } from '../../core/engine/requests/index.ts';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { PRICES } from '../../core/insight/prices.ts';
import { summaryOf, USE_KINDS, type Use, type UsesSummary } from '../../core/insight/uses/index.ts';
import { dollarsText } from '../../core/util/dollars.ts';
import { countOf } from '../../core/view/words.ts';
import { filterOf, messageTester } from '../support/filtering.ts';
import { readTranscript } from '../support/input.ts';
import { requestedFrom } from '../support/inputs.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { callPointOf, withProjector } from '../support/projecting.ts';
import { FILE, MAPPING, NO_TOKENS, POLICY, SPEC, TRANSCRIPT } from '../support/sharedOptions.ts';
import { type SpecOptions, specNotingWarnings, specOf } from '../support/spec.ts';
import { withThinkingOptions } from '../support/thinking.ts';

interface UsesOptions extends SpecOptions {
  readonly at?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly json?: boolean;
  readonly filter?: string;
  readonly tokens: boolean;
}

const HELP = `
Kinds: quote (a run of 44 characters that was said before), anchor (a rare name), reread (the same call, the same result),
repeated_failure, dangling (something in the request points to what is not in it), rule (a call touches what was forbidden:
a suspect). A use is "gone" if the request made before its message did not hold what it relied on. docs/insight.md.

Exit codes: 0 done, whatever was found; 2 wrong usage; 3 the file cannot be read.`;

/** `parallax uses`. */
export function addUses(program: Command): void {
  withThinkingOptions(
    program
      .command('uses')
      .description('what later messages relied on, and whether their requests held it')
      .argument(...FILE)
      .option(...POLICY)
      .option(...SPEC)
      .option('--at <n>', 'only what message N (from 0) relied on; "last" = the next request')
      .option(...TRANSCRIPT)
      .option(...MAPPING)
      .option('--filter <expr>', 'only uses by messages with a row that fits, as tool:Read reread (docs/filter.md)')
      .option('--json', 'the whole result as one line of JSON')
      .option(...NO_TOKENS),
  )
    .addHelpText('after', HELP)
    .action(usesOfFile);
}

async function usesOfFile(file: string, options: UsesOptions): Promise<void> {
  const chosen = specOf(options);
  // A filter that makes no sense ends the command before anything is read.
  if (options.filter !== undefined) filterOf(options.filter);
  const { transcript } = await readTranscript(file, options);
  const source = MemoryTranscript.of(transcript);
  const parsed = specNotingWarnings(chosen, options, source);
  const at = options.at === undefined ? null : callPointOf(options.at, source.length);
  const uses = await withProjector(async (projector) => {
    const wanted = { isCounted: options.tokens, prices: PRICES };
    const all = await findUses(projector, requestedFrom(transcript, source), parsed, wanted);
    const own = at === null ? all : all.filter((use) => use.at === at);
    if (options.filter === undefined || own.length === 0) return own;
    const { tokens, filter } = options;
    const fits = await messageTester(projector, filter, { transcript, source, parsed, tokens });
    return own.filter((use) => fits(use.at));
  });
  const summary = summaryOf(uses);
  if (options.json) await writeJson({ spec: parsed.spec, at, uses: uses.map(jsonOf), summary: jsonSummary(summary) });
  else await write(uses.length === 0 && options.filter !== undefined ? NONE_FITS : textOf(uses, summary, at));
}

function jsonOf({ loss, ignored, changed, again: _again, from, to, ...use }: Use) {
  const { kind, at, part, evidence, sources, outcome, tokens, cost, confidence } = use;
  return {
    ...{ kind, at, part, evidence, from, to, sources, outcome },
    ...(kind === 'reread' && { ignored, changed }),
    ...(loss !== null && { goneSince: loss.since, by: byOf(loss) }),
    ...(tokens > 0 && { tokens }),
    ...(tokens > 0 && cost !== null && { cost }),
    confidence,
  };
}

function byOf({ stage, stageTitle, rule, reason, fate }: NonNullable<Use['loss']>) {
  return { stage, stageTitle, rule, reason, fate };
}

function jsonSummary({ uses, original, elsewhere, gone, ...rest }: UsesSummary) {
  return { uses, original, elsewhere, gone, ...rest };
}

const LISTED = 40;
const NONE_FITS = 'No use found by a message that fits the filter.\n';

function textOf(uses: readonly Use[], summary: UsesSummary, at: number | null): string {
  if (uses.length === 0) return at === null ? 'No use found.\n' : `No use found in message #${at}.\n`;
  const gone = uses.filter(({ outcome }) => outcome === 'gone');
  const shown = at === null ? gone : uses;
  const rows = shown.slice(0, LISTED).map(rowOf);
  const more = shown.length - rows.length;
  return [
    `${countOf(summary.uses, 'use')}: ${summary.original} held where first said, ${summary.elsewhere} elsewhere, `,
    `${summary.gone} not in the request${costText(summary)}.\n\n`,
    table([['kind', 'all', 'original', 'elsewhere', 'gone'], ...kindRows(uses)], [1, 2, 3, 4]),
    rows.length === 0 ? '' : `\n${at === null ? 'Gone when used\n' : ''}${table(rows)}`,
    more > 0 ? `and ${grouped(more)} more (--json lists all)\n` : '',
  ].join('');
}

function costText({ tokensFetchedAgain, costFetchedAgain }: UsesSummary): string {
  if (tokensFetchedAgain === 0) return '';
  const cost = costFetchedAgain === null ? '' : ` (${dollarsText(costFetchedAgain)} as fresh input)`;
  return `; ${grouped(tokensFetchedAgain)} tokens fetched again${cost}`;
}

function kindRows(uses: readonly Use[]): readonly (readonly string[])[] {
  return USE_KINDS.flatMap((kind) => {
    const own = uses.filter((use) => use.kind === kind);
    const count = (outcome: Use['outcome']) => grouped(own.filter((use) => use.outcome === outcome).length);
    return own.length === 0 ? [] : [[kind, grouped(own.length), count('original'), count('elsewhere'), count('gone')]];
  });
}

function rowOf({ kind, at, evidence, sources, outcome, loss, changed, ignored, confidence }: Use): readonly string[] {
  const from = sources.map(({ index }) => `#${index}`).join(', ');
  const by = loss === null ? '' : ` since #${loss.since}${loss.rule === null ? '' : ` (${loss.rule})`}`;
  const notes = [changed ? 'changed' : '', ignored ? 'ignored' : '', confidence === 'certain' ? '' : confidence];
  return [`#${at}`, kind, `${outcome}${by}`, `from ${from}`, oneLine(evidence, 60), notes.filter(Boolean).join(', ')];
}
