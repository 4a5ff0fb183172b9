// @vitest-environment happy-dom
// Ctrl+C copies the selected message, unless a text is marked or a field has the focus.
import { act, fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useGlobalKeys } from '../../renderer/app/useGlobalKeys.ts';
import { Marked } from '../../renderer/search/Marked.tsx';
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
      <button type="button">elsewhere</button>
    </>
  );
}

describe('Ctrl+C', () => {
  const drawn = async () => {
    const all = draw(<Keyed />);
    await act(() => all.app.actions.open('t1'));
    await expect.poll(() => all.app.store.getState().projection).toMatchObject({ pending: false, info: {} });
    await act(() => all.app.actions.goToMessage(4));
    const detail = await all.engine.client.call('projection.detail', {
      projectionId: all.app.store.getState().projection.pages.projectionId ?? '',
      index: 4,
      limit: 1_000_000,
    });
    const press = (on: HTMLElement) => fireEvent.keyDown(on, { key: 'c', ctrlKey: true });
    return { ...all, text: detail.parts[0]?.text, press };
  };

  it('copies the whole text of the selected message', async () => {
    const { getByRole, press, text } = await drawn();
    press(getByRole('button'));
    await expect.poll(() => copied).toEqual([text]);
  });

  it('is the browser’s where a text is marked, or in a field', async () => {
    const { getByText, getByRole, getByLabelText, press } = await drawn();
    press(getByLabelText('field'));
    getSelection()?.selectAllChildren(getByText('words to mark'));
    expect(press(getByRole('button'))).toBe(true);
    await new Promise((done) => setTimeout(done, 30));
    expect(copied).toEqual([]);
    getSelection()?.removeAllRanges();
  });
});

describe('a text with characters that cannot be seen', () => {
  it.each([
    ['over\u202edirr', 'overU+202Edirr', 'U+202E right-to-left override'],
    ['zero\u200bwidth', 'zeroU+200Bwidth', 'U+200B zero-width space'],
    ['\ufeffbegin', 'U+FEFFbegin', 'U+FEFF zero-width no-break space (byte order mark)'],
    ['\u001b[31mred', 'U+001B[31mred', 'U+001B escape'],
    ['hid\u{e0041}den', 'hidU+E0041den', 'U+E0041'],
  ])('%j shows them by their codes', (text, shown, title) => {
    const { container } = draw(<Marked text={text} marks={[]} />);
    expect(container.textContent).toBe(shown);
    expect(container.querySelector('.unseen')?.getAttribute('title')).toBe(title);
  });

  it('shows them within what was found, and around it', () => {
    const { container } = draw(<Marked text={'a\u200bbc\u200bd'} marks={[{ start: 2, end: 5 }]} />);
    expect(container.textContent).toBe('aU+200BbcU+200Bd');
    expect(container.querySelector('mark')?.textContent).toBe('bcU+200B');
  });

  it.each(['👩‍👩‍👧', 'می‌خواهم', 'plain\ttext\nhere', 'é'])('%s is left as it is', (text) => {
    const { container } = draw(<Marked text={text} marks={[]} />);
    expect(container.textContent).toBe(text);
    expect(container.querySelector('.unseen')).toBeNull();
  });
});
