// @vitest-environment happy-dom
// What a stage does to signed thinking is said in the list it is chosen from: before it is added, and before it runs.
import { fireEvent } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ThinkingOutcome } from '../../core/projection/binding/types.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { AddStage } from '../../renderer/policy/AddStage.tsx';
import { thinkingStake } from '../../renderer/policy/thinkingEffect.ts';
import { draw } from './support.tsx';

const THINKING: ThinkingOutcome = {
  reader: 'claude-fable-5-1',
  checks: true,
  enforced: null,
  onMismatch: 'error',
  sent: 3,
  failing: 0,
  foreign: 0,
  dropped: 0,
  first: null,
  firstForeign: null,
  runs: [],
};

function listFor(model: string) {
  const { app, getByTestId, baseElement } = draw(<AddStage onAdd={() => {}} />);
  const session = { model } as NonNullable<ReturnType<typeof app.store.getState>['session']['info']>;
  app.store.setState((state) => ({
    describe: { stages: STAGES.stages, presets: [], models: [] } as unknown as NonNullable<typeof state.describe>,
    session: { ...state.session, info: session },
  }));
  fireEvent.click(getByTestId('add-stage'));
  const said = new Map<string, string>();
  for (const item of baseElement.querySelectorAll('[cmdk-item]'))
    said.set(item.getAttribute('data-name') ?? '', item.querySelector('.pick-effect')?.textContent ?? '');
  return { said, head: baseElement.querySelector('.pick-head')?.textContent ?? '' };
}

describe('the list of stages', () => {
  it('says of each stage, as its definition does, what becomes of thinking', () => {
    const { said, head } = listFor('claude-fable-5-1');
    const words = { no: 'invalidates thinking', provider: 'keeps thinking', recorded: '', yes: '' };
    expect(Object.fromEntries(said)).toEqual(
      Object.fromEntries(STAGES.stages.map(({ kind, keepsThinking }) => [kind, words[keepsThinking]])),
    );
    expect(said.get('sliding_window')).toBe('invalidates thinking');
    expect(said.get('anthropic_clear_tool_uses')).toBe('keeps thinking');
    expect(head).toContain('invalidates later thinking');
  });

  it('and nothing where nobody checks', () => {
    const { said, head } = listFor('gpt-5.5');
    expect(new Set(said.values())).toEqual(new Set(['']));
    expect(said.size).toBe(STAGES.stages.length);
    expect(head).toBe('');
  });
});

it.each([
  ['error', 'claude-fable-5-1 may refuse the request (400) once a message before one is edited.', true],
  ['drop_block', 'claude-fable-5-1 drops those that follow an edited message.', true],
  ['allowed', 'claude-fable-5-1 lets them through on this account, edited or not.', false],
] as const)('what there is to lose, under %s', (onMismatch, consequence, isChecked) => {
  const stake = thinkingStake('claude-fable-5-1', undefined, { ...THINKING, onMismatch });
  expect(stake).toEqual({ words: `3 signed thinking blocks in this request. ${consequence}`, isChecked });
});
