import { FILTERS, type FilterName, filterNamed } from '../../core/search/filters.ts';

/** What could be completed where the caret is: [from, to) of the query is to be replaced. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  /** null = the name of a filter is being typed; else a value of this one. */
  readonly filter: FilterName | null;
  /** What is typed of it so far. */
  readonly typed: string;
}

/** What is offered in its place. */
export interface Suggestion {
  readonly text: string;
  readonly label: string;
  readonly help: string;
}

const NAMED = /(?:^|[\s(-])([a-z]+):("[^"]*|[^\s()"]*)$/i;
const BARE = /(?:^|[\s(-])([a-z]*)$/i;

/** What is being typed at the caret; null inside a phrase, or behind something that cannot be completed. */
export function completionAt(query: string, caret: number): Completion | null {
  const before = query.slice(0, caret);
  const named = NAMED.exec(before);
  if (named !== null) {
    const filter = filterNamed((named[1] ?? '').toLowerCase())?.name;
    const typed = named[2] ?? '';
    return filter === undefined
      ? null
      : { from: caret - typed.length, to: caret, filter, typed: typed.replace(/^"/, '') };
  }
  const quotes = before.split('"').length - 1;
  const bare = quotes % 2 === 0 ? BARE.exec(before) : null;
  if (bare === null) return null;
  const typed = bare[1] ?? '';
  return { from: caret - typed.length, to: caret, filter: null, typed };
}

const ALL_FILTERS: readonly Suggestion[] = FILTERS.map(({ name, help }) => ({
  text: `${name}:`,
  label: `${name}:`,
  help,
}));

/** The filters whose names begin with what is typed; all of them at the beginning of a word. */
export function filterSuggestions(typed: string): readonly Suggestion[] {
  return ALL_FILTERS.filter(({ text }) => text.startsWith(typed.toLowerCase()));
}

/** What can be written behind the word at the caret, where it is the beginning of nothing. */
export function furtherFilters(query: string, caret: number): { completion: Completion; found: readonly Suggestion[] } {
  const space = caret === 0 || query[caret - 1] === ' ' ? '' : ' ';
  const found = ALL_FILTERS.map((one) => ({ ...one, text: `${space}${one.text}` }));
  return { completion: { from: caret, to: caret, filter: null, typed: '' }, found };
}

/** A value as it is written in a query: in quotes where it has to be. */
export function writtenValue(value: string): string {
  return /[\s()"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value;
}

/** The query with a suggestion taken, and where the caret goes. A finished filter is followed by a space. */
export function complete(query: string, { from, to }: Completion, text: string): { query: string; caret: number } {
  const isFinished = !text.endsWith(':');
  const after = query.slice(to).replace(/^"/, '');
  const space = isFinished && !after.startsWith(' ') ? ' ' : '';
  const before = `${query.slice(0, from)}${text}${space}`;
  return { query: before + after, caret: before.length };
}
