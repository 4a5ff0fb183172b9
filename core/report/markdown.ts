import type { Calibration } from '../model/calibration.ts';
import { CATEGORIES, CATEGORY_LABEL } from '../model/category.ts';
import { figureSign } from '../model/figureSign.ts';
import { doneWords, type ScrubReport } from '../model/scrubReport.ts';
import type { SliceStatement } from '../model/sliceStatement.ts';
import type { StatedFinding } from '../model/statedFinding.ts';
import type { StatedWatchpoint } from '../model/statedWatchpoint.ts';
import type { Projection } from '../projection/types.ts';
import { countOf, grouped } from '../util/counts.ts';
import { dollarsText } from '../util/dollars.ts';
import { shellWord } from '../util/shellWord.ts';
import { coverWords, pricesWords } from '../view/costCover.ts';
import { countFates } from '../view/fates.ts';
import { describeSaved } from '../view/savedWords.ts';
import type { BundleCost, BundleInput, BundleSums } from './bundle.ts';
import type { BundleTokens } from './format.ts';

/** What whoever reports a bug says of it; '' = nothing. */
export interface IssueNote {
  readonly expected: string;
  readonly happened: string;
}

const NO_NOTE: IssueNote = { expected: '', happened: '' };

/** A short summary of a bundle for an issue tracker: what was projected, how, what became of it, how to check it. */
export function bundleMarkdown(input: BundleInput, sums: BundleSums, fileName: string, note = NO_NOTE): string {
  const { transcript, projection } = input;
  const lines = [
    `### ${escapeMarkdown(transcript.title)}`,
    '',
    ...noteLines(note),
    `- transcript: ${transcript.format}, ${countOf(transcript.messages ?? input.source.length, 'message')}, projected before message ${projection.at}`,
    ...(transcript.whatIf === undefined
      ? []
      : [`- a what-if: messages from #${transcript.whatIf.at} on were typed in Parallax, no tool recorded them`]),
    `- engine: Parallax ${input.engineVersion}`,
    `- prefix: \`${sums.prefixHash}\``,
    `- raw slice: \`${sums.rawSha256}\``,
    ...(input.slice === undefined ? [] : [`- slice: ${sliceWords(input.slice, projection.at)}`]),
    `- outcomes: ${fateLine(projection)}`,
    ...tokenLines(input.tokens, transcript.calibration ?? null),
    ...costLines(input.cost ?? null),
    ...findingLines(input.findings ?? []),
    ...watchpointLines(input.watchpoints ?? []),
    ...scrubLines(input.scrub),
    '',
    ...stageLines(input),
    '',
    '<details><summary>Spec</summary>',
    '',
    ...codeBlock('json', JSON.stringify(input.spec, null, 2)),
    '',
    '</details>',
    '',
    'Open it: drop the file on Parallax; it opens under this policy, at this call point.',
    `Check it, in a checkout of Parallax: \`npm run parallax -- verify ${shellWord(fileName)}\``,
  ];
  return `${lines.join('\n')}\n`;
}

/** What a slice holds, and of what the figures beside it are. */
export function sliceWords({ emptied }: SliceStatement, at: number): string {
  return `the bundle holds ${grouped(at - emptied)} of ${countOf(at, 'message')} with their words; figures are of the whole`;
}

function stageLines({ projection, saved }: BundleInput): readonly string[] {
  if (projection.reports.length === 0) return ['No stages: the transcript is sent as it is.'];
  const rows = projection.reports.map((report) => {
    const did = report.enabled ? report.summary : 'switched off';
    const summary = [did, describeSaved(saved?.[report.stage])].filter((words) => words !== null).join(' · ');
    return `| ${report.stage + 1} | ${escapeMarkdown(report.title)} | ${escapeMarkdown(summary)} |`;
  });
  return ['| # | stage | what it did |', '|---|---|---|', ...rows];
}

function noteLines({ expected, happened }: IssueNote): readonly string[] {
  const said = [
    ['Expected', expected.trim()],
    ['Happened', happened.trim()],
  ] as const;
  const lines = said.flatMap(([what, text]) => (text === '' ? [] : [`**${what}:** ${paragraphs(text)}`, '']));
  return lines;
}

