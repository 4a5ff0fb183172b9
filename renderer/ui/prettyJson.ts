// Indents JSON text without parsing it into values: numbers, escapes and repeated keys stay exactly as they are written,
// and a text that was cut off is indented as far as it goes.

const INDENT = '  ';

/** The text with line breaks and two spaces a level. Text that is not JSON comes out with its own characters all the same. */
export function prettyJson(text: string): string {
  const out: string[] = [];
  let depth = 0;
  let at = 0;
  const newLine = () => out.push('\n', INDENT.repeat(depth));
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '"') {
      const end = endOfString(text, at);
      out.push(text.slice(at, end));
      at = end;
      continue;
    }
    at += 1;
    if (char === '{' || char === '[') {
      const close = nextSolid(text, at);
      if (text[close] === '}' || text[close] === ']') {
        out.push(char, text[close] ?? '');
        at = close + 1;
        continue;
      }
      depth += 1;
      out.push(char);
      newLine();
    } else if (char === '}' || char === ']') {
      depth = Math.max(0, depth - 1);
      newLine();
      out.push(char);
    } else if (char === ',') {
      out.push(char);
      newLine();
    } else if (char === ':') out.push(': ');
    else if (!isSpace(char)) out.push(char);
  }
  return out.join('');
}

/** The text indented if it is JSON of an object or array and not too long to be worth it; null otherwise. */
export function prettyIfJson(text: string, limit = 300_000): string | null {
  const first = text.trimStart()[0];
  if ((first !== '{' && first !== '[') || text.length > limit) return null;
  try {
    JSON.parse(text);
    return prettyJson(text);
  } catch {
    // Not JSON after all: shown as the text it is.
    return null;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(text.length, at + 1);
}

function nextSolid(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text[at] ?? '')) at += 1;
  return at;
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t';
}
