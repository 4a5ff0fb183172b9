// @vitest-environment happy-dom
// A request is copied as something that runs, scrubbed; what cannot be is said.
import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ReproduceParams } from '../../core/protocol/reproduceTypes.ts';
import { CopyAs } from '../../renderer/wire/CopyAs.tsx';
import { draw } from './support.tsx';

const PARAMS = { id: 't1', spec: 'raw', at: 3, target: 'openai', model: '', strict: null } as const;

let copied: string[] = [];

beforeEach(() => {
  copied = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
});
afterEach(() => vi.restoreAllMocks());

function drawn(answer: (params: ReproduceParams) => { text: string; masked: number; notes: string[] }) {
  const all = draw(<CopyAs params={PARAMS} isReady />, { 'reproduce.text': answer });
  const choose = async (title: string) => {
    fireEvent.keyDown(all.getByTestId('wire-copy-as'), { key: 'Enter' });
    fireEvent.click(await all.findByText(title));
  };
  const toasts = () => all.app.store.getState().toasts.map(({ text, detail }) => [text, detail]);
  return { ...all, choose, toasts };
}

it('asks for what was chosen, of the request on screen, and says what was masked', async () => {
  const asked: ReproduceParams[] = [];
  const { choose, toasts } = drawn((params) => {
    asked.push(params);
    return { text: 'import pytest', masked: 2, notes: ['A note.'] };
  });
  await choose('pytest test');
  await expect.poll(() => copied).toEqual(['import pytest']);
  expect(asked).toEqual([{ id: 't1', spec: 'raw', at: 3, as: 'pytest', target: 'openai' }]);
  await expect.poll(toasts).toEqual([['Copied: pytest test.', '2 places masked. A note.']]);
});

it('copies nothing where there is no such call', async () => {
  const { choose, toasts, getByTestId } = drawn(() => {
    throw new Error('There is no Python call for Gemini.');
  });
  await choose('Python SDK call');
  await expect.poll(() => toasts().length).toBe(1);
  expect(copied).toEqual([]);
  await expect.poll(() => getByTestId('wire-copy-as').textContent).toContain('Copy as');
});
