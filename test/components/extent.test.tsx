// @vitest-environment happy-dom
// What is drawn along the session: measured as it is drawn, led by keys and clicks.
import { cleanup, render } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { ChartSlider } from '../../renderer/ui/ChartSlider.tsx';
import { useWidth } from '../../renderer/ui/useExtent.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Strip({ isEmpty }: { readonly isEmpty: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  useWidth(element);
  if (isEmpty) return <div ref={element} data-testid="empty" />;
  return (
    <ChartSlider ref={element} data-testid="full" height={9} label="x" most={9} now={3} says="3" onKey={() => false} />
  );
}

test('a strip is measured as it is drawn, with marks as without', () => {
  const observed = new Set<unknown>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      #element: unknown = null;
      observe(element: unknown): void {
        this.#element = element;
        observed.add(element);
      }
      disconnect(): void {
        observed.delete(this.#element);
      }
    },
  );
  const strip = render(<Strip isEmpty />);
  expect([...observed]).toEqual([strip.getByTestId('empty')]);
  strip.rerender(<Strip isEmpty={false} />);
  expect([...observed]).toEqual([strip.getByTestId('full')]);
  strip.unmount();
  expect(observed.size).toBe(0);
});

test('a slider of the chart keeps the keys that mean something there, and no others', () => {
  const heard = vi.fn();
  const onPlace = vi.fn();
  const { getByRole } = render(
    // biome-ignore lint/a11y/noStaticElementInteractions: what is around the chart
    <div onKeyDown={heard}>
      <ChartSlider
        height={9}
        label="Findings"
        most={9}
        now={3}
        says="three"
        onKey={({ key }) => key === 'ArrowLeft'}
        onPlace={onPlace}
      />
    </div>,
  );
  const slider = getByRole('slider');
  expect(slider.getAttribute('aria-valuemin')).toBe('0');
  expect(slider.getAttribute('aria-valuemax')).toBe('9');
  expect(slider.getAttribute('aria-valuenow')).toBe('3');
  expect(slider.getAttribute('aria-valuetext')).toBe('three');
  const press = (key: string) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    slider.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect([press('ArrowLeft'), heard.mock.calls.length]).toEqual([true, 0]);
  expect([press('x'), heard.mock.calls.length]).toEqual([false, 1]);
  slider.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: 5 }));
  expect(onPlace).toHaveBeenCalledWith(5);
});
