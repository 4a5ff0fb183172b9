// @vitest-environment happy-dom
// The mode Compare: nothing chosen, both known, equal, still computed, stopped, failed.
import { act, fireEvent, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { presetNamed } from '../../core/projection/presets.ts';
import type { ComparedAlong, ComparedInfo, ComparedMessage, ComparedSums } from '../../core/protocol/compareTypes.ts';
import { CompareDetail } from '../../renderer/compare/CompareDetail.tsx';
import { betweenPath, callAt, layOutLines, linePath, xOfCall } from '../../renderer/compare/chartLines.ts';
import { FirstChoice } from '../../renderer/compare/FirstChoice.tsx';
import { SumsTable } from '../../renderer/compare/SumsTable.tsx';
import type { Along } from '../../renderer/compare/useCompared.ts';
import { type Cursor, nextDifferingCall } from '../../renderer/compare/useCursor.ts';
import { sumColumns, sumsCsv } from '../../renderer/compare/words.ts';
import { draw } from './support.tsx';

const sums = (mean: number, more: Partial<ComparedSums> = {}): ComparedSums => ({
  requests: 4,
  tokens: { mean, p95: mean * 2, peak: mean * 3 },
  peakAt: 7,
  overhead: 100,
  cost: 1.5,
  costOfNext: 0.5,
  unpriced: 0,
  cacheBreaks: 0,
  firstOver: null,
  over: 0,
  refused: 0,
  uses: 10,
  usesGone: 0,
  breaksAt: [],
  ...more,
});

const ALONG: ComparedAlong = {
  points: [1, 3, 5, 7].map((at) => ({ at, a: at * 100, b: at * 50 })),
  a: sums(400),
  b: sums(200, { cost: 0.75, cacheBreaks: 3, usesGone: 2 }),
  provenance: 'calibrated',
  firstDifferenceAt: 3,
  differing: 2,
  runs: [
    [3, 3],
    [7, 7],
  ],
  messages: 9,
  hasWindow: false,
};

const along = (more: Partial<Along> = {}): Along => ({
  value: null,
  error: null,
  isLoading: false,
  progress: null,
  isStopped: false,
  stop: () => undefined,
  begin: () => undefined,
  ...more,
});

const NO_CURSOR: Cursor = { row: null, line: null, reveal: 0, set: vi.fn(), goTo: vi.fn(), go: vi.fn() };

describe('the sums', () => {
  const cells = (container: HTMLElement, side: string) =>
    [...container.querySelectorAll(`[data-side="${side}"] td`)].map((cell) => cell.textContent);

  it('are of both, with B against A, and whether that is better', () => {
    const { container } = draw(<SumsTable along={along({ value: ALONG })} />);
    expect(cells(container, 'a')).toEqual(['≈400', '≈800', '≈1,200', '≈$1.00', '0', '0 of 10', '0']);
    expect(cells(container, 'b')).toEqual(['≈200', '≈400', '≈600', '≈$0.25', '3', '2 of 10', '0']);
    expect(cells(container, 'change')).toEqual(['−50%', '−50%', '−50%', '≈−$0.75', '+3', '+2', '=']);
    const tones = [...container.querySelectorAll('[data-side="change"] td')].map((cell) =>
      cell.getAttribute('data-tone'),
    );
    expect(tones).toEqual(['better', 'better', 'better', 'better', 'worse', 'worse', null]);
  });

  it('say nothing of either before all requests are known; Stop ends it', () => {
    const stop = vi.fn();
    const { container, getByText } = draw(<SumsTable along={along({ progress: { done: 1690, total: 3080 }, stop })} />);
    expect(container.textContent).toContain('1,690 of 3,080 requests');
    expect(new Set(cells(container, 'b'))).toEqual(new Set(['–']));
    fireEvent.click(getByText('Stop'));
    expect(stop).toHaveBeenCalledOnce();
  });

  it('that were stopped can be computed after all', () => {
    const begin = vi.fn();
    const { getByText } = draw(<SumsTable along={along({ isStopped: true, begin })} />);
    fireEvent.click(getByText('Compute the sums'));
    expect(begin).toHaveBeenCalledOnce();
  });

  it('that failed say so', () => {
    const error = { code: 'custom.threw', message: 'x is not a function', expected: true };
    const { container } = draw(<SumsTable along={along({ error })} />);
    expect(container.textContent).toContain('Sums could not be computed');
  });

  it('go into a spreadsheet as plain figures', () => {
    const lines = sumsCsv(ALONG.a, ALONG.b, ['A, the first', 'B']).split('\n');
    expect(lines[0]).toBe(',"A, the first",B');
    expect(lines).toContain('uses gone,0,2');
    expect(lines).toContain('"input cost, US dollars",1.5,0.75');
  });

  it('of a session without a price have no cost, and no window no requests over it', () => {
    const columns = sumColumns('estimated', true);
    expect(columns.map(({ id }) => id)).toContain('over');
    const cost = columns.find(({ id }) => id === 'cost');
    expect(cost?.text(sums(1, { cost: null }), sums(1))).toBe('–');
    // The next request was not made: the whole session costs what the budget says.
    const made = { cost: 1.5, costOfNext: 0.5 };
    expect(cost?.text(sums(1, made), sums(1, made))).toBe('~$1.00');
    expect(cost?.change(sums(1, { cost: null }), sums(1))).toBeNull();
    // Less than a cent is a difference all the same.
    const [cheap, dear] = [sums(1, { cost: 0.0031, costOfNext: 0 }), sums(1, { cost: 0.0051, costOfNext: 0 })];
    expect([cost?.text(cheap, dear), cost?.text(dear, cheap)]).toEqual(['~$0.0031', '~$0.0051']);
    expect(cost?.change(cheap, dear)?.text).toBe('~+$0.0020');
  });
});

describe('the chart', () => {
  const chart = layOutLines(ALONG.points, 460);

  it('has a step for each request, for both', () => {
    expect(linePath(chart, 'a').match(/h100/g)).toHaveLength(4);
    expect(linePath(chart, 'a')).not.toBe(linePath(chart, 'b'));
    expect(betweenPath(chart).endsWith('Z')).toBe(true);
    expect(betweenPath(layOutLines([], 460))).toBe('');
  });

  it('leads from places to call points and back', () => {
    for (const { at } of ALONG.points) expect(callAt(chart, xOfCall(chart, at) + 1)).toBe(at);
    // Between two requests that stand for more: the one before.
    expect(xOfCall(chart, 4)).toBe(xOfCall(chart, 3));
    expect(callAt(layOutLines([], 460), 100)).toBeNull();
  });
});

describe('the next request that differs', () => {
  it.each([
    [1, 1, 3],
    [3, 1, 7],
    [7, 1, null],
    [7, -1, 3],
    [3, -1, null],
  ] as const)('from %i by %i: %s', (at, direction, expected) => {
    expect(nextDifferingCall(ALONG, at, direction)).toBe(expected);
  });
});

describe('below the panes', () => {
  const side = {
    items: 3,
    tokens: 30,
    provenance: 'exact',
    counts: {},
    blocked: false,
    refused: false,
    problems: [],
  } as const;
  const info: ComparedInfo = {
    comparisonId: 'c',
    at: 5,
    equal: true,
    counts: { equal: 3, text: 0, only_a: 0, only_b: 0 },
    a: side,
    b: side,
    equalFromStart: 30,
    final: true,
    rows: { comparisonId: 'c', from: 0, rows: [], total: 0 },
    ms: 1,
  };

  it('equal requests say so, and lead to the first difference', () => {
    const shown = <CompareDetail info={info} cursor={NO_CURSOR} firstDifferenceAt={3} />;
    const { container, getByText, app, redraw } = draw(<p />);
    const setAt = vi.spyOn(app.actions, 'setAt').mockImplementation(() => undefined);
    redraw(shown);
    expect(container.textContent).toContain('A and B send the same');
    fireEvent.click(getByText('call #3'));
    expect(setAt).toHaveBeenCalledWith(null);
  });

  it('differences are listed with who used them; a narrower list is asked for', async () => {
    const message: ComparedMessage = {
      index: 2,
      covers: null,
      differs: 'only_a',
      line: 1,
      row: 1,
      label: 'result',
      text: 'berth',
      mono: true,
      tokensA: 12,
      tokensB: null,
      provenance: 'exact',
      usedLater: [8],
      users: 1,
      a: { fate: 'kept', stage: null, rule: null, reason: '' },
      b: { fate: 'dropped', stage: 0, rule: 'window', reason: 'older' },
    };
    const counts = { all: 1, only_a: 1, only_b: 0, text: 0, fate: 0 };
    const page = { from: 0, total: 1, counts, used: 1, messages: [message] };
    const drawn = draw(<CompareDetail info={{ ...info, equal: false }} cursor={NO_CURSOR} firstDifferenceAt={3} />, {
      'compare.messages': () => page,
    });
    await waitFor(() => expect(drawn.getByTestId('difference').textContent).toBe('#2◀ A onlyresultberth12–#8'));
    fireEvent.click(drawn.getByTestId('difference'));
    expect(NO_CURSOR.goTo).toHaveBeenCalledWith(1, 1);
    fireEvent.click(drawn.getByTestId('compare-used'));
    await waitFor(() =>
      expect(drawn.engine.calls.filter(({ method }) => method === 'compare.messages').at(-1)?.params).toMatchObject({
        used: true,
      }),
    );
  });
});

describe('without a choice for B', () => {
  const drawWith = (name: string, compactions: number) => {
    const drawn = draw(<FirstChoice />);
    act(() =>
      drawn.app.store.setState(({ projection, session }) => ({
        projection: { ...projection, spec: presetNamed(name)?.spec ?? projection.spec },
        session: { ...session, info: { compactions } as never },
      })),
    );
    return drawn;
  };

  it('the nearest choice is one click away', () => {
    const { getByText, app } = drawWith('reachability_gc', 1);
    fireEvent.click(getByText('As recorded', { selector: 'button' }));
    expect(app.store.getState()).toMatchObject({ compare: { b: { name: 'as_recorded' } }, ui: { mode: 'compare' } });
  });

  it.each([
    ['the policy in use is not offered beside itself', 'as_recorded', 1],
    ['the recorded history is not offered where nothing was compacted', 'reachability_gc', 0],
  ])('%s', (_, name, compactions) => {
    const { queryByText, getByText, app } = drawWith(name, compactions);
    expect(queryByText('As recorded', { selector: 'button' })).toBeNull();
    fireEvent.click(getByText('Raw', { selector: 'button' }));
    expect(app.store.getState().compare.b).toMatchObject({ name: 'raw' });
  });
});
