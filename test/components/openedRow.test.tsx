// @vitest-environment happy-dom
// A row says something from the moment it is opened: before the code that draws it is loaded, too.
import { expect, it } from 'vitest';
import { RowLine } from '../../renderer/timeline/RowLine.tsx';
import { makeRow } from '../renderer/support.ts';
import { draw } from './support.tsx';

it.each([
  ['side', 2],
  ['raw', 1],
  ['model', 1],
] as const)('an opened row is not empty while it is loaded: %s', (layout, panes) => {
  const states = { isSelected: false, isCursor: false, isCallPoint: false, isOpen: true, isSent: true, isOnce: false };
  const { container } = draw(<RowLine row={makeRow({ index: 4 })} number={4} top={0} layout={layout} {...states} />);
  const drawn = [...container.querySelectorAll('.row-detail .detail-pane')].map((pane) => pane.textContent);
  expect(drawn).toEqual(Array(panes).fill('Reading…'));
});
