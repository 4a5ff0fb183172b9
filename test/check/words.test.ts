// Every word of a list that a rule takes: each is accepted, and nothing else is, in the file of rules and in its schema.
import { describe, expect, it } from 'vitest';
import { readRulesText } from '../../core/check/readRulesText.ts';
import { RULES_SCHEMA, rulesJsonSchema } from '../../core/check/schema.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { unknownName } from '../../core/wire/lint.ts';

/** Where a rule takes a word of a list: the members that lead there, beside a rule that is complete but for it. */
const PLACES: readonly (readonly [path: string, rule: (word: string) => Readonly<Record<string, unknown>>])[] = [
  ['state', (state) => ({ text: 'a', state })],
  ['at', (at) => ({ text: 'a', at })],
  ['valid_for', (provider) => ({ valid_for: provider })],
  ['at', (at) => ({ valid_for: 'openai', at })],
  ['tokens.at', (at) => ({ tokens: { max: 1, at } })],
  ['uses_gone.at', (at) => ({ uses_gone: { max: 1, at } })],
  ['cost.at', (at) => ({ cost: { max: 1, at } })],
  ['cache_breaks.at', (at) => ({ cache_breaks: { max: 1, at } })],
  ['findings.kind', (kind) => ({ findings: { kind, max: 0 } })],
  ['secrets.kind', (kind) => ({ secrets: { kind, max: 0 } })],
  ['secrets.tier', (tier) => ({ secrets: { max: 0, tier } })],
  ['survival.class', (name) => ({ survival: { class: name, min: 1 } })],
];

const faultsOf = (rule: unknown) => {
  const read = readRulesText(`version: 1\nrules:\n  - text: before\n  - ${JSON.stringify(rule)}\n`);
  return read.ok ? [] : read.error;
};

/** Lists of words in the schema of one rule, by the member that takes them. */
function listsIn(schema: unknown, path: readonly string[] = []): readonly (readonly [string, readonly string[]])[] {
  if (!isRecord(schema)) return [];
  const words: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
  const own = words.length === 0 ? [] : [[path.join('.'), words.map(String)] as const];
  const choices: readonly unknown[] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const members = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...own,
    ...choices.flatMap((choice) => listsIn(choice, path)),
    ...members.flatMap(([name, member]) => listsIn(member, [...path, name])),
  ];
}

function publishedLists() {
  const schema: unknown = JSON.parse(JSON.stringify(rulesJsonSchema()));
  const rules = isRecord(schema) && isRecord(schema.properties) ? schema.properties.rules : null;
  return isRecord(rules) ? listsIn(rules.items) : [];
}

describe('words of a list', () => {
  const lists = publishedLists();

  it('are published of every place that takes one', () => {
    expect(lists.map(([path]) => path).toSorted()).toEqual(PLACES.map(([path]) => path).toSorted());
    expect(RULES_SCHEMA.shape.rules.element.options).toHaveLength(13);
  });

  it.each(PLACES)('%s: each word is accepted, a misspelt one is a fault with its line', (path, rule) => {
    const words = lists.find(([place]) => place === path)?.[1] ?? [];
    expect(words.length).toBeGreaterThan(1);
    for (const word of words) {
      expect(faultsOf(rule(word)), word).toEqual([]);
      const misspelt = `${word}qx`;
      expect(faultsOf(rule(misspelt)), misspelt).toMatchObject([{ line: 4 }]);
    }
    expect(faultsOf(rule(''))).toMatchObject([{ line: 4 }]);
  });

  it.each(['antropic', 'bedrock', 'gpt-5', 'gemni', ' ', 'zai'])('%j is not a provider', (name) => {
    expect(faultsOf({ valid_for: name })).toMatchObject([
      { line: 4, text: expect.stringContaining('rules.1.valid_for') },
    ]);
  });

  it.each(['Anthropic', ' openai ', 'opencode-zen'])('%j is one, as lint reads it', (name) => {
    expect(unknownName({ provider: name, modelApi: '' })).toBeNull();
    expect(faultsOf({ valid_for: name })).toEqual([]);
  });

  it('say what was probably meant', () => {
    expect(faultsOf({ valid_for: 'antropic' })[0]?.text).toMatch(
      /there is no provider "antropic".*Did you mean anthropic\?$/,
    );
  });
});
