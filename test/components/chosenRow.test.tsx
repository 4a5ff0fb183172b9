// @vitest-environment happy-dom
// A table whose rows are chosen by keys: one stop of Tab, Enter for the row, and what stands within keeps its own Enter.
import { fireEvent } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useChosenRow } from '../../renderer/ui/useChosenRow.ts';
import { draw } from './support.tsx';

function Table({ onEnter }: { readonly onEnter: (at: number) => void }) {
  const { chosen, onKeyDown } = useChosenRow(3, onEnter);
  return (
    <table onKeyDown={onKeyDown}>
      <tbody>
        {['a', 'b', 'c'].map((name, at) => (
          <tr key={name} data-testid={name} tabIndex={at === chosen ? 0 : -1}>
            <td>
              <button type="button">{`go to ${name}`}</button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

it('goes from row to row, and to the ends', () => {
  const { getByTestId } = draw(<Table onEnter={() => {}} />);
  const press = (from: string, key: string) => {
    fireEvent.keyDown(getByTestId(from), { key });
    return document.activeElement?.getAttribute('data-testid');
  };
  expect([press('a', 'ArrowDown'), press('b', 'End'), press('c', 'ArrowDown'), press('c', 'Home')]).toEqual([
    'b',
    'c',
    'c',
    'a',
  ]);
});

it('leaves Enter to a link within the row', () => {
  const onEnter = vi.fn();
  const { getByTestId, getByText } = draw(<Table onEnter={onEnter} />);
  expect(fireEvent.keyDown(getByText('go to b'), { key: 'Enter' })).toBe(true);
  expect(onEnter).not.toHaveBeenCalled();
  fireEvent.keyDown(getByTestId('a'), { key: 'ArrowDown' });
  expect(fireEvent.keyDown(getByTestId('b'), { key: 'Enter' })).toBe(false);
  expect(onEnter.mock.calls).toEqual([[1]]);
});
