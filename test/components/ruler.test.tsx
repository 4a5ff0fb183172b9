// @vitest-environment happy-dom
// The marks beside the rows: never those of other rows, and not made again where a step of a slider leaves them.
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { RowRuler } from '../../renderer/ruler/RowRuler.tsx';
import { draw } from './support.tsx';

const CHANGES = [3, 8, 21].map((row) => ({ row, fate: 'dropped' as const, count: 1 }));

function drawn() {
  const answers: (() => void)[] = [];
  const marks = (changes: typeof CHANGES) => ({ rowCount: 40, changes, rows: [] });
  let changes = CHANGES;
  const made = draw(<RowRuler />, {
    'projection.marks': () => new Promise((resolve) => answers.push(() => resolve(marks(changes)))),
  });
  const { store } = made.app;
  const show = (projectionId: string) =>
    store.setState(({ session, projection }) => ({
      session: { ...session, id: 's' },
      projection: { ...projection, info: { ...projection.info, projectionId } as typeof projection.info },
    }));
  const answer = async (next = CHANGES) => {
    changes = next;
    await waitFor(() => expect(answers).toHaveLength(1), { timeout: 3000 });
    await act(async () => answers.pop()?.());
  };
  return { ...made, show, answer };
}

it('says nothing of rows that it was not told of, and keeps what it drew for those that are as they were', async () => {
  const { show, answer, getByTestId, container } = drawn();
  act(() => show('p1'));
  await answer();
  const ruler = getByTestId('row-ruler');
  const before = [...container.querySelectorAll('.ruler-mark')];
  expect(before).toHaveLength(3);
  expect(ruler.dataset['marks']).toBe('3');
  expect(ruler.title).toContain('3 changes');

  act(() => show('p2'));
  expect(ruler.dataset['marks']).toBe('0');
  expect(ruler.title).toBe('');
  expect(container.querySelector<HTMLElement>('.ruler-marks')?.dataset['stale']).toBe('true');
  expect([...container.querySelectorAll('.ruler-mark')]).toEqual(before);

  await answer([...CHANGES.slice(0, 2), { row: 30, fate: 'dropped', count: 1 }]);
  expect(ruler.dataset['marks']).toBe('3');
  expect(container.querySelector<HTMLElement>('.ruler-marks')?.dataset['stale']).toBe('false');
  const after = [...container.querySelectorAll('.ruler-mark')];
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(after.map((mark) => mark.getAttribute('data-row'))).toEqual(['3', '8', '30']);
});
