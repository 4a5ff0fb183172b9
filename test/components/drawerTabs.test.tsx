// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Drawer } from '../../renderer/app/Drawer.tsx';
import { draw } from './support.tsx';

const tabOf = (element: Element | null) => (element as HTMLElement | null)?.dataset.tab;

it('a tab that a key chooses gets the focus from the one that has it', () => {
  const { app, container } = draw(<Drawer />);
  act(() => app.actions.showDrawer('notes'));
  act(() => container.querySelector<HTMLElement>('[data-tab="notes"]')?.focus());
  expect(tabOf(document.activeElement)).toBe('notes');
  act(() => app.actions.showDrawer('events'));
  expect(tabOf(document.activeElement)).toBe('events');
});

it('a tab that is chosen from elsewhere leaves the focus there', () => {
  const { app, getByLabelText } = draw(<Drawer />);
  const close = getByLabelText(/^Close the drawer/);
  act(() => close.focus());
  act(() => app.actions.showDrawer('events'));
  expect(document.activeElement).toBe(close);
});
