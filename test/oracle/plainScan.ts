// The slow obvious search: goes through a text character by character, and through all messages of a library. What the
// index finds is compared with it.

import type { MessageFacts, MessageMeta } from '../../core/model/message.ts';
import { contentMarks, searchRole, searchText, toolsOf } from '../../core/search/messageText.ts';
import type { Expr, Term } from '../../core/search/types.ts';

const LETTER = /^[\p{L}\p{M}\p{N}]$/u;
const SINGLE =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]$/u;
const MARK = /^\p{M}$/u;

/** A message as the scan sees it. */
export interface ScannedMessage {
  /** Words of each part, in order. */
  readonly parts: readonly (readonly string[])[];
  /** Words with a second reading. */
  readonly single: readonly string[];
  readonly tags: ReadonlySet<string>;
}

export function scanMessage(
  message: unknown,
  facts: MessageFacts,
  toolOf: (id: string) => string | undefined,
  meta: MessageMeta = {},
): ScannedMessage {
  const scans = facts.parts.map((part) => scanText(searchText(message, part)));
  const tools = [...toolsOf(facts, toolOf)].map((tool) => `tool:${tool.toLowerCase()}`);
  const marks = contentMarks(facts, meta).map(({ tag, value }) => `${tag}:${value}`);
  return {
    parts: scans.map(({ words }) => words),
    single: scans.flatMap(({ single }) => single),
    tags: new Set([`role:${searchRole(facts)}`, ...tools, ...marks]),
  };
}

/** Whether a message fits an expression. */
export function fits(message: ScannedMessage, expr: Expr): boolean {
  switch (expr.kind) {
    case 'all':
      return true;
    case 'words':
      return countTerm(message, expr) > 0;
    case 'tag': {
      const name = `${expr.tag}:${expr.value}`;
      return expr.prefix ? [...message.tags].some((tag) => tag.startsWith(name)) : message.tags.has(name);
    }
    case 'and':
      return expr.of.every((one) => fits(message, one));
    case 'or':
      return expr.of.some((one) => fits(message, one));
    case 'not':
      return !fits(message, expr.of);
  }
}

/** How often a term stands in a message. */
export function countTerm({ parts, single }: ScannedMessage, term: Term): number {
  return [...parts, ...single.map((word) => [word])].reduce((sum, words) => sum + countIn(words, term), 0);
}

function countIn(words: readonly string[], { words: wanted, prefix }: Term): number {
  let count = 0;
  for (let at = 0; at + wanted.length <= words.length; at++) {
    const found = wanted.every((word, i) => {
      const here = words[at + i] ?? '';
      return prefix && i === wanted.length - 1 ? here.startsWith(word) : here === word;
    });
    if (found) count++;
  }
  return count;
}

/** The words of a text, character by character. */
export function scanText(text: string): { words: string[]; single: string[] } {
  const words: string[] = [];
  const single: string[] = [];
  const chars = [...text];
  let word = '';
  let escaped = '';
  const end = () => {
    if (normal(word) !== '') words.push(normal(word));
    if (escaped !== '') single.push(normal(escaped));
    word = '';
    escaped = '';
  };
  for (const [i, char] of chars.entries()) {
    const next = chars[i + 1] ?? '';
    if (MARK.test(char)) {
      word += char;
      if (escaped !== '') escaped += char;
    } else if (isSingle(char)) {
      end();
      word = char;
    } else if (!LETTER.test(char)) {
      end();
    } else {
      if (isSingle(firstOf(word))) end();
      const isEscape = word === '' && chars[i - 1] === '\\' && 'abfnrtv'.includes(char) && /^[\p{L}\p{N}]$/u.test(next);
      if (isEscape) escaped = char;
      else {
        word += char;
        if (escaped !== '') escaped += char;
      }
    }
  }
  end();
  return { words, single };
}

function firstOf(word: string): string {
  return [...word][0] ?? '';
}

function normal(word: string): string {
  const folded = word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
  if (folded.length <= 64) return folded;
  const cut = folded.slice(0, 64);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

function isSingle(char: string): boolean {
  return SINGLE.test(char) && !MARK.test(char);
}
