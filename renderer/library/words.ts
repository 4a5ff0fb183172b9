// How the list's facts are said in words.

import type { FlagFacet, GroupKey, ValueFacet } from '../../core/library/query.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { partialSum } from '../../core/view/costCover.ts';
import { titleOfKind } from '../ui/findingWords.ts';
import { formatBytes, formatCost, plural } from '../ui/format.ts';
import { dayTime, shortTime, utcTime } from '../ui/time.ts';

export const GROUP_WORDS: Readonly<Record<GroupKey, string>> = {
  project: 'Project',
  format: 'Tool',
  model: 'Model',
  day: 'Day',
  none: 'No groups',
};

export const FACET_WORDS: Readonly<Record<ValueFacet, string>> = {
  finding: 'Findings',
  format: 'Tool',
  project: 'Project',
  model: 'Model',
  tag: 'Tag',
};

/** A value of the findings' facet in words. */
export function findingFacet(value: string): string {
  if (value === 'none') return 'No findings';
  return value === 'unknown' ? 'Not looked through yet' : titleOfKind(value);
}

/** What was found in a transcript, a line each kind, dearest first; that it is not known where it is not. */
export function describeFindings({ survey, state }: TranscriptSummary): string {
  if (survey === null) return state === 'ready' ? 'findings: not looked through yet' : '';
  if (survey.failure !== null) return `findings: could not be looked through: ${survey.failure}`;
  const kinds = survey.findings.map(({ kind, count }) => `${count} × ${titleOfKind(kind).toLowerCase()}`);
  const cost = survey.cost === null ? '' : `, cost ${partialSum(formatCost(survey.cost), survey.unpriced)} as recorded`;
  return `findings: ${kinds.length === 0 ? 'none' : kinds.join(', ')}${cost}`;
}

export const FLAG_WORDS: Readonly<Record<FlagFacet, string>> = {
  errors: 'Has errors',
  compactions: 'Has compactions',
  problems: 'Has problems',
  bookmarks: 'Has bookmarks',
  notes: 'Has notes',
  copies: 'Continues or copies another',
};

/** `claude-code` → `claude code`. */
export function formatName(format: string): string {
  return format.replaceAll('-', ' ');
}

/** What is said of a transcript under its title: when it was last active, and on which model. */
export function underTitle(one: TranscriptSummary, now: number, zone?: string): string {
  const time = shortTime(one.endedAt ?? one.startedAt, now, zone);
  return [time, one.model === null ? '' : shortModel(one.model)].filter(Boolean).join(' · ');
}

/** `claude-sonnet-4-5-20250929` → `sonnet-4-5`: without maker and date. */
export function shortModel(model: string): string {
  const name = model.split('/').at(-1) ?? model;
  return name.replace(/^claude-/, '').replace(/-\d{8}$/, '');
}

/** What a transcript has in common with another one; null if nothing is known. */
export function describeBase(one: TranscriptSummary, titleOf: (id: string) => string | null): string | null {
  const { base } = one;
  if (base === null) return null;
  const name = `“${titleOf(base.id) ?? base.id}”`;
  const all = plural(base.shared, 'message');
  if (base.shared === one.messages && base.shared === base.messages) return `Copy of ${name}, ${all}`;
  if (base.shared === base.messages) return `Continues ${name}: its ${all} come first`;
  return `Begins like ${name}: ${base.shared} of ${plural(one.messages, 'message')} the same`;
}

/** Everything about a transcript, for the tooltip. */
export function describeSummary(one: TranscriptSummary, more: readonly (string | null)[]): string {
  const lines = [
    one.title,
    one.toolTitle === null ? '' : `the tool's title: ${one.toolTitle}`,
    `${formatName(one.format)} · ${plural(one.messages, 'message')} · ${formatBytes(one.bytes)}`,
    one.model ?? '',
    one.tokens === null ? 'tokens not counted yet' : `${plural(one.tokens, 'token')}, ${one.tokensProvenance}`,
    one.endedAt === null ? '' : `last activity ${dayTime(one.endedAt)} (${utcTime(one.endedAt)})`,
    one.errors ? plural(one.errors, 'error') : '',
    one.compactions > 0 ? plural(one.compactions, 'compaction') : '',
    one.problems > 0 ? plural(one.problems, 'problem') : '',
    describeFindings(one),
    one.tags.length > 0 ? `tags: ${one.tags.join(', ')}` : '',
    one.notes > 0 ? plural(one.notes, 'note') : '',
    one.bookmarks > 0 ? plural(one.bookmarks, 'bookmark') : '',
    one.state === 'failed' ? 'The import failed.' : '',
    ...more,
  ];
  return lines.filter(Boolean).join('\n');
}
