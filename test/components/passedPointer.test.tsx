// @vitest-environment happy-dom
// While one transcript is still drawn and another opens, a click on what is about to go does nothing.
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { usePassedPointer } from '../../renderer/app/usePassedPointer.ts';
import { draw } from './support.tsx';

const PLACES = ['main-area', 'policy', 'library'];

test('a click on the transcript that goes is for neither, one on the library is', () => {
  const clicks: string[] = [];
  function Places() {
    usePassedPointer();
    return PLACES.map((place) => (
      <div key={place} className={place}>
        <button type="button" onPointerDown={() => clicks.push(`down ${place}`)} onClick={() => clicks.push(place)}>
          {place}
        </button>
      </div>
    ));
  }
  const { app } = draw(<Places />);
  const click = (): readonly string[] => {
    clicks.length = 0;
    for (const place of PLACES) {
      fireEvent.pointerDown(screen.getByText(place));
      fireEvent.click(screen.getByText(place));
    }
    return [...clicks];
  };
  const all = PLACES.flatMap((place) => [`down ${place}`, place]);
  expect(click()).toEqual(all);
  vi.useFakeTimers();
  try {
    app.screen.hold(() => false, 300);
    expect(click()).toEqual(['down library', 'library']);
    vi.advanceTimersByTime(300);
  } finally {
    vi.useRealTimers();
  }
  expect(click()).toEqual(all);
});
