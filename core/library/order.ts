// browser-safe
import type { TranscriptSummary } from '../protocol/types.ts';
import { findingCount, type GroupKey, type LibraryView, lastActivity, NO_VALUE, type SortKey } from './query.ts';

/** Transcripts that are shown under one heading; `value` = {@link NO_VALUE} for those without a value. */
export interface LibraryGroup {
  readonly value: string;
  readonly transcripts: readonly TranscriptSummary[];
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

type Value = string | number | null;

const VALUES: Readonly<Record<SortKey, (one: TranscriptSummary) => Value>> = {
  activity: lastActivity,
  started: (one) => one.startedAt,
  imported: (one) => one.importedAt,
  title: (one) => one.title,
  format: (one) => one.format,
  project: (one) => one.project,
  model: (one) => one.model,
  bytes: (one) => one.bytes,
  messages: (one) => one.messages,
  tokens: (one) => one.tokens,
  errors: (one) => one.errors,
  compactions: (one) => one.compactions,
  problems: (one) => one.problems,
  findings: findingCount,
  again: ({ survey }) => (survey === null || survey.failure !== null ? null : survey.again.tokens),
  cost: ({ survey }) => survey?.cost ?? null,
};

/** Texts that are times are compared as they are: ISO times order as texts. */
const IS_WORDS: ReadonlySet<SortKey> = new Set(['title', 'format', 'project', 'model']);

/** Whether a column begins with its largest when it is first sorted by. */
export function beginsDescending(key: SortKey): boolean {
  return !IS_WORDS.has(key);
}

/** In order; those without a value last whichever way; equals by the last activity, title, id. */
export function sortTranscripts(
  transcripts: readonly TranscriptSummary[],
  { sort, descending }: Pick<LibraryView, 'sort' | 'descending'>,
): readonly TranscriptSummary[] {
  const read = VALUES[sort];
  const compare = IS_WORDS.has(sort) ? compareWords : compareValues;
  const sign = descending ? -1 : 1;
  const keyed = transcripts.map((one) => ({ one, value: read(one), time: lastActivity(one) }));
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null) {
      if (a.value !== b.value) return a.value === null ? 1 : -1;
    } else {
      const order = compare(a.value, b.value);
      if (order !== 0) return sign * order;
    }
    return compareValues(b.time, a.time) || compareWords(a.one.title, b.one.title) || compareValues(a.one.id, b.one.id);
  });
  return keyed.map(({ one }) => one);
}

function compareValues(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareWords(a: string | number, b: string | number): number {
  return collator.compare(String(a), String(b));
}

/** Groups sorted transcripts: groups in the order of their first transcript, days by time, what has no value last. */
export function groupTranscripts(transcripts: readonly TranscriptSummary[], group: GroupKey): readonly LibraryGroup[] {
  if (group === 'none') return transcripts.length === 0 ? [] : [{ value: NO_VALUE, transcripts }];
  const groups = new Map<string, TranscriptSummary[]>();
  for (const one of transcripts) {
    const value = groupOf(one, group);
    const list = groups.get(value);
    if (list) list.push(one);
    else groups.set(value, [one]);
  }
  const made = [...groups].map(([value, members]) => ({ value, transcripts: members }));
  if (group === 'day') made.sort((a, b) => compareValues(b.value, a.value));
  return made.sort((a, b) => Number(a.value === NO_VALUE) - Number(b.value === NO_VALUE));
}

function groupOf(one: TranscriptSummary, group: Exclude<GroupKey, 'none'>): string {
  switch (group) {
    case 'project':
      return one.project ?? NO_VALUE;
    case 'format':
      return one.format;
    case 'model':
      return one.model ?? NO_VALUE;
    case 'day':
      return (one.endedAt ?? one.startedAt)?.slice(0, 10) ?? NO_VALUE;
  }
}

/**
 * What distinguishes transcripts with the same title, by id: the first of first words, time and file name that differ
 * within all of one title. `timeOf` = how a time is shown (default: as recorded, to the minute).
 */
export function distinguish(
  transcripts: readonly TranscriptSummary[],
  timeOf: (iso: string) => string = (iso) => iso.slice(0, 16).replace('T', ' '),
): ReadonlyMap<string, string> {
  const signs = signsOf(timeOf);
  const byTitle = new Map<string, TranscriptSummary[]>();
  for (const one of transcripts) {
    const list = byTitle.get(one.title);
    if (list) list.push(one);
    else byTitle.set(one.title, [one]);
  }
  const words = new Map<string, string>();
  for (const twins of byTitle.values()) {
    if (twins.length < 2) continue;
    const sign = signs.find((one) => new Set(twins.map(one)).size > 1) ?? signs[1];
    for (const one of twins) words.set(one.id, sign?.(one) ?? '');
  }
  return words;
}

const signsOf = (timeOf: (iso: string) => string): readonly ((one: TranscriptSummary) => string)[] => [
  ({ firstText, title }) => (firstText === title ? '' : (firstText ?? '')),
  (one) => timeOf(lastActivity(one)),
  ({ files }) => files[0]?.split(/[\\/]/).at(-1) ?? '',
  ({ id }) => id.slice(0, 8),
];
