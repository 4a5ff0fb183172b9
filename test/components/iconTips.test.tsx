// @vitest-environment happy-dom
// One tooltip names every icon button: after a moment under the pointer, at once right after another one.
import { act, fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IconButton } from '../../renderer/ui/IconButton.tsx';
import { IconTips } from '../../renderer/ui/IconTips.tsx';
import { draw } from './support.tsx';

const shown = () => document.querySelector('.tooltip')?.firstChild?.textContent ?? null;

describe('the tooltip of icon buttons', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const drawn = () => {
    const { getByLabelText } = draw(
      <>
        <IconButton label="Close" keys="Esc" onClick={() => undefined}>
          x
        </IconButton>
        <IconButton label="Search" onClick={() => undefined}>
          s
        </IconButton>
        <p>text</p>
        <IconTips />
      </>,
    );
    const over = (target: Element, pointerType = 'mouse') =>
      act(() => {
        target.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType }));
      });
    const wait = (ms: number) =>
      act(() => {
        vi.advanceTimersByTime(ms);
      });
    return { close: getByLabelText('Close'), search: getByLabelText('Search'), over, wait };
  };

  it('appears with name and key once the pointer has rested on one, and goes with it', () => {
    const { close, over, wait } = drawn();
    over(close);
    wait(300);
    expect(shown()).toBeNull();
    wait(100);
    expect(shown()).toBe('Close');
    expect(document.querySelector('.tooltip kbd')?.textContent).toBe('Esc');
    over(document.body);
    expect(shown()).toBeNull();
  });

  it('appears at once on the next one, and after a pause not before another moment', () => {
    const { close, search, over, wait } = drawn();
    over(close);
    wait(400);
    over(search);
    expect(shown()).toBe('Search');
    over(document.body);
    wait(1000);
    over(close);
    expect(shown()).toBeNull();
  });

  it('goes when the button is pressed or what lies under it moves, and is not there for a finger', () => {
    const { close, search, over, wait } = drawn();
    for (const event of ['pointerdown', 'click', 'scroll', 'focusout']) {
      over(document.body);
      over(close);
      wait(400);
      expect(shown(), event).toBe('Close');
      fireEvent(close, new Event(event, { bubbles: true }));
      expect(shown(), event).toBeNull();
    }
    wait(1000);
    over(search, 'touch');
    wait(1000);
    expect(shown()).toBeNull();
  });
});
