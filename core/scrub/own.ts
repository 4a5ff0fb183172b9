// Words and regular expressions that somebody wants out of what leaves this machine.
import { countOf } from '../util/counts.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Detector, Hit } from './types.ts';

/** What a library is to be scrubbed of besides what is known here. */
export interface OwnRules {
  /** Found as whole words, in upper and lower case. */
  readonly words: readonly string[];
  /** Regular expressions of JavaScript, without flags. */
  readonly patterns: readonly string[];
}

export const NO_OWN_RULES: OwnRules = { words: [], patterns: [] };

/** A pattern that could take very long is refused: a repeated group that holds a repetition. */
const NESTED = /\((?:[^()\\]|\\.)*[+*}](?:[^()\\]|\\.)*\)(?:[+*]|\{\d+,)/;
const MOST_LENGTH = 1_000;

/** A detector of somebody's own rules. Errors: which one is wrong, and how. */
export function ownDetector({ words, patterns }: OwnRules): Result<Detector, string> {
  const forms: RegExp[] = [];
  const named = words.map((word) => word.trim()).filter((word) => word !== '');
  if (named.length > 0) forms.push(wordForm(named));
  for (const pattern of patterns) {
    const form = formOf(pattern);
    if (!form.ok) return form;
    forms.push(form.value);
  }
  return ok((text) => hitsOf(text, forms));
}

function wordForm(words: readonly string[]): RegExp {
  const longest = [...words].sort((a, b) => b.length - a.length);
  const choice = longest.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${choice})(?![\\p{L}\\p{N}])`, 'giu');
}

function formOf(pattern: string): Result<RegExp, string> {
  if (pattern.length > MOST_LENGTH) return err(`The pattern is longer than ${countOf(MOST_LENGTH, 'character')}.`);
  if (NESTED.test(pattern)) return err(`The pattern repeats a repetition, which may take very long: ${pattern}`);
  try {
    const form = new RegExp(pattern, 'gu');
    return form.test('') ? err(`The pattern fits the empty text: ${pattern}`) : ok(form);
  } catch (error) {
    if (error instanceof SyntaxError) return err(`This is not a regular expression: ${pattern}`);
    throw error;
  }
}

function* hitsOf(text: string, forms: readonly RegExp[]): Generator<Hit> {
  for (const form of forms) {
    for (const found of text.matchAll(form)) {
      if (found[0] !== '')
        yield { kind: 'own', tier: 'definite', from: found.index, to: found.index + found[0].length };
    }
  }
}
