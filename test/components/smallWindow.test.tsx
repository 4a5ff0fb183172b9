// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SmallBar } from '../../renderer/app/SmallBar.tsx';
import { useRoom } from '../../renderer/app/useRoom.ts';
import type { App } from '../../renderer/state/app.ts';
import { isDrawerShown, isLibraryShown, isPolicyShown } from '../../renderer/state/uiActions.ts';
import { draw } from './support.tsx';

/** A window that answers media queries by its size, and reports when it gets another one. */
function sizedWindow(width: number, height: number) {
  const size = { width, height };
  const listeners = new Set<() => void>();
  const meets = (condition: string): boolean => {
    const [, side = '', limit = ''] = /max-(width|height): (\d+)px/.exec(condition) ?? [];
    return (side === 'width' ? size.width : size.height) <= Number(limit);
  };
  vi.stubGlobal('matchMedia', (query: string) => ({
    get matches() {
      return query.split(',').some(meets);
    },
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  }));
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return {
    listeners,
    resize: (to: { readonly width: number; readonly height: number }) => {
      Object.assign(size, to);
      act(() => {
        for (const listener of listeners) listener();
      });
    },
  };
}

function Room({ hasOverlays }: { readonly hasOverlays: boolean }) {
  useRoom({ hasOverlays });
  return null;
}

it.each([
  { width: 1440, height: 900, room: { narrow: false, small: false, low: false } },
  { width: 1440, height: 620, room: { narrow: false, small: false, low: false } },
  { width: 1440, height: 619, room: { narrow: false, small: false, low: true } },
  { width: 1101, height: 521, room: { narrow: false, small: false, low: true } },
  { width: 1100, height: 900, room: { narrow: true, small: false, low: false } },
  { width: 801, height: 521, room: { narrow: true, small: false, low: true } },
  { width: 800, height: 900, room: { narrow: true, small: true, low: true } },
  { width: 720, height: 480, room: { narrow: true, small: true, low: true } },
  { width: 1440, height: 520, room: { narrow: true, small: true, low: true } },
])('a window of $width×$height has the room $room', ({ width, height, room }) => {
  sizedWindow(width, height);
  const { app } = draw(<Room hasOverlays />);
  const { narrow, small, low } = app.store.getState().ui;
  expect({ narrow, small, low }).toEqual(room);
});

it('the room follows the size of the window, and nobody listens once it is gone', () => {
  const sized = sizedWindow(1440, 900);
  const { app, unmount } = draw(<Room hasOverlays />);
  sized.resize({ width: 720, height: 480 });
  expect(app.store.getState().ui.small).toBe(true);
  sized.resize({ width: 1440, height: 900 });
  expect(app.store.getState().ui.small).toBe(false);
  expect(sized.listeners.size).toBeGreaterThan(0);
  unmount();
  expect(sized.listeners.size).toBe(0);
});

it('without overlays no window is small', () => {
  sizedWindow(720, 900);
  const { app } = draw(<Room hasOverlays={false} />);
  const { narrow, small } = app.store.getState().ui;
  expect({ narrow, small }).toEqual({ narrow: true, small: false });
});

it('the bar of a small window opens one panel at a time, and says which', async () => {
  sizedWindow(720, 480);
  const { app, getByRole, findByRole, queryByRole } = draw(
    <>
      <Room hasOverlays />
      <SmallBar />
    </>,
  );
  expect(queryByRole('button', { name: 'Policy' })).toBeNull();
  await act(() => app.actions.open('t1'));
  const pressed = () =>
    ['Library', 'Message', 'Policy'].filter(
      (name) => getByRole('button', { name: new RegExp(`^${name}`) }).getAttribute('aria-pressed') === 'true',
    );
  for (const name of ['Policy', 'Library', 'Message']) {
    fireEvent.click(await findByRole('button', { name: new RegExp(`^${name}`) }));
    expect(pressed()).toEqual([name]);
  }
  fireEvent.click(getByRole('button', { name: /^Message/ }));
  expect(pressed()).toEqual([]);
  expect(getByRole('button', { name: 'Chart' }).getAttribute('aria-pressed')).toBe('false');
  fireEvent.click(getByRole('button', { name: 'Chart' }));
  expect(getByRole('button', { name: 'Chart' }).getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(getByRole('button', { name: 'Bug report…' }));
  expect(app.store.getState().ui.dialog).toEqual({ kind: 'export' });
});

it('says what its drawer would show: a tab of the whole transcript by its name', async () => {
  sizedWindow(720, 480);
  const { app, getByRole } = draw(
    <>
      <Room hasOverlays />
      <SmallBar />
    </>,
  );
  await act(() => app.actions.open('t1'));
  act(() => app.actions.showDrawer('usage'));
  expect(getByRole('button', { name: 'Usage' }).getAttribute('aria-pressed')).toBe('true');
});

it.each([
  ['finding', (app: App) => app.actions.openFind('lamp')],
  ['filtering', (app: App) => app.actions.openFilter()],
])('%s takes away what lies over its field: a panel, a maximised drawer, the library as a table', async (_, open) => {
  const { app } = draw(<Room hasOverlays />);
  await act(() => app.actions.open('t1'));
  const ui = () => app.store.getState().ui;
  act(() => {
    app.actions.toggleDrawerMax();
    app.actions.toggleWide();
    open(app);
  });
  expect([ui().drawerMax, ui().libraryWide]).toEqual([false, false]);
  act(() => app.actions.setRoom({ narrow: true, small: true, low: true }));
  for (const panel of ['toggleDrawer', 'toggleLibrary', 'togglePolicy'] as const) {
    act(() => app.actions[panel]());
    act(() => open(app));
    expect([ui().drawerOver, ui().libraryOver, ui().policyOver]).toEqual([false, false, false]);
  }
});

it('from the library as a table a panel or a mode that is called for is shown', async () => {
  const { app } = draw(<Room hasOverlays />);
  await act(() => app.actions.open('t1'));
  for (const [call, isShown] of [
    [app.actions.togglePolicy, isPolicyShown],
    [app.actions.toggleDrawer, isDrawerShown],
    [app.actions.toggleLibrary, isLibraryShown],
  ] as const) {
    act(() => app.actions.toggleWide());
    expect(isShown(app.store.getState().ui)).toBe(false);
    act(() => call());
    expect(isShown(app.store.getState().ui)).toBe(true);
  }
  act(() => app.actions.toggleWide());
  act(() => app.actions.setMode('compare'));
  expect(app.store.getState().ui.libraryWide).toBe(false);
});
