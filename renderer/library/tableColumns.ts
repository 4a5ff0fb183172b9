import { beginsDescending } from '../../core/library/order.ts';
import { findingCount, type GroupKey, type SortKey } from '../../core/library/query.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { partialSum } from '../../core/view/costCover.ts';
import { figureSign, formatBytes, formatCost, formatCount, formatShort } from '../ui/format.ts';
import { dayTime, utcTime } from '../ui/time.ts';
import { projectName } from './groups.ts';
import { formatName } from './words.ts';

/** What the list is sorted by, in words; the heading of a column. */
export const SORT_WORDS: Readonly<Record<SortKey, string>> = {
  activity: 'Last activity',
  started: 'Started',
  imported: 'Imported',
  title: 'Title',
  format: 'Tool',
  project: 'Project',
  model: 'Model',
  bytes: 'Size',
  messages: 'Messages',
  tokens: 'Tokens',
  errors: 'Errors',
  compactions: 'Compactions',
  problems: 'Problems',
  findings: 'Findings',
  again: 'Again, tok',
  cost: 'Cost',
};

/** A column of the wide library. */
export interface Column {
  readonly key: SortKey;
  readonly title: string;
  /** Pixels at first; the title takes what is left. */
  readonly width: number;
  readonly isNumber: boolean;
  readonly text: (one: TranscriptSummary) => string;
  /** Shown on hover in place of the row's own text. */
  readonly hover?: (one: TranscriptSummary) => string;
}

const number = (value: number | null) => (value === null ? '' : value === 0 ? '–' : formatCount(value));

const column = (key: SortKey, width: number, text: Column['text']): Column => ({
  key,
  width,
  text,
  title: SORT_WORDS[key],
  isNumber: beginsDescending(key) && key !== 'activity' && key !== 'imported',
});

/** All columns in order; the title's cell also holds tags and marks. */
export const COLUMNS: readonly Column[] = [
  column('title', 0, (one) => one.title),
  column('format', 104, (one) => formatName(one.format)),
  column('project', 130, (one) => (one.project === null ? '' : projectName(one.project))),
  column('model', 196, (one) => one.model ?? ''),
  { ...column('activity', 136, (one) => dayTime(lastTime(one))), hover: (one) => utcTime(lastTime(one)) },
  column('bytes', 76, (one) => formatBytes(one.bytes)),
  column('messages', 80, (one) => formatCount(one.messages)),
  column('tokens', 92, tokens),
  column('findings', 78, findingsText),
  column('again', 84, againText),
  column('cost', 92, costText),
  column('errors', 62, (one) => number(one.errors)),
  column('compactions', 92, (one) => number(one.compactions)),
];

function lastTime({ endedAt, startedAt }: TranscriptSummary): string | null {
  return endedAt ?? startedAt;
}

// What was not looked through yet has not none: a dot, not a dash.
const UNKNOWN = '·';

function findingsText(one: TranscriptSummary): string {
  const count = findingCount(one);
  return count === null ? UNKNOWN : number(count);
}

function againText(one: TranscriptSummary): string {
  const { survey } = one;
  if (survey === null || survey.failure !== null) return UNKNOWN;
  return survey.again.tokens === 0 ? '–' : `${figureSign(survey.provenance)}${formatShort(survey.again.tokens)}`;
}

// Recorded, so without a sign.
function costText({ survey }: TranscriptSummary): string {
  if (survey === null || survey.failure !== null) return UNKNOWN;
  return survey.cost === null ? '–' : partialSum(formatCost(survey.cost), survey.unpriced);
}

function tokens(one: TranscriptSummary): string {
  if (one.tokens === null) return '';
  return `${figureSign(one.tokensProvenance)}${formatCount(one.tokens)}`;
}

export const MIN_WIDTH = 44;
const TITLE_MIN = 220;

/** Columns with their widths, as many as fit beside the title; those at the end are left out first. */
export function fitColumns(
  width: number,
  own: Readonly<Record<string, number>>,
  group: GroupKey,
): readonly (Column & { readonly px: number })[] {
  let left = width - TITLE_MIN;
  const fitting: (Column & { readonly px: number })[] = [];
  for (const one of COLUMNS) {
    // The headings say it.
    if (one.key === group) continue;
    const px = one.key === 'title' ? 0 : Math.max(MIN_WIDTH, own[one.key] ?? one.width);
    if (px > left) continue;
    left -= px;
    fitting.push({ ...one, px });
  }
  return fitting.map((one) => (one.key === 'title' ? { ...one, px: TITLE_MIN + left } : one));
}
