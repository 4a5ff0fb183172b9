import { describe, expect, it } from 'vitest';
import { JSON_RULES } from '../../renderer/monaco/json.ts';
import { POLICY_HELP } from '../../renderer/policy/custom/policyHelp.ts';

const CODE = 'function project(messages) {\n  const kept = messages;\n  return kept;\n}';
const offered = (line: string) => POLICY_HELP.completionsAt(line, CODE).map(({ name }) => name);

describe('what the editor of a policy offers', () => {
  it.each([
    ['a field of a message', 'message.', 'tool_calls', 'log'],
    ['a field that has begun', 'message.ro', 'role', 'log'],
    ['a method of a list', 'messages.', 'filter', 'console'],
    ['behind a call', 'messages.slice(1).', 'map', 'console'],
    ['behind an index', 'messages[0].', 'content', 'console'],
    ['behind an optional place', 'messages[0]?.', 'content', 'console'],
    ['members of what is named', 'console.', 'warn', 'role'],
    ['members, begun', 'JSON.str', 'stringify', 'role'],
    ['words of the code', '  return ke', 'kept', 'role'],
    ['words of the language', '  ret', 'return', 'role'],
  ])('%s: %s', (_what, line, has, lacks) => {
    expect(offered(line)).toContain(has);
    expect(offered(line)).not.toContain(lacks);
  });

  it('each name once, and not the word that is being written', () => {
    for (const line of ['message.', '  const kept']) expect(new Set(offered(line)).size).toBe(offered(line).length);
    expect(POLICY_HELP.completionsAt('mess', 'mess')).not.toContainEqual(expect.objectContaining({ name: 'mess' }));
  });

  it('says what a field is, in each shape that has it, and nothing of other words', () => {
    expect(POLICY_HELP.meaningOf('kept_indices').join(' ')).toMatch(/number\[\].*strictly increasing/);
    expect(POLICY_HELP.meaningOf('constructor')).toEqual([]);
  });
});

/** The first rule that matches at the beginning of a text, as the editor applies them: its token and what it takes. */
function firstToken(text: string): readonly [unknown, string] | null {
  for (const rule of JSON_RULES.tokenizer.root ?? []) {
    if (!Array.isArray(rule) || !(rule[0] instanceof RegExp)) continue;
    const taken = new RegExp(`^(?:${rule[0].source})`).exec(text)?.[0];
    if (taken) return [rule[1], taken];
  }
  return null;
}

describe('JSON in the editor', () => {
  it.each([
    ['"a \\" b": 1', 'string.key', '"a \\" b"'],
    ['"a": "b"', 'string.key', '"a"'],
    ['"text, not a key",', 'string.value', '"text, not a key"'],
    ['"a \\"quoted\\": text"', 'string.value', '"a \\"quoted\\": text"'],
    ['"cut in the mid', 'string.value', '"cut in the mid'],
    ['"cut behind \\', 'string.value', '"cut behind \\'],
    ['-12.5e-3,', 'number', '-12.5e-3'],
    ['null]', 'keyword', 'null'],
    ['}', '@brackets', '}'],
    [':', 'delimiter.colon', ':'],
  ])('%s', (text, token, taken) => {
    expect(firstToken(text)).toEqual([token, taken]);
  });
});
