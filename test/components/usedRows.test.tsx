// @vitest-environment happy-dom
// The mark of a row that was used later: what is not known never looks as if there were no use.
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { UsedRow } from '../../core/protocol/types.ts';
import { type RowsUsed, RowUsesContext } from '../../renderer/uses/rowUsesContext.ts';
import { UsedBadge, UsedState } from '../../renderer/uses/UsedBadge.tsx';
import { describeUsedRow } from '../../renderer/uses/words.ts';
import { draw } from './support.tsx';

const USED: UsedRow = {
  ...{ index: 4, part: 1, later: 6, users: [7, 9, 12, 13], gone: 2, goneSince: 8, lacked: false },
};

function drawn(used: RowsUsed) {
  return draw(
    <RowUsesContext value={used}>
      <UsedState />
      <UsedBadge index={4} part={1} />
      <UsedBadge index={4} part={0} />
    </RowUsesContext>,
  );
}

it('says who used it later and since when it was gone', () => {
  const { getAllByTestId, queryByTestId } = drawn({ rows: new Map([['4.1', USED]]), state: 'known', error: null });
  const [badge, ...others] = getAllByTestId('row-used');
  expect(others).toEqual([]);
  expect(badge?.title).toBe('Used later by #7, #9, #12, #13 and 2 more · 2 of 6 gone when used, since call #8');
  expect(badge?.textContent).toContain('6');
  expect(badge?.querySelectorAll('.row-used-gone')).toHaveLength(1);
  expect(queryByTestId('rows-used-state')).toBeNull();
});

it('says that uses are looked for, and why they are not known', async () => {
  const pending = drawn({ rows: null, state: 'pending', error: null });
  expect(pending.getByTestId('rows-used-state').title).toBe('Looking for later uses of rows…');
  pending.unmount();
  const failed = drawn({ rows: null, state: 'failed', error: 'The disk is full.' });
  await waitFor(() => expect(failed.getByTestId('rows-used-state').dataset['state']).toBe('failed'));
  expect(failed.getByTestId('rows-used-state').title).toContain('The disk is full.');
  expect(failed.queryByTestId('row-used')).toBeNull();
});

it('says how far that is where it takes longer', async () => {
  const used = (state: RowsUsed['state']) => (
    <RowUsesContext value={{ rows: null, state, error: null }}>
      <UsedState />
    </RowUsesContext>
  );
  const { getByTestId, app } = draw(used('pending'), { 'uses.progress': () => ({ share: 0.439 }) });
  app.store.setState(({ session }) => ({ session: { ...session, id: 's' } }));
  await waitFor(() => expect(getByTestId('rows-used-state').textContent).toContain('43%'), { timeout: 3000 });
  expect(getByTestId('rows-used-state').title).toBe('Looking for later uses of rows… 43%');
});

it('says of a row that it used what its request did not hold', () => {
  const lacked = { ...USED, later: 0, users: [], gone: 0, goneSince: null, lacked: true };
  expect(describeUsedRow(lacked)).toBe('It used something that was not in its request');
  expect(describeUsedRow({ ...USED, gone: 0, goneSince: null, later: 1, users: [7] })).toBe('Used later by #7');
});
