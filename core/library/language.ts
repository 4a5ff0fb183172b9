// browser-safe
// The language of the list: search's grammar (docs/filter.md) with the fields of a transcript's line.

import { compileIn } from '../filter/compileIn.ts';
import type { FilterLanguage, LanguageField } from '../filter/language.ts';
import { isUsable, parseIn } from '../filter/parseIn.ts';
import type { FilterExpr, FilterRow, ParsedFilter } from '../filter/types.ts';
import { FINDING_KINDS } from '../insight/findings/types.ts';
import type { TranscriptSummary } from '../protocol/types.ts';
import { type FilterValue, filterNamed } from '../search/filters.ts';
import type { Now } from '../search/types.ts';
import { smallLetters } from '../util/canonicalForms.ts';
import { findingCount, lastActivity } from './query.ts';

/** Fields whose values are words. */
export type LibraryValue =
  | 'title'
  | 'project'
  | 'model'
  | 'format'
  | 'tool'
  | 'tag'
  | 'file'
  | 'note'
  | 'finding'
  | 'is'
  | 'has';

/** Fields whose values are numbers. */
export type LibraryNumber =
  | 'messages'
  | 'tokens'
  | 'size'
  | 'errors'
  | 'compactions'
  | 'problems'
  | 'findings'
  | 'again'
  | 'cost';

export type LibraryExpr = FilterExpr<LibraryValue, LibraryNumber>;

const value = (name: string, help: string): FilterValue => ({ value: name, help });
const ofSearch = (name: string): readonly FilterValue[] => filterNamed(name)?.values ?? [];

const KIND_HELP: Readonly<Record<(typeof FINDING_KINDS)[number], string>> = {
  forgotten: 'fetched again, because it was not in the request',
  rule: 'touches what a sentence forbids that was not in the request',
  dangling: 'points to what is not in the request',
  started_twice: 'a sub-agent with the same task, twice',
  cache_lost: 'recorded usage shows that the cache was lost',
  compaction_dropped: 'a compaction dropped what was used next',
  refused: 'a provider would refuse the next request',
};

const FINDINGS: readonly FilterValue[] = [
  value('any', 'at least one'),
  value('none', 'looked through, and none was found'),
  value('unknown', 'not looked through yet'),
  ...FINDING_KINDS.map((kind) => value(kind, KIND_HELP[kind])),
];

const KINDS = [
  value('failed', 'its import failed'),
  value('importing', 'it is still being read'),
  value('copy', 'it continues or copies another one'),
  value('subagent', 'a sub-agent’s'),
  value('branch', 'another branch of a conversation'),
  value('whatif', 'a what-if, made here'),
];

const HOLDS = [
  value('errors', 'failed results'),
  value('compactions', 'recorded compactions'),
  value('problems', 'problems of its import'),
  value('bookmarks', 'bookmarks'),
  value('notes', 'notes'),
  value('tags', 'tags'),
];

type Field = LanguageField<LibraryValue, LibraryNumber>;
const part = (name: LibraryValue, help: string, example: string): Field => {
  return { name, help, example, type: 'value', match: 'part', values: null };
};
const choice = (name: LibraryValue, help: string, example: string, values: readonly FilterValue[]): Field => {
  return { name, help, example, type: 'value', match: 'exact', values };
};
const number = (name: LibraryNumber, unit: string, help: string, example: string): Field => {
  return { name, help, example, type: 'number', unit };
};

/** All fields, in the order they are offered. */
export const LIBRARY_FIELDS: readonly Field[] = [
  part('project', 'a part of the project’s path', 'project:parallax'),
  part('model', 'a part of the model’s name', 'model:opus'),
  part('format', 'a part of the format’s name', 'format:codex'),
  part('tool', 'a tool that it calls, or the agent it is of', 'tool:Bash'),
  choice('finding', 'what was found in it', 'finding:cache_lost', FINDINGS),
  part('tag', 'a part of a tag', 'tag:keep'),
  part('title', 'a part of the title', 'title:login'),
  part('file', 'a part of a file’s path', 'file:rollout'),
  part('note', 'a part of a note', 'note:fuse'),
  choice('is', 'what kind of transcript it is', 'is:subagent', KINDS),
  choice('has', 'what it holds', 'has:errors', HOLDS),
  number('messages', 'messages', 'how many messages it has', 'messages>100'),
  number('tokens', 'tokens', 'tokens of its messages', 'tokens>100k'),
  number('size', 'bytes', 'bytes of its file', 'size>1m'),
  number('errors', 'results', 'failed results', 'errors>5'),
  number('compactions', 'compactions', 'recorded compactions', 'compactions>0'),
  number('problems', 'problems', 'problems of its import', 'problems>0'),
  number('findings', 'findings', 'findings; of one that was looked through', 'findings>3'),
  number('again', 'tokens', 'tokens fetched again', 'again>1k'),
  number('cost', 'US dollars', 'of its requests and answers, as recorded', 'cost>1'),
  {
    name: 'after',
    type: 'time',
    help: 'active not before that moment',
    example: 'after:7d',
    values: ofSearch('after'),
  },
  {
    name: 'before',
    type: 'time',
    help: 'last active before that moment',
    example: 'before:2026-01',
    values: ofSearch('before'),
  },
];

