// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Toasts } from '../../renderer/app/Toasts.tsx';
import { FindBar } from '../../renderer/find/FindBar.tsx';
import { draw } from './support.tsx';

const esc = (target: Element = document.body) => fireEvent.keyDown(target, { key: 'Escape' });
const shown = () => screen.queryAllByTestId('toast').map(({ textContent }) => textContent);

test('Esc closes the newest message, and the one before it after that; what lies under it does not see the key', () => {
  const under = vi.fn();
  const { app, redraw } = draw(<Toasts />);
  app.actions.toast({ tone: 'error', text: 'first' });
  app.actions.toast({ tone: 'error', text: 'second' });
  redraw(<Toasts />);
  document.body.addEventListener('keydown', under);
  esc();
  expect(shown()).toEqual(['first']);
  esc();
  expect(shown()).toEqual([]);
  expect(under).not.toHaveBeenCalled();
  esc();
  expect(under).toHaveBeenCalledOnce();
  document.body.removeEventListener('keydown', under);
});

test.each([
  ['a dialog is open', <div key="x" role="dialog" />],
  ['a menu is open', <div key="x" role="menu" />],
])('Esc is not the message’s while %s', (_what, other) => {
  const both = (
    <>
      {other}
      <Toasts />
    </>
  );
  const { app, redraw } = draw(both);
  app.actions.toast({ tone: 'error', text: 'first' });
  redraw(both);
  esc();
  expect(shown()).toEqual(['first']);
});

test('Esc closes the newest while the find bar is open, where the focus is not in it', () => {
  const both = (
    <>
      <FindBar />
      <div id="list" tabIndex={-1} />
      <Toasts />
    </>
  );
  const { app, redraw } = draw(both);
  app.store.setState(({ session }) => ({ session: { ...session, id: 'mock' } }));
  app.actions.openFind(null);
  app.actions.toast({ tone: 'error', text: 'first' });
  redraw(both);
  const close = screen.getByTestId('find-close');
  esc(document.querySelector('#list')!);
  expect(shown()).toEqual([]);
  app.actions.toast({ tone: 'error', text: 'second' });
  redraw(both);
  esc(close);
  expect(shown()).toEqual(['second']);
  expect(screen.queryByTestId('find-bar')).toBeNull();
});

test('a message is in one live region, which was there before it: failures in the one that interrupts', () => {
  const { app, redraw } = draw(<Toasts />);
  const regions = [...document.querySelectorAll('[role="status"], [role="alert"]')];
  expect(regions.map((region) => region.getAttribute('role'))).toEqual(['status', 'alert']);
  app.actions.toast({ tone: 'error', text: 'failed' });
  app.actions.toast({ tone: 'ok', text: 'copied' });
  redraw(<Toasts />);
  const live = '[aria-live], [role="status"], [role="alert"]';
  for (const [text, region] of [
    ['failed', 'alert'],
    ['copied', 'status'],
  ] as const) {
    const around: string[] = [];
    for (let at = screen.getByText(text).closest(live); at; at = at.parentElement?.closest(live) ?? null)
      around.push(at.getAttribute('role') ?? 'none');
    expect(around, text).toEqual([region]);
  }
  expect([...document.querySelectorAll('[role="status"], [role="alert"]')]).toEqual(regions);
});

test('the newest message is shown whole, in the order they came in', () => {
  const { app, redraw } = draw(<Toasts />);
  app.actions.toast({ tone: 'error', text: 'first' });
  app.actions.toast({ tone: 'ok', text: 'second' });
  app.actions.toast({ tone: 'error', text: 'third' });
  redraw(<Toasts />);
  const order = (toast: HTMLElement) => Number(toast.style.order);
  const drawn = screen.getAllByTestId('toast').sort((a, b) => order(b) - order(a));
  expect(drawn.map(({ textContent, dataset }) => [textContent, dataset.newest])).toEqual([
    ['first', 'false'],
    ['second', 'false'],
    ['third', 'true'],
  ]);
});

test.each([
  ['the policy at the right', { narrow: true, policyOver: true }, 'right'],
  ['the library at the left', { narrow: true, small: true, libraryOver: true }, 'left'],
  ['no panel', { narrow: true, small: true }, null],
])('messages leave room to %s where it lies over the panes', (_what, ui, side) => {
  const { app, redraw } = draw(<Toasts />);
  app.store.setState((state) => ({ ui: { ...state.ui, ...ui } }));
  redraw(<Toasts />);
  expect(document.querySelector('.toasts')?.getAttribute('data-panel')).toBe(side);
});

test('Esc in a field is the field’s', () => {
  const both = (
    <>
      <input aria-label="name" />
      <Toasts />
    </>
  );
  const { app, redraw } = draw(both);
  app.actions.toast({ tone: 'error', text: 'first' });
  redraw(both);
  esc(screen.getByLabelText('name'));
  expect(shown()).toEqual(['first']);
});
