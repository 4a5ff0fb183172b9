// @vitest-environment happy-dom
// Ctrl+C copies the selected message, unless a text is marked or the keyboard is at something else.
import { act, fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../renderer/app/features.ts';
import { useGlobalKeys } from '../../renderer/app/useGlobalKeys.ts';
import { mockEngine } from '../../renderer/dev/mockEngine.ts';
import { TIMELINE_ID } from '../../renderer/ui/useFocusReturn.ts';
import type { Answers } from '../support/spokenEngine.ts';
import { draw } from './support.tsx';

let copied: string[] = [];

beforeEach(() => {
  copied = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
});
afterEach(() => vi.restoreAllMocks());

function Keyed() {
  useGlobalKeys();
  return (
    <>
      <p>words to mark</p>
      <input aria-label="field" />
      <div id={TIMELINE_ID} tabIndex={-1} role="treegrid" aria-label="Messages" />
    </>
  );
}

describe('Ctrl+C at the messages', () => {
  const drawn = async (answers: Answers = {}) => {
    const all = draw(<Keyed />, answers);
    await act(() => all.app.actions.open('t1'));
    await expect.poll(() => all.app.store.getState().projection).toMatchObject({ pending: false, info: {} });
    await act(() => all.app.actions.goToMessage(4));
    const detail = await all.engine.client.call('projection.detail', {
      projectionId: all.app.store.getState().projection.pages.projectionId ?? '',
      index: 4,
      limit: 1_000_000,
    });
    const press = (on: HTMLElement) => {
      on.focus();
      return fireEvent.keyDown(on, { key: 'c', ctrlKey: true });
    };
    return { ...all, text: detail.parts[0]?.text, press };
  };

  it('copies the whole text of the selected message', async () => {
    const { getByRole, press, text } = await drawn();
    press(getByRole('treegrid'));
    await expect.poll(() => copied).toEqual([text]);
  });

  it('asks once more where the engine has forgotten the projection', async () => {
    const mock = mockEngine(60);
    const forgotten = new Set<string>();
    const { app, getByRole, press, text } = await drawn({
      'projection.detail': (params) => {
        if (!forgotten.has(params.projectionId)) return mock.call('projection.detail', params);
        throw Object.assign(new Error('no longer at hand'), { code: 'projection.unknown', expected: true });
      },
    });
    forgotten.add(app.store.getState().projection.pages.projectionId ?? '');
    press(getByRole('treegrid'));
    await expect.poll(() => copied).toEqual([text]);
    expect(app.store.getState().toasts.map(({ tone }) => tone)).toEqual(['ok']);
  });

  it('is the browser’s where a text is marked, or in a field', async () => {
    const { getByText, getByRole, getByLabelText, press } = await drawn();
    press(getByLabelText('field'));
    getSelection()?.selectAllChildren(getByText('words to mark'));
    expect(press(getByRole('treegrid'))).toBe(true);
    await new Promise((done) => setTimeout(done, 30));
    expect(copied).toEqual([]);
    getSelection()?.removeAllRanges();
  });
});

it('Ctrl+C copies a message from the messages, and leaves the key to what else the keyboard is at', () => {
  const copy = COMMANDS.find(({ id }) => id === 'message.copy');
  document.body.innerHTML = `<div id="${TIMELINE_ID}" tabindex="0"></div><div id="list" tabindex="0"></div>`;
  const leavesAt = (id: string) => {
    document.getElementById(id)?.focus();
    return copy?.leaves?.();
  };
  expect(leavesAt(TIMELINE_ID)).toBe(false);
  expect(leavesAt('list')).toBe(true);
});
