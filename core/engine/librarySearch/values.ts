import type { FilterValueInfo } from '../../protocol/types.ts';
import { type FilterName, filterNamed } from '../../search/filters.ts';
import type { Engine } from '../engine.ts';

const VALUES_MAX = 50;

/** What may be written behind a filter's name in this library: values that hold `text`, the most frequent first. */
export function filterValues({ library }: Engine, filter: FilterName, text: string): readonly FilterValueInfo[] {
  const wanted = text.toLowerCase();
  const values = allValues(library, filter).filter(({ value, label }) =>
    `${value} ${label ?? ''}`.toLowerCase().includes(wanted),
  );
  return values.slice(0, VALUES_MAX);
}

function allValues(library: Engine['library'], filter: FilterName): readonly FilterValueInfo[] {
  const { searchQueries } = library.tables;
  switch (filter) {
    case 'tool':
      return [...searchQueries.tools()].sort(byName).map((value) => ({ value, label: null, count: null }));
    case 'model':
      return counted(searchQueries.transcripts().flatMap(({ models }): string[] => JSON.parse(models)));
    case 'format':
      return counted(searchQueries.transcripts().map(({ format }) => format));
    case 'project':
      return counted(searchQueries.titles().flatMap(({ project, cwd }) => project ?? cwd ?? []));
    case 'in':
      return titled(library);
    case 'role':
    case 'is':
    case 'has':
    case 'before':
    case 'after':
      return (filterNamed(filter)?.values ?? []).map(({ value, help }) => ({ value, label: help, count: null }));
  }
}

/** Names that begin with a letter first. */
function byName(a: string, b: string): number {
  const isOdd = (name: string) => (/^\p{L}/u.test(name) ? 0 : 1);
  return isOdd(a) - isOdd(b) || (a < b ? -1 : 1);
}

function titled(library: Engine['library']): readonly FilterValueInfo[] {
  const uids = new Map(library.tables.searchQueries.transcripts().map(({ id, uid }) => [id, uid]));
  return library.tables.searchQueries.titles().flatMap(({ id, title, sessionId }) => {
    const uid = uids.get(id);
    return uid === undefined ? [] : [{ value: uid.slice(0, 12), label: title ?? sessionId ?? uid, count: null }];
  });
}

function counted(values: readonly string[]): readonly FilterValueInfo[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value, count]) => ({ value, label: null, count }));
}
