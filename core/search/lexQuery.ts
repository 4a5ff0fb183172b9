// browser-safe

/** A piece of a query: [from, to) in its text. */
export type QueryToken = { readonly from: number; readonly to: number } & (
  | { readonly kind: 'open' | 'close' | 'or' | 'and' | 'not' }
  /**
   * `quoted`: it was in quotes. `name`: what stands before a colon, where that may be a filter, or before another operator
   * `op`, where it is a field that is compared. `star`: ends in one.
   */
  | {
      readonly kind: 'text';
      readonly name: string | null;
      readonly op: FieldOperator;
      readonly text: string;
      readonly quoted: boolean;
      readonly star: boolean;
    }
);

/** What stands between a field and its value. */
export type FieldOperator = ':' | '=' | '>' | '>=' | '<' | '<=';

const NAME = /([a-z]{2,12})(:|[<>]=?|=)/iy;
const NONE = (): boolean => false;
const KEYWORDS = new Map<string, 'or' | 'and' | 'not'>([
  ['OR', 'or'],
  ['AND', 'and'],
  ['NOT', 'not'],
]);

/**
 * Cuts a query into pieces. A bracket opens only where a word could begin and closes only what is open: `foo(bar)` is
 * one piece. A quote that is not closed goes to the end. `isCompared`: whether a
 * name, in small letters, may stand before < > =.
 */
export function lexQuery(query: string, isCompared: (name: string) => boolean = NONE): QueryToken[] {
  const tokens: QueryToken[] = [];
  let depth = 0;
  let at = 0;
  while (at < query.length) {
    const char = query[at]!;
    if (/\s/.test(char)) {
      at++;
    } else if (char === '(') {
      depth++;
      tokens.push({ kind: 'open', from: at, to: ++at });
    } else if (char === ')' && depth > 0) {
      depth--;
      tokens.push({ kind: 'close', from: at, to: ++at });
    } else if (char === '-' && /[^\s-]/.test(query[at + 1] ?? ' ')) {
      tokens.push({ kind: 'not', from: at, to: ++at });
    } else {
      const token = lexText(query, at, depth > 0, isCompared);
      tokens.push(token);
      at = token.to;
    }
  }
  return tokens;
}

function lexText(query: string, from: number, inBrackets: boolean, isCompared: (name: string) => boolean): QueryToken {
  const [name, op] = nameAt(query, from, isCompared);
  const start = name === null ? from : from + name.length + op.length;
  if (query[start] === '"') {
    const close = query.indexOf('"', start + 1);
    const end = close < 0 ? query.length : close;
    const star = query[end + 1] === '*';
    const to = Math.min(query.length, end + (star ? 2 : 1));
    return { kind: 'text', name, op, text: query.slice(start + 1, end), quoted: true, star, from, to };
  }
  const to = endOfBare(query, start, inBrackets);
  const text = query.slice(start, to);
  const keyword = name === null ? KEYWORDS.get(text) : undefined;
  if (keyword !== undefined) return { kind: keyword, from, to };
  const star = text.endsWith('*');
  return { kind: 'text', name, op, text: star ? text.slice(0, -1) : text, quoted: false, star, from, to };
}

function nameAt(query: string, from: number, isCompared: (name: string) => boolean): [string | null, FieldOperator] {
  NAME.lastIndex = from;
  const [, name = null, op] = NAME.exec(query) ?? [];
  if (name === null || op === undefined || op === ':') return [name, ':'];
  // The pattern knows no other operators.
  return isCompared(name.toLowerCase()) ? [name, op as FieldOperator] : [null, ':'];
}

function endOfBare(query: string, start: number, inBrackets: boolean): number {
  let open = 0;
  for (let at = start; at < query.length; at++) {
    const char = query[at]!;
    if (/[\s"]/.test(char) && at > start) return at;
    if (/\s/.test(char)) return at;
    if (char === '(') open++;
    if (char !== ')') continue;
    if (open === 0 && inBrackets) return at;
    open--;
  }
  return query.length;
}
