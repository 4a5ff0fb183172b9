// A JSON value as a literal of another language. Strings are written again from their values, so that an escape means the same in
// all of them; numbers stay as they were recorded.
import { isRecord } from '../util/unknown.ts';
import { unseenEscaped } from '../util/unseen.ts';
import { JsonNode } from '../wire/jsonNode.ts';

/** How a language writes what JSON can hold. */
export interface LiteralStyle {
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  /** Of one indent. */
  readonly indent: string;
  /** Between the braces of an object on one line and what is in it. */
  readonly pad: '' | ' ';
  string(value: string): string;
  /** A member's name. */
  key(name: string): string;
  /** In front of a value that the language's types would not take as it is, and behind it. */
  around?(node: JsonNode, path: readonly (string | number)[]): readonly [string, string] | null;
}

/** TypeScript: names without quotes where they may be. */
export const TYPESCRIPT: LiteralStyle = {
  words: { true: 'true', false: 'false', null: 'null' },
  indent: '  ',
  pad: ' ',
  string: (value) => unseenEscaped(JSON.stringify(value), 'units'),
  key(name) {
    // As a plain member it would be the object's prototype.
    if (name === '__proto__') return '["__proto__"]';
    return /^[A-Za-z_$][\w$]*$/.test(name) ? name : this.string(name);
  },
};

/** Python. Its strings hold code points: a pair of surrogates is one character. */
export const PYTHON: LiteralStyle = {
  words: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
  pad: '',
  string: (value) => unseenEscaped(JSON.stringify(value), 'points'),
  key(name) {
    return this.string(name);
  },
};

/** A line of TypeScript that imports names of a package. */
export function importLine(names: string, from: string): string {
  return ['import', names, 'from', `'${from}';`].join(' ');
}

/** Characters up to which a list or an object stands on one line. */
const INLINE = 100;

/** The literal of a JSON text, its first line without indent. Throws SyntaxError if it is not JSON. */
export function literalOf(json: string, style: LiteralStyle, depth = 0): string {
  return literal(JsonNode.parse(json), style, depth, []);
}

function literal(node: JsonNode, style: LiteralStyle, depth: number, path: readonly (string | number)[]): string {
  const [before, behind] = style.around?.(node, path) ?? ['', ''];
  return `${before}${plain(node, style, depth, path)}${behind}`;
}

function plain(node: JsonNode, style: LiteralStyle, depth: number, path: readonly (string | number)[]): string {
  const { value } = node;
  if (typeof value === 'string') return style.string(value);
  if (typeof value === 'boolean') return value ? style.words.true : style.words.false;
  if (value === null) return style.words.null;
  if (typeof value === 'number') return node.text;
  const [open, close] = node.isArray ? '[]' : '{}';
  const isInline = isShort(node);
  const inner = isInline ? depth : depth + 1;
  const entries = node.isArray
    ? node.elements.map((each, at) => literal(each, style, inner, [...path, at]))
    : [...node.members].map(([name, each]) => `${style.key(name)}: ${literal(each, style, inner, [...path, name])}`);
  if (entries.length === 0) return `${open}${close}`;
  if (isInline) return node.isArray ? `[${entries.join(', ')}]` : `{${style.pad}${entries.join(', ')}${style.pad}}`;
  const pad = style.indent.repeat(inner);
  return `${open}\n${entries.map((entry) => `${pad}${entry},\n`).join('')}${style.indent.repeat(depth)}${close}`;
}

function isShort(node: JsonNode): boolean {
  return node.text.length <= INLINE && (node.isArray || isRecord(node.value));
}
