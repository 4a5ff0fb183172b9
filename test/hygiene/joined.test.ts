// A merged turn says which parts it holds, and what it costs to merge many.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { project } from '../../core/projection/project.ts';
import { type Draft, openDrafts } from '../../core/stages/hygiene/index.ts';
import { mergeAssistantTurns, mergeUserTurns } from '../../core/stages/hygiene/rules/mergeTurns.ts';
import { createMemo } from '../../core/view/memo.ts';
import { stagesOf } from '../support/projecting.ts';

const say = (content: string, role = 'user') => JSON.stringify({ role, content });

function drafts(texts: readonly string[]): readonly Draft[] {
  const items = texts.map((_, index) => ({ kind: 'source' as const, index }));
  return openDrafts({ items }, memorySource(texts), createMemo());
}

const merge = (messages: readonly (Draft | undefined)[]): Draft | undefined =>
  mergeUserTurns.fix(
    messages.flatMap((each) => each ?? []),
    {} as never,
  ).messages[0];

test('a turn joined to another with the same text as before has the origins of that other', () => {
  const [first, second, third] = drafts([say('first'), say('again'), say('again')]);
  const with2 = merge([first, second]);
  const with3 = merge([first, third]);
  expect([with2?.origins, with3?.origins]).toEqual([
    [[{ message: 0, part: 0 }], [{ message: 1, part: 0 }]],
    [[{ message: 0, part: 0 }], [{ message: 2, part: 0 }]],
  ]);
  expect(with2?.text).toBe(with3?.text);
  expect(merge([first, third])).toBe(with3);
});

test('an empty turn becomes a block that is from nowhere, and moves no other', () => {
  const merged = merge(drafts([say(''), say('said')]));
  expect(merged?.text).toBe('{"role":"user","content":[{"type":"text","text":""},{"type":"text","text":"said"}]}');
  expect(merged?.origins).toEqual([[], [{ message: 1, part: 0 }]]);
});

// Characters that are parsed, or searched for a member: by their number, a clock would say otherwise each time.
function charactersRead(run: () => void): number {
  let read = 0;
  const { parse } = JSON;
  const { includes } = String.prototype;
  vi.spyOn(JSON, 'parse').mockImplementation((text: string, reviver) => {
    read += text.length;
    return parse(text, reviver);
  });
  vi.spyOn(String.prototype, 'includes').mockImplementation(function (this: string, ...wanted) {
    read += this.length;
    return includes.apply(this, wanted);
  });
  run();
  vi.restoreAllMocks();
  return read;
}

afterEach(() => vi.restoreAllMocks());

describe.each([
  ['user turns', 'anthropic', { text: 'user' }],
  ['assistant turns', 'google', { text: 'assistant' }],
  ['reasoning beside the content', 'google', { reasoning: 'assistant' }],
] as const)('a run of %s', (_, profile, of) => {
  const turn = (at: number): string => {
    const words = `${at} ${'many words '.repeat(180)}`;
    return 'text' in of
      ? say(words, of.text)
      : JSON.stringify({ role: of.reasoning, content: 'so', reasoning_content: words });
  };
  const stages = stagesOf({ version: 1, stages: [{ kind: 'hygiene', options: { profile } }] });
  const run = (turns: number) => [say('begin'), ...Array.from({ length: turns }, (_, at) => turn(at)), say('end')];

  function readOf(turns: number): number {
    const source = memorySource(run(turns));
    for (let index = 0; index < source.length; index++) source.facts(index);
    return charactersRead(() => project(source, stages, source.length));
  }

  test('is read a few times, however long it is: twice as many turns, twice the work', () => {
    const [some, twice] = [readOf(100), readOf(200)];
    expect(twice / some).toBeLessThan(2.2);
    expect(twice / run(200).join('').length).toBeLessThan(40);
  });
});

test.each([mergeUserTurns, mergeAssistantTurns])(
  '$name joins nothing where no turn follows another of its role',
  (rule) => {
    const messages = drafts([say('a'), say('b', 'assistant'), say('c')]);
    expect(rule.fix(messages, {} as never)).toEqual({ messages, changes: [] });
  },
);