/** The language of the list. Words are looked for as they are typed, in title, first words, project, file name, tags, notes. */
export const LIBRARY_LANGUAGE: FilterLanguage<LibraryValue, LibraryNumber> = {
  fields: LIBRARY_FIELDS,
  fieldNamed: (name) => LIBRARY_FIELDS.find((field) => field.name === name),
  realValue: (_field, given) => given,
  words: ({ name, op, text }) => {
    const whole = smallLetters(`${name === null ? '' : name + op}${text}`);
    return whole === '' ? { kind: 'all' } : { kind: 'words', words: [whole], prefix: false };
  },
  emptyIsAny: true,
};

/** Reads what is typed above the list. */
export function parseLibraryFilter(text: string, now: Now): ParsedFilter<LibraryValue, LibraryNumber> {
  return parseIn(LIBRARY_LANGUAGE, text, now);
}

/** Whether a transcript says a word: the caller knows where it looks. */
export type SaysWord = (one: TranscriptSummary, word: string) => boolean;

/** A filter as a test of transcripts; null if it makes no sense. */
export function libraryTest(
  parsed: ParsedFilter<LibraryValue, LibraryNumber>,
  says: SaysWord,
): ((one: TranscriptSummary) => boolean) | null {
  if (!isUsable(parsed)) return null;
  const test = compileIn(LIBRARY_LANGUAGE, parsed.expr);
  return (one) => test(rowOf(one, says));
}

/** The words of a filter that asks for nothing but words; null for any other. */
export function onlyWords(expr: LibraryExpr): readonly string[] | null {
  if (expr.kind === 'words') return expr.words;
  if (expr.kind !== 'and') return null;
  const words = expr.of.map((one) => (one.kind === 'words' ? one.words : null));
  return words.includes(null) ? null : words.flatMap((one) => one ?? []);
}

function rowOf(one: TranscriptSummary, says: SaysWord): FilterRow<LibraryValue, LibraryNumber> {
  return {
    values: (field) => VALUES[field](one).map(smallLetters),
    number: (field) => NUMBERS[field](one),
    time: () => Date.parse(lastActivity(one)),
    says: ({ words }) => words.every((word) => says(one, word)),
  };
}

/** A transcript's values of a field, as they are written. */
export function libraryValues(one: TranscriptSummary, field: LibraryValue): readonly string[] {
  return VALUES[field](one);
}

const known = (...texts: readonly (string | null)[]): readonly string[] => texts.filter((text) => text !== null);

const VALUES: Readonly<Record<LibraryValue, (one: TranscriptSummary) => readonly string[]>> = {
  title: ({ title }) => [title],
  project: ({ project }) => known(project),
  model: ({ model }) => known(model),
  format: ({ format }) => [format],
  tool: ({ format, survey }) => [format, ...(survey?.tools ?? [])],
  tag: ({ tags }) => tags,
  file: ({ files }) => files,
  note: ({ noteText }) => known(noteText === '' ? null : noteText),
  finding: findingValues,
  is: ({ state, base, under, whatIf }) => [
    ...(state === 'ready' ? [] : [state]),
    ...(base === null ? [] : ['copy']),
    ...(under?.as === 'agent' ? ['subagent'] : []),
    ...(under?.as === 'branch' ? ['branch'] : []),
    ...(whatIf === null ? [] : ['whatif']),
  ],
  has: (one) => [
    ...((one.errors ?? 0) > 0 ? ['errors'] : []),
    ...(one.compactions > 0 ? ['compactions'] : []),
    ...(one.problems > 0 || one.state === 'failed' ? ['problems'] : []),
    ...(one.bookmarks > 0 ? ['bookmarks'] : []),
    ...(one.notes > 0 ? ['notes'] : []),
    ...(one.tags.length > 0 ? ['tags'] : []),
  ],
};

/** Kinds of findings of a transcript, with `any`, `none` or `unknown`: what was not looked through has not none. */
export function findingValues(one: Pick<TranscriptSummary, 'survey'>): readonly string[] {
  const count = findingCount(one);
  if (count === null) return ['unknown'];
  return count === 0 ? ['none'] : ['any', ...(one.survey?.findings.map(({ kind }) => kind) ?? [])];
}

const NUMBERS: Readonly<Record<LibraryNumber, (one: TranscriptSummary) => number | null>> = {
  messages: ({ messages }) => messages,
  tokens: ({ tokens }) => tokens,
  size: ({ bytes }) => bytes,
  errors: ({ errors }) => errors,
  compactions: ({ compactions }) => compactions,
  problems: ({ problems }) => problems,
  findings: findingCount,
  again: ({ survey }) => (survey === null || survey.failure !== null ? null : survey.again.tokens),
  cost: ({ survey }) => survey?.cost ?? null,
};
