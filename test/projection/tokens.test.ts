import { expect, it } from 'vitest';
import { CATEGORIES } from '../../core/model/category.ts';
import { project } from '../../core/projection/project.ts';
import { viewTokens } from '../../core/projection/tokens.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';

const ONE_A_CHARACTER = { count: (text: string) => text.length };

it('compares raw and projected, category by category', () => {
  const source = transcriptOf([
    { role: 'user', content: 'four' },
    { role: 'assistant', content: 'answer' },
    { role: 'user', content: 'last' },
  ]);
  const { view } = project(source, stagesOf({ policy: 'summary_prefix', keep_last: 1, summary: 'sum' }), 3);
  const known = (index: number) => source.facts(index).parts.map((part) => part.chars);
  const { raw, projected } = viewTokens(source, 3, view, known, ONE_A_CHARACTER);
  const named = (slots: readonly number[]) => Object.fromEntries(CATEGORIES.map((name, slot) => [name, slots[slot]]));
  const none = { system: 0, user: 0, assistant: 0, thinking: 0, tool_call: 0, tool_result: 0, image: 0 };
  expect(named(raw)).toEqual({ ...none, user: 8, assistant: 6 });
  expect(named(projected)).toEqual({ ...none, system: 3, user: 4 });
});
