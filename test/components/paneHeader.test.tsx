// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PaneHeader } from '../../renderer/timeline/PaneHeader.tsx';
import { draw } from './support.tsx';

it('a count in the head of the pane leads to the next such row, behind the last one to the first', async () => {
  const asked: unknown[] = [];
  const { app, findByRole } = draw(<PaneHeader />, {
    'projection.nextChange': ({ row, direction, fate }) => {
      asked.push({ row, direction, fate });
      return { row: row < 0 ? 4 : null };
    },
  });
  await app.actions.open('t1');
  await expect.poll(() => app.store.getState().projection.info).not.toBeNull();
  const info = app.store.getState().projection.info;
  if (info === null) throw new Error('nothing is projected');
  const counts = { ...info.counts, dropped: 12, redacted: 0 };
  app.store.setState(({ projection }) => ({
    projection: { ...projection, info: { ...info, counts }, selectionRow: 9 },
  }));
  fireEvent.click(await findByRole('button', { name: '12 dropped; go to the next one' }));
  await expect.poll(() => app.store.getState().projection.selectionRow).toBe(4);
  expect(asked).toEqual([
    { row: 9, direction: 1, fate: 'dropped' },
    { row: -1, direction: 1, fate: 'dropped' },
  ]);
});

it('both heads hold what every request holds besides its messages', async () => {
  const { app, container } = draw(<PaneHeader />);
  await app.actions.open('t1');
  await expect.poll(() => app.store.getState().projection.info).not.toBeNull();
  const { info } = app.store.getState().projection;
  const { info: transcript } = app.store.getState().session;
  if (info === null || transcript === null) throw new Error('nothing is projected');
  const total = 47_712;
  const beside = { ...info.beside, system: 0, tools: 0, overhead: total, total };
  const messages = { ...info.raw, total: 143_063 };
  app.store.setState(({ projection, session }) => ({
    session: { ...session, info: { ...transcript, tokens: 143_063 } },
    projection: { ...projection, info: { ...info, raw: messages, projected: messages, beside } },
  }));
  const [raw, model] = container.querySelectorAll('.pane-head');
  await expect.poll(() => raw?.textContent).toContain('190,775 tok');
  expect(model?.textContent).toContain('190,775');
});
