// The texts a source holds for people to read, told apart from names, keys and paths.
import { parseSync } from 'vite';

/** A text of a source, and the line it begins in (from 1). What is put into a template is `…`. */
export interface SourceText {
  readonly line: number;
  readonly text: string;
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number };

/** Attributes whose values nobody reads. */
const SILENT = /^(className|id|key|htmlFor|role|type|name|data-.+|testId|style|href|src|d|viewBox|transform)$/;

/** Nodes whose strings are names: imports, types, keys, comparisons. */
const NAMING = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'TSLiteralType']);

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** Whether a literal is for people: it has a blank, or begins as a sentence or a label does. */
function isProse(text: string): boolean {
  return /\s/.test(text.trim()) || /^[A-Z][a-z’'-]+[.…:?!]?$/.test(text);
}

function templateText(node: Node): string {
  const quasis = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('…');
}

function ownText(node: Node): string | null {
  if (node.type === 'JSXText') return String(node.value);
  if (node.type === 'TemplateLiteral') return isProse(templateText(node)) ? templateText(node) : null;
  if (node.type !== 'Literal' || typeof node.value !== 'string') return null;
  return isProse(node.value) ? node.value : null;
}

function isSilent(node: Node): boolean {
  if (node.type === 'JSXAttribute') return SILENT.test(String((node.name as Node).name));
  if (node.type === 'BinaryExpression') return ['===', '!=='].includes(String(node.operator));
  return NAMING.has(node.type) && !isNode(node.declaration);
}

/** The comments of a TypeScript source: line by line, without their signs. */
export function commentsIn(name: string, source: string): readonly SourceText[] {
  return parsed(name, source).comments.flatMap(({ value, start }) => {
    const first = source.slice(0, start).split('\n').length;
    return value.split('\n').map((text, at) => ({ line: first + at, text: text.replace(/^[\s*]+/, '').trim() }));
  });
}

/** The names in a TypeScript source, each once, as their words in lower case: `tellSoon` = tell, soon. */
export function namesIn(name: string, source: string): readonly { readonly name: string; readonly words: string[] }[] {
  const names = new Set<string>();
  const visit = (node: Node): void => {
    if (typeof node.name === 'string' && node.type.endsWith('Identifier')) names.add(node.name);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  };
  visit(parsed(name, source).program as unknown as Node);
  return [...names].map((one) => ({
    name: one,
    words: (one.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase()),
  }));
}

function parsed(name: string, source: string): ReturnType<typeof parseSync> {
  const result = parseSync(name, source);
  if (result.errors.length > 0) throw new Error(`${name}: ${result.errors[0]?.message}`);
  return result;
}

/** What stands in a TypeScript source for people to read: JSX text, and literals that are prose. */
export function textsIn(name: string, source: string): readonly SourceText[] {
  const found: SourceText[] = [];
  const visit = (node: Node): void => {
    if (isSilent(node)) return;
    const text = ownText(node)?.replace(/\s+/g, ' ').trim();
    if (text) found.push({ line: source.slice(0, node.start).split('\n').length, text });
    for (const [key, value] of Object.entries(node)) {
      if (key === 'key' && node.computed !== true && node.type === 'Property') continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  };
  visit(parsed(name, source).program as unknown as Node);
  return found;
}
