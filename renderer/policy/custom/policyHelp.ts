// What the editor of a policy says about a policy's world. Names and shapes are those of the stored messages; nothing
// here runs: what the code does wrong, the run says.
import type { Completion, LanguageHelp } from '../../monaco/languageHelp.ts';

interface Field {
  readonly of: string;
  readonly name: string;
  readonly type: string;
  readonly doc?: string;
}

const FIELDS: readonly Field[] = [
  { of: 'Message', name: 'role', type: "'system' | 'developer' | 'user' | 'assistant' | 'tool'" },
  { of: 'Message', name: 'content', type: 'string | Block[] | null' },
  {
    of: 'Message',
    name: 'tool_calls',
    type: 'ToolCall[]',
    doc: 'Chat Completions: the calls an assistant message makes.',
  },
  {
    of: 'Message',
    name: 'tool_call_id',
    type: 'string',
    doc: 'Chat Completions: which call a tool message answers.',
  },
  { of: 'Block', name: 'type', type: "'text' | 'thinking' | 'tool_use' | 'tool_result' | 'image' | …" },
  { of: 'text', name: 'text', type: 'string', doc: 'Plain text.' },
  { of: 'thinking', name: 'thinking', type: 'string', doc: 'Reasoning; with a signature it must stay as it is.' },
  { of: 'thinking', name: 'signature', type: 'string' },
  { of: 'tool_use', name: 'id', type: 'string' },
  { of: 'tool_use', name: 'name', type: 'string' },
  { of: 'tool_use', name: 'input', type: 'unknown', doc: 'Arguments of the call, in the form of Anthropic’s API.' },
  { of: 'tool_result', name: 'tool_use_id', type: 'string', doc: 'The call that this result answers.' },
  { of: 'tool_result', name: 'is_error', type: 'boolean' },
  { of: 'image', name: 'source', type: 'object' },
  { of: 'ToolCall', name: 'function', type: '{ name: string; arguments: string }' },
  { of: 'PolicyResult', name: 'messages', type: 'Message[]', doc: 'The messages of the next request, in order.' },
  { of: 'PolicyResult', name: 'reason', type: 'string', doc: 'Recorded with the projection.' },
  {
    of: 'PolicyResult',
    name: 'kept_indices',
    type: 'number[]',
    doc: 'For each returned message the index it had in `messages`; strictly increasing.',
  },
  { of: 'PolicyResult', name: 'dropped_indices', type: 'number[]', doc: 'The indices that are left out.' },
];

const words = (text: string) => text.split(' ');

const METHODS = words(
  'at concat endsWith entries every filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys lastIndexOf length map match matchAll padEnd padStart push reduce repeat replace replaceAll reverse slice some sort split startsWith toLowerCase toSorted toUpperCase trim values with',
);

/** Of those objects that a policy can name: what is behind their dot. */
const MEMBERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['console', words('log warn error')],
  ['JSON', words('parse stringify')],
  ['Math', words('abs ceil floor max min round sign sqrt trunc')],
  ['Object', words('assign entries freeze fromEntries hasOwn keys values')],
  ['Array', words('from isArray of')],
  ['Number', words('isFinite isInteger isNaN parseFloat parseInt')],
  ['String', words('fromCharCode fromCodePoint raw')],
]);

const KEYWORDS = words(
  'break case catch const continue default else false finally for function if in let new null of return switch throw true try typeof undefined while Map Set RegExp',
);

const NAME = /[A-Za-z_$][\w$]*/g;

const asMethods = (names: readonly string[]): readonly Completion[] =>
  names.map((name) => ({ name, kind: 'method' as const }));

function fieldCompletions(): readonly Completion[] {
  const byName = Map.groupBy(FIELDS, ({ name }) => name);
  return [...byName].map(([name, fields]) => {
    const doc = fields.find((field) => field.doc !== undefined)?.doc;
    const detail = fields.map(({ of, type }) => `${of}: ${type}`).join('; ');
    return { name, kind: 'field' as const, detail, ...(doc !== undefined && { doc }) };
  });
}

function completionsAt(line: string, text: string): readonly Completion[] {
  const dotted = /([A-Za-z_$][\w$]*)?[)\]]?\??\.\s*[\w$]*$/.exec(line);
  if (dotted) {
    const members = MEMBERS.get(dotted[1] ?? '');
    return members ? asMethods(members) : [...fieldCompletions(), ...asMethods(METHODS)];
  }
  const begun = /[\w$]*$/.exec(line)?.[0] ?? '';
  const written = (text.match(NAME) ?? []).filter((name) => name !== begun);
  const all = new Set([...written, ...KEYWORDS, ...MEMBERS.keys()]);
  return [...all].map((name) => ({ name, kind: 'word' as const }));
}

function meaningOf(word: string): readonly string[] {
  return FIELDS.filter(({ name }) => name === word).flatMap(({ of, name, type, doc }) => [
    `\`${of}.${name}: ${type}\``,
    ...(doc === undefined ? [] : [doc]),
  ]);
}

export const POLICY_HELP: LanguageHelp = { completionsAt, meaningOf };