// Lines as they were written, each of them plain.
function paragraphs(text: string): string {
  return text.split('\n').map(escapeMarkdown).join('  \n');
}

function scrubLines(scrub: ScrubReport | undefined): readonly string[] {
  if (scrub?.scrubbed !== true) return ['- scrubbed: no; secrets and personal data are in it as they were'];
  const same = scrub.same_outcome === false ? '; stand-ins change what the policy decides of some messages' : '';
  return [`- scrubbed: ${doneWords(scrub.findings)}${same}`];
}

function fateLine(projection: Projection): string {
  const counts = Object.entries(countFates(projection.fates)).map(([kind, count]) => `${grouped(count)} ${kind}`);
  const synthetic = projection.view.items.filter((item) => item.kind === 'synthetic').length;
  if (synthetic > 0) counts.push(`${grouped(synthetic)} synthetic`);
  return counts.length === 0 ? 'no messages' : counts.join(', ');
}

function costLines(cost: BundleCost | null): readonly string[] {
  if (cost === null) return [];
  const { requests, unpriced, recordedRequests, recorded, policy, answers, models } = cost;
  const all = recordedRequests + unpriced === requests;
  const of = all ? '' : ` (${grouped(recordedRequests)} of ${countOf(requests, 'request')})`;
  const made = recorded === null ? [] : [`${dollarsText(recorded)} as recorded${of}`];
  const own = policy === null ? [] : [`≈${dollarsText(policy)} under this policy`];
  if (made.length + own.length === 0) return [];
  return [
    `- whole session, ${coverWords({ requests: recordedRequests, answers, unpriced })}: ${[...made, ...own].join(', ')} (${escapeMarkdown(pricesWords(models))})`,
  ];
}

function findingLines(findings: readonly StatedFinding[]): readonly string[] {
  if (findings.length === 0) return [];
  return [
    '- findings in it:',
    ...findings.map(({ kind, at, evidence, certainty }) => {
      return `  - #${at} ${kind.replaceAll('_', ' ')} (${certainty}): ${escapeMarkdown(evidence)}`;
    }),
  ];
}

function watchpointLines(watchpoints: readonly StatedWatchpoint[]): readonly string[] {
  if (watchpoints.length === 0) return [];
  const texts = watchpoints.map(({ text, name }) => (name === null ? `“${text}”` : `${name}: “${text}”`));
  return ['- watched in it:', ...texts.map((text) => `  - ${escapeMarkdown(text)}`)];
}

function describeLine({ base, factor, requests, residual }: Calibration): string {
  const off = `typically ${(residual * 100).toFixed(1)}% off over ${countOf(requests, 'request')}`;
  return `; calibrated by recorded usage: input ≈ ${grouped(base)} + ${factor.toFixed(2)} × counted, ${off}`;
}

function tokenLines(tokens: BundleTokens | null, calibration: Calibration | null): readonly string[] {
  if (tokens === null) return [];
  const { raw, projected, tokenizer } = tokens;
  const parts = CATEGORIES.map((category) => [category, projected.byCategory[category] ?? 0] as const)
    .filter(([, count]) => count > 0)
    .map(([category, count]) => `${CATEGORY_LABEL[category]} ${grouped(count)}`);
  const by = `${tokenizer}, ${projected.provenance}`;
  const how = calibration === null ? '' : describeLine(calibration);
  const figures = `${figureSign(raw.provenance)}${grouped(raw.total)} → ${figureSign(projected.provenance)}${grouped(projected.total)}`;
  return [`- tokens: ${figures} (${by}${parts.length > 0 ? `; ${parts.join(', ')}` : ''}${how})`];
}

/** Lines of a code block. Its fence is longer than any run of backticks inside, so that the text cannot end it. */
export function codeBlock(language: string, text: string): readonly string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, text, fence];
}

/** A text in one line of Markdown, that no sign in it formats. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|@!]/g, '\\$&');
}
