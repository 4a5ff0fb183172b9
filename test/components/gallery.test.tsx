// @vitest-environment happy-dom
// The gallery draws: each piece once per theme.
import { act } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Gallery } from '../../renderer/dev/gallery.tsx';
import { GALLERY_JOBS, GALLERY_PARTS } from '../../renderer/dev/galleryParts.tsx';
import { draw } from './support.tsx';

it('shows every piece in both themes, in the states its title names', () => {
  // One of its parts fails, to be seen failing.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { app, container } = draw(<Gallery />);
  act(() => app.store.setState({ jobs: GALLERY_JOBS }));
  const themes = [...container.querySelectorAll<HTMLElement>('[data-theme]')];
  expect(themes.map((theme) => theme.dataset.theme)).toEqual(['dark', 'light']);
  for (const theme of themes) {
    const titles = [...theme.querySelectorAll('article > h2')].map((title) => title.textContent);
    expect(titles).toEqual(expect.arrayContaining(GALLERY_PARTS.map(({ title }) => title)));
    expect(theme.querySelectorAll('[data-testid="stage-card"]')).toHaveLength(5);
    expect(theme.querySelectorAll('[data-testid="stage-card"][data-off="true"]')).toHaveLength(1);
    expect(theme.querySelectorAll('[data-testid="import-job"]')).toHaveLength(3);
    expect(theme.querySelectorAll('[role="alert"]')).toHaveLength(1);
  }
});
