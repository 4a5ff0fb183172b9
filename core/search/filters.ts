// browser-safe

/** A filter of the query language: its name, what it takes, and a line about it. */
export interface Filter {
  readonly name: FilterName;
  readonly help: string;
  /** All values there are; null where the library decides or anything can be said. */
  readonly values: readonly FilterValue[] | null;
  readonly example: string;
}

export interface FilterValue {
  readonly value: string;
  readonly help: string;
}

/** Their names. */
export const FILTER_NAMES = [
  'role',
  'tool',
  'is',
  'has',
  'model',
  'format',
  'project',
  'in',
  'after',
  'before',
] as const;

export type FilterName = (typeof FILTER_NAMES)[number];

const value = (name: string, help: string): FilterValue => ({ value: name, help });

const MOMENTS = [
  value('today', 'since midnight'),
  value('yesterday', 'since yesterday’s midnight'),
  value('7d', '7 days ago; also h, w, m, y'),
  value('2026-01-05', 'a day, a month or a year'),
];

/** All filters, in the order they are offered. */
export const FILTERS: readonly Filter[] = [
  {
    name: 'role',
    help: 'who the message is from',
    example: 'role:user',
    values: [
      value('user', 'written by the user, or in the user’s name'),
      value('assistant', 'by the model'),
      value('tool', 'nothing but results of tools'),
      value('system', 'system prompt in the history'),
    ],
  },
  { name: 'tool', help: 'calls of a tool and their results', example: 'tool:Bash', values: null },
  {
    name: 'is',
    help: 'what kind of message it is',
    example: 'is:error',
    values: [
      value('error', 'holds a result that is an error'),
      value('injected', 'written by the client, not by a person'),
      value('queued', 'typed by a person while the agent worked'),
      value('compaction', 'the summary of a compaction'),
      value('sidechain', 'belongs to a sub-agent’s chain'),
    ],
  },
  {
    name: 'has',
    help: 'what the message holds',
    example: 'has:image',
    values: [
      value('call', 'a tool call'),
      value('result', 'a tool result'),
      value('thinking', 'readable reasoning'),
      value('signature', 'signed reasoning'),
      value('encrypted', 'reasoning nobody can read'),
      value('image', 'an image'),
      value('file', 'a file'),
    ],
  },
  { name: 'model', help: 'a part of the model’s name', example: 'model:opus', values: null },
  { name: 'format', help: 'a part of the format’s name', example: 'format:codex', values: null },
  { name: 'project', help: 'a part of the project’s path', example: 'project:parallax', values: null },
  { name: 'in', help: 'one transcript, by a part of its title or by its id', example: 'in:login', values: null },
  { name: 'after', help: 'not before that moment', example: 'after:7d', values: MOMENTS },
  { name: 'before', help: 'before that moment', example: 'before:2026-01-05', values: MOMENTS },
];

/** The filter of that name in lower case; undefined if there is none. */
export function filterNamed(name: string): Filter | undefined {
  return FILTERS.find((filter) => filter.name === name);
}

/** The name that was probably meant: one letter too many, too few, wrong, or two swapped. */
export function likelyFilter(name: string): FilterName | null {
  if (name.length < 3) return null;
  return FILTERS.find((filter) => filter.name.length > 2 && isNear(name, filter.name))?.name ?? null;
}

/** True if the two differ by one letter too many, too few, wrong, or by two swapped. */
export function isNear(a: string, b: string): boolean {
  if (a === b) return true;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const left = a.slice(start, a.length - end);
  const right = b.slice(start, b.length - end);
  const swapped = left.length === 2 && right === `${left[1]}${left[0]}`;
  return swapped || (left.length <= 1 && right.length <= 1);
}
