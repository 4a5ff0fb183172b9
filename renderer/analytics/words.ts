// How figures of many transcripts are said. Recorded ones stand plain; what is not recorded is a dash.
import type { StatFigures, StatStack } from '../../core/protocol/types.ts';
import { partialSum } from '../../core/view/costCover.ts';
import { projectName } from '../library/groups.ts';
import { formatCost, formatCount, formatShort } from '../ui/format.ts';

/** What bars show. */
export type Measure = 'cost' | 'input' | 'transcripts';
/** What the table has a line for. */
export type GroupBy = 'day' | 'project' | 'model' | 'tool';

export const MEASURES: readonly { readonly value: Measure; readonly title: string }[] = [
  { value: 'cost', title: 'Cost' },
  { value: 'input', title: 'Tokens' },
  { value: 'transcripts', title: 'Transcripts' },
];

export const GROUPS: readonly { readonly value: GroupBy; readonly title: string }[] = [
  { value: 'day', title: 'Day' },
  { value: 'project', title: 'Project' },
  { value: 'model', title: 'Model' },
  { value: 'tool', title: 'Tool' },
];

const NONE: Readonly<Record<GroupBy, string>> = {
  day: 'No date',
  project: 'No project',
  model: 'No model',
  tool: 'No tool',
};

/** A group by name; a day as people write it. */
export function groupTitle(by: GroupBy, value: string): string {
  if (value === '') return NONE[by];
  if (by === 'project') return projectName(value);
  return by === 'day' ? dayTitle(value) : value;
}

/** `26 Jul`; with the year where it is not this one's. The day is one already: no zone may move it. */
export function dayTitle(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const isNow = day.startsWith(String(new Date().getFullYear()));
  const year = isNow ? {} : ({ year: 'numeric' } as const);
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC', ...year });
}

/** A measure of a group in words. */
export function formatMeasure(measure: Measure, value: number | null): string {
  if (value === null) return '–';
  return measure === 'cost' ? formatCost(value) : measure === 'input' ? formatShort(value) : formatCount(value);
}

/** The measure of a group; a cost says so where some of its requests have no price. */
export function figureText(figures: StatFigures, measure: Measure): string {
  const text = formatMeasure(measure, measured(figures, measure));
  return measure === 'cost' && figures.cost !== null ? partialSum(text, figures.unpriced) : text;
}

/** The measure of sums; null = nothing of it is recorded. */
export function measured(figures: StatFigures | StatStack, measure: Measure): number | null {
  return figures[measure];
}

/** `98.2%`: the share of recorded input that was read from the cache. */
export function cacheShare({ input, cacheRead }: StatFigures): string {
  if (input === null || cacheRead === null || input === 0) return '–';
  return `${((100 * cacheRead) / input).toFixed(1)}%`;
}
