// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Toasts } from '../../renderer/app/Toasts.tsx';
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
