import { figureSign } from '../model/figureSign.ts';
import { doneWords } from '../model/scrubReport.ts';
import type { BundleInput, BundleSums } from '../report/bundle.ts';
import { codeBlock, escapeMarkdown, sliceWords } from '../report/markdown.ts';
import { countOf, grouped } from '../util/counts.ts';
import { shellWord } from '../util/shellWord.ts';
import { countFates } from '../view/fates.ts';
import { callWords, oneLine, type RequestAbout } from './request.ts';

/** What became of a text: `Gone since #276: Recorded compaction 1 …`. */
export interface IssueAnswer {
  readonly text: string;
  readonly sentence: string;
  /** The request does not say it, word for word. */
  readonly isLost: boolean;
}

/** What an issue says. Names of files are those on disk. */
export interface IssueInput {
  readonly about: RequestAbout;
  readonly bundle: Pick<
    BundleInput,
    'transcript' | 'projection' | 'spec' | 'tokens' | 'scrub' | 'slice' | 'engineVersion'
  >;
  readonly sums: Pick<BundleSums, 'prefixHash'>;
  readonly bundleFile?: string | undefined;
  readonly pageFile?: string | undefined;
  readonly expected?: string | undefined;
  readonly happened?: string | undefined;
  readonly answer?: IssueAnswer | undefined;
}

/**
 * The text of an issue, as Markdown: what was expected, what happened, what was sent, and how to check it with the files that
 * are attached to it. Everything in it has passed the scrubbing of what it was made of.
 */
export function issueText(input: IssueInput): string {
  const { about, bundle, answer, expected, happened } = input;
  const title = answer?.isLost === true ? `Forgets “${oneLine(answer.text, 80)}”` : about.title;
  const said = [
    ...(expected === undefined ? [] : [`**Expected:** ${escapeMarkdown(expected)}`, '']),
    ...(happened === undefined ? [] : [`**Happened:** ${escapeMarkdown(happened)}`, '']),
  ];
  return [
    `### ${escapeMarkdown(title)}`,
    '',
    ...said,
    '| | |',
    '|---|---|',
    ...rows(input).map(([name, value]) => `| ${name} | ${value} |`),
    '',
    '<details><summary>Policy</summary>',
    '',
    ...codeBlock('json', JSON.stringify(bundle.spec, null, 2)),
    '',
    '</details>',
    '',
    ...attached(input),
    '',
  ].join('\n');
}

function rows({ about, bundle, sums, answer }: IssueInput): readonly (readonly [string, string])[] {
  const { transcript, projection, tokens, scrub, slice, engineVersion } = bundle;
  const model = transcript.model === undefined ? '' : `, ${escapeMarkdown(transcript.model)}`;
  const outcomes = Object.entries(countFates(projection.fates)).map(([kind, count]) => `${grouped(count)} ${kind}`);
  return [
    ['Session', `${escapeMarkdown(transcript.format)}${model}, ${countOf(about.messages, 'message')}`],
    ['Call', escapeMarkdown(callWords(about))],
    ...(answer === undefined ? [] : [['The text', escapeMarkdown(answer.sentence)] as const]),
    ['Outcomes', outcomes.length === 0 ? 'no messages' : outcomes.join(', ')],
    ...(tokens === null ? [] : [['Tokens of messages', tokenWords(tokens)] as const]),
    ...(slice === undefined ? [] : [['Slice', sliceWords(slice, projection.at)] as const]),
    ['Prefix', `\`${sums.prefixHash}\``],
    ['Scrubbed', scrubWords(scrub)],
    ['Parallax', escapeMarkdown(engineVersion)],
  ];
}

function tokenWords({ raw, projected }: NonNullable<BundleInput['tokens']>): string {
  return `${figureSign(raw.provenance)}${grouped(raw.total)} → ${figureSign(projected.provenance)}${grouped(projected.total)}`;
}

function scrubWords(scrub: BundleInput['scrub']): string {
  if (scrub === undefined || !scrub.scrubbed) return '**no**: it holds what the session held';
  return doneWords(scrub.findings);
}

function attached({ bundleFile, pageFile }: IssueInput): readonly string[] {
  const lines: string[] = [];
  if (pageFile !== undefined) lines.push(`Open \`${plainName(pageFile)}\` in a browser: both sides, no network.`, '');
  if (bundleFile === undefined) return lines;
  lines.push(
    `Attached: \`${plainName(bundleFile)}\`. It opens in Parallax, and this checks it:`,
    '',
    ...codeBlock('sh', `parallax verify ${shellWord(bundleFile)}`),
  );
  return lines;
}

// A name inside backticks must not end them.
function plainName(name: string): string {
  return name.replaceAll(/[`\r\n]/g, '_');
}
