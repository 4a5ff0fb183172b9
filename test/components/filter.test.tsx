// @vitest-environment happy-dom
// The filter of rows: what its bar says, what keys do in it, and how colours are kept.
import { act, fireEvent, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { FilterInfo, FilterMatches } from '../../core/protocol/types.ts';
import { FilterBar } from '../../renderer/filter/FilterBar.tsx';
import { FilterField } from '../../renderer/filter/FilterField.tsx';
import { FilterStrips } from '../../renderer/filter/FilterStrips.tsx';
import { RowColors } from '../../renderer/filter/RowColors.tsx';
import { FILTER_FIELD_ID, startFilter } from '../../renderer/filter/startFilter.ts';
import type { App } from '../../renderer/state/app.ts';
import { readColors } from '../../renderer/state/filterActions.ts';
import type { FilterState } from '../../renderer/state/types.ts';
import { loadAhead } from '../../renderer/ui/lazily.tsx';
import { draw } from './support.tsx';

const matches = (over: Partial<FilterMatches>): FilterMatches => ({
  matched: 3,
  of: 40,
  at: [1, 5],
  problems: [],
  ...over,
});
const LOST = { name: 'lost', filter: 'used:gone', color: 2, isOn: true };
const LARGE = { name: 'large', filter: 'tokens>2k', color: 0, isOn: false };

function answered(app: App, filter: Partial<FilterState>, info: Partial<FilterInfo>): void {
  app.store.setState((state) => ({
    filter: { ...state.filter, isOpen: true, colors: [], ...filter },
    projection: {
      ...state.projection,
      info: { projectionId: 'p', filter: { rows: matches({}), colors: [], isPending: false, ...info } } as never,
    },
  }));
}

function bar(filter: Partial<FilterState>, info: Partial<FilterInfo> = {}) {
  const all = draw(<FilterField />, { 'settings.set': () => ({}), 'filter.values': () => ({ values: [] }) });
  answered(all.app, filter, info);
  all.redraw(<FilterField />);
  return all;
}

describe('the bar', () => {
  it('has the focus before the next key comes, once its code is there', async () => {
    await loadAhead();
    const { app } = draw(<FilterBar />);
    startFilter(app);
    expect(document.activeElement?.id).toBe(FILTER_FIELD_ID);
  });

  it('leaves the focus where it is when it comes with a transcript, a mode or another place of the panes', () => {
    const { app, redraw, getByTestId } = draw(null);
    answered(app, { text: 'kind:call' }, {});
    redraw(
      <>
        <button type="button" data-testid="elsewhere">
          elsewhere
        </button>
      </>,
    );
    getByTestId('elsewhere').focus();
    redraw(
      <>
        <button type="button" data-testid="elsewhere">
          elsewhere
        </button>
        <FilterField />
      </>,
    );
    expect(getByTestId('filter-input')).toBeTruthy();
    expect(document.activeElement).toBe(getByTestId('elsewhere'));
  });

  it('says how many rows fit', () => {
    expect(bar({ text: 'kind:call' }).getByTestId('filter-count').textContent).toBe('3 of 40 rows');
  });

  it('says that it is looking, and that all rows are shown until then', () => {
    const { getByTestId } = bar({ text: 'used:gone' }, { rows: matches({ matched: null }), isPending: true });
    expect(getByTestId('filter-count').textContent).toContain('all rows are shown until it is done');
  });

  it('keeps the count by the uses of before, and says that it is of those', () => {
    const { getByTestId } = bar({ text: 'used:gone' }, { rows: matches({ isStale: true }), isPending: true });
    expect(getByTestId('filter-count').textContent?.trim()).toBe('3 of 40 rows, by the uses under the policy before');
  });

  it('says what is wrong, and puts in what was probably meant', () => {
    const problems = [{ severity: 'error' as const, text: 'No.', from: 2, to: 13, instead: 'fate:dropped' }];
    const { getByTestId, app } = bar({ text: 'a fate:droped b' }, { rows: matches({ matched: null, problems }) });
    const said = getByTestId('filter-problem');
    expect(said.textContent).toContain('No.');
    const button = said.querySelector('button');
    if (button === null) throw new Error('nothing is offered');
    fireEvent.click(button);
    expect(app.store.getState().filter.text).toBe('a fate:dropped b');
  });

  it('offers fields while one types; arrows choose, Enter takes, Esc closes the list, then the bar', () => {
    const { getByTestId, queryByTestId, app } = bar({ text: '' });
    const field = getByTestId('filter-input');
    if (!(field instanceof HTMLInputElement)) throw new Error('not a field');
    fireEvent.change(field, { target: { value: 'us', selectionStart: 2 } });
    const offers = () =>
      [...(queryByTestId('filter-offers')?.children ?? [])].map((one) => one.firstChild?.textContent);
    expect(offers()).toEqual(['used:', 'use:', 'uses>']);
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(app.store.getState().filter.text).toBe('use:');
    fireEvent.keyDown(field, { key: 'Escape' });
    expect([queryByTestId('filter-offers'), app.store.getState().filter.isOpen]).toEqual([null, true]);
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(app.store.getState().filter).toMatchObject({ isOpen: false, text: '' });
  });
});

describe('colours', () => {
  it('are kept under a name, with a colour that no other has', async () => {
    const { getByTestId, app, engine } = bar({ text: ' kind:call ', colors: [LARGE] });
    fireEvent.click(getByTestId('filter-save'));
    fireEvent.change(getByTestId('filter-name'), { target: { value: 'calls' } });
    const form = getByTestId('filter-name').closest('form');
    if (form === null) throw new Error('no form');
    fireEvent.submit(form);
    const made = { name: 'calls', filter: 'kind:call', color: 1, isOn: true };
    expect(app.store.getState().filter.colors).toEqual([made, LARGE]);
    await waitFor(() => {
      const written = engine.calls.find(({ method }) => method === 'settings.set');
      expect(written?.params).toEqual({ key: 'filters.colors', value: [made, LARGE] });
    });
  });

  it('keeps the name that is typed while the filter is read again', () => {
    const { app, getByTestId } = bar({ text: 'used:gone' });
    fireEvent.click(getByTestId('filter-save'));
    fireEvent.change(getByTestId('filter-name'), { target: { value: 'lost' } });
    act(() => answered(app, { text: 'used:gone' }, { rows: null }));
    expect(getByTestId('filter-name')).toHaveProperty('value', 'lost');
    fireEvent.submit(getByTestId('filter-name'));
    expect(app.store.getState().filter.colors).toMatchObject([{ name: 'lost', filter: 'used:gone' }]);
  });

  it('cannot be made of a filter that makes no sense', () => {
    const problems = [{ severity: 'error' as const, text: 'No.', from: 0, to: 1 }];
    expect(bar({ text: 'x:' }, { rows: matches({ matched: null, problems }) }).queryByTestId('filter-save')).toBeNull();
  });

  it('are put back if they cannot be written', async () => {
    const { app, getByRole } = draw(<FilterField />, {
      'settings.set': () => Promise.reject(new Error('full')),
    });
    answered(app, { text: '', colors: [LOST] }, {});
    await waitFor(() => fireEvent.click(getByRole('button', { name: 'Remove the colour lost' })));
    await waitFor(() => expect(app.store.getState().filter.colors).toEqual([LOST]));
  });

  it('mark a row by those that are on, and have a strip each', () => {
    const { app, redraw, getByTestId, getAllByTestId } = draw(<RowColors numbers={[0]} />);
    answered(app, { colors: [LARGE, LOST] }, { rows: null, colors: [matches({ matched: 7 })] });
    redraw(<RowColors numbers={[0]} />);
    expect(getByTestId('row-colors').dataset.names).toBe('lost');
    redraw(<FilterStrips />);
    expect(getAllByTestId('filter-strip').map(({ dataset }) => [dataset.name, dataset.matched])).toEqual([
      ['lost', '7'],
    ]);
  });

  it('are read from settings, and what does not read is left out', () => {
    expect(readColors([LOST, { name: '', filter: 'x', color: 1 }, { name: 'a', filter: 'x', color: 1.5 }, 7])).toEqual([
      LOST,
    ]);
    expect(readColors(null)).toEqual([]);
  });
});
