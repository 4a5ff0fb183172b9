// @vitest-environment happy-dom
// The mode Tune: what it asks of the engine, what it says of points, and what keys and clicks do.
import { fireEvent, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { AskedSweep, SweepInfo, SweptPoint, TuneOption } from '../../core/protocol/tuneTypes.ts';
import type { App } from '../../renderer/state/app.ts';
import { isSwept } from '../../renderer/tune/applied.ts';
import { TuneMode } from '../../renderer/tune/TuneMode.tsx';
import type { Answers } from '../support/spokenEngine.ts';
import { draw } from './support.tsx';

const OPTION: TuneOption = {
  ...{ stage: 0, stageTitle: 'Reachability GC', option: 'root_window', label: 'Messages that refer' },
  ...{ unit: 'messages', help: 'What is referred to stays.', now: 8, values: 'critical' },
};

function point(value: number, more: Partial<SweptPoint>): SweptPoint {
  return {
    values: [value],
    spec: { version: 1, stages: [{ kind: 'reachability_gc', options: { root_window: value } }] },
    tokens: { mean: 900 + value, p95: 1_800, peak: 2_000 + value },
    ...{
      cost: value,
      unpriced: 0,
      provenance: 'calibrated',
      cacheBreaks: 1,
      uses: 40,
      usesGone: 20 - value,
      watchpointsGone: 0,
    },
    ...{ firstOver: null, over: 0, refused: 0, front: false, breaks: [], best: false, proved: false, transcripts: [] },
    ...more,
  };
}

const ASKED: AskedSweep = {
  ...{ ids: ['t1'], spec: { version: 1, stages: [] }, vary: [{ stage: 0, option: 'root_window', values: '2,8,16' }] },
  ...{ keep: [], aim: null, maxPeak: null, maxUsesGone: null },
};

function sweep(more: Partial<SweepInfo> = {}): SweepInfo {
  return {
    ...{ sweepId: 's1', asked: ASKED, state: 'done', failure: null, madeAt: '2026-01-02T03:04:05Z', size: 3, known: 0 },
    axes: [
      {
        name: 'reachability_gc.root_window',
        stage: 0,
        option: 'root_window',
        label: 'Messages that refer',
        values: [2, 8, 16],
      },
    ],
    points: [point(2, { front: true }), point(8, { firstOver: 31, over: 2 }), point(16, { front: true })],
    ...{ unsaid: [], threads: 2 },
    ...more,
  };
}

/** A sweep of the policy on screen, unless it is one `ofAnother`. */
async function drawn(info: SweepInfo | null, more: Answers = {}, ofAnother = false) {
  const started: AskedSweep[] = [];
  const shown = (): ProjectionSpec => all.app.store.getState().projection.spec;
  const given = (one: SweepInfo): SweepInfo => (ofAnother ? one : { ...one, asked: { ...one.asked, spec: shown() } });
  const answers: Answers = {
    'tune.options': () => ({ options: [OPTION] }),
    'tune.list': () => ({
      sweeps:
        info === null
          ? []
          : [
              {
                sweepId: 's1',
                state: info.state,
                madeAt: info.madeAt,
                ids: ['t1'],
                vary: ASKED.vary,
                points: 3,
                size: 3,
              },
            ],
    }),
    'tune.get': () => given(info ?? sweep()),
    'tune.start'(asked) {
      started.push(asked);
      return { sweepId: 's1' };
    },
    'tune.stop': () => ({}),
    ...more,
  };
  const all = draw(<TuneMode />, answers);
  await all.app.actions.open('t1');
  await expect.poll(() => all.app.store.getState().projection.info).not.toBeNull();
  await expect.poll(() => all.container.querySelector('[data-testid="tune-vary"]')).not.toBeNull();
  return { ...all, started };
}

describe('a sweep of another policy', () => {
  it('says so, and has no point in use', async () => {
    const { getByTestId, queryByText } = await drawn(sweep(), {}, true);
    await expect.poll(() => getByTestId('tune-other').textContent).toContain('the raw history');
    expect(queryByText('in use')).toBeNull();
  });

  it('is none where the values alone are others', () => {
    const stage = (root_window: number, every = 20) => ({
      kind: 'reachability_gc',
      options: { every, root_window },
      enabled: true,
    });
    const spec = (one: unknown) => ({ version: 1 as const, stages: [one as never] });
    const vary = [{ stage: 0, option: 'root_window' }];
    const swept = spec({ kind: 'reachability_gc', options: { root_window: 2, every: 20 } });
    expect(isSwept(swept, vary, spec(stage(8)))).toBe(true);
    expect(isSwept(swept, vary, spec(stage(8, 30)))).toBe(false);
    expect(isSwept(swept, vary, spec({ ...stage(8), enabled: false }))).toBe(false);
    expect(isSwept(swept, vary, { ...spec(stage(8)), stages: [] })).toBe(false);
    expect(isSwept(swept, [{ stage: 1, option: 'root_window' }], spec(stage(8)))).toBe(false);
  });
});

const stagesOf = ({ store }: App) => store.getState().projection.spec.stages;

describe('the mode Tune', () => {
  it('begins with the first number of the policy, and asks for its critical values', async () => {
    const { getByText, getByTestId, started } = await drawn(null);
    await expect.poll(() => getByText(/Find the cheapest setting/)).toBeTruthy();
    fireEvent.click(getByTestId('tune-start'));
    expect(started).toMatchObject([
      { ids: ['t1'], vary: [{ stage: 0, option: 'root_window', values: 'critical' }], aim: null, keep: [] },
    ]);
  });

  it('keeps the focus where options are added, chosen by key, and taken away', async () => {
    const other = { ...OPTION, option: 'every', label: 'Run every', key: 'every' };
    const { getByTestId, getAllByLabelText, getAllByRole } = await drawn(null, {
      'tune.options': () => ({ options: [OPTION, other, { ...other, option: 'mode', label: 'Mode' }] }),
    });
    const selects = () => getAllByLabelText('Option that varies');
    getByTestId('tune-add').focus();
    fireEvent.click(getByTestId('tune-add'));
    expect(document.activeElement).toBe(selects()[1]);
    fireEvent.change(selects()[1]!, { target: { value: `${OPTION.stage}.mode` } });
    expect(selects()[1]).toHaveProperty('value', `${OPTION.stage}.mode`);
    expect(document.activeElement).toBe(selects()[1]);
    const remove = getAllByRole('button', { name: /^Do not vary/ })[0]!;
    remove.focus();
    fireEvent.click(remove);
    expect(document.activeElement).toBe(getByTestId('tune-add'));
  });

  it('shows each point with its figures and its mark, the frontier first', async () => {
    const { container, findAllByRole } = await drawn(sweep());
    await findAllByRole('row');
    const rows = [...container.querySelectorAll('.tune-row')];
    expect(rows.map((row) => row.getAttribute('data-values'))).toEqual(['2', '16', '8']);
    expect(rows.map((row) => row.querySelector('svg')?.getAttribute('aria-label'))).toEqual([
      'frontier',
      'frontier',
      'over the window, or refused',
    ]);
    const cell = (row: number, column: string) => rows[row]?.querySelector(`[data-column="${column}"]`)?.textContent;
    expect([cell(0, 'cost'), cell(0, 'peak'), cell(0, 'usesGone')]).toEqual(['≈$2.00', '≈2,002', '18']);
    expect(cell(2, 'firstOver')).toBe('#31');
  });

  it('sorts by a column, and back to the frontier first at the third click', async () => {
    const { container, getByRole, findAllByRole } = await drawn(sweep());
    await findAllByRole('row');
    const order = () => [...container.querySelectorAll('.tune-row')].map((row) => row.getAttribute('data-values'));
    const heading = () => within(getByRole('table')).getByRole('button', { name: 'Uses gone' });
    fireEvent.click(heading());
    expect(order()).toEqual(['16', '8', '2']);
    fireEvent.click(heading());
    expect(order()).toEqual(['2', '8', '16']);
    fireEvent.click(heading());
    expect(order()).toEqual(['2', '16', '8']);
  });

  it('says what a point changes against the one in use, and applies it as one step of undo', async () => {
    const { container, app, getByTestId, findAllByRole } = await drawn(sweep());
    await findAllByRole('row');
    const row = container.querySelector<HTMLElement>('[data-values="16"]');
    if (row === null) throw new Error('no row');
    fireEvent.click(row);
    expect(getByTestId('tune-foot').textContent).toContain('against now: ≈+$8.00, 8 more uses kept');
    const before = stagesOf(app);
    fireEvent.click(getByTestId('tune-apply'));
    expect(stagesOf(app)).toEqual([{ kind: 'reachability_gc', options: { root_window: 16 } }]);
    app.actions.undoSpec();
    expect(stagesOf(app)).toEqual(before);
  });

  it('is stopped by Esc, says that the frontier is of some points alone, and continues', async () => {
    const partial = sweep({ state: 'running', size: 9 });
    const { getByTestId, engine, findAllByRole } = await drawn(partial);
    await findAllByRole('row');
    expect(getByTestId('tune-progress').textContent).toContain('3 of 9');
    expect(getByTestId('tune-legend').textContent).toContain('of these 3 points alone');
    fireEvent.keyDown(getByTestId('tune-stop'), { key: 'Escape' });
    expect(engine.calls).toContainEqual({ method: 'tune.stop', params: { sweepId: 's1' } });
  });

  it('is read again when the engine tells of it, and not when it tells of another', async () => {
    let points = 1;
    const all = sweep({ state: 'running' });
    const get = () => ({ ...all, points: all.points.slice(0, points) });
    const { container, engine } = await drawn(all, { 'tune.get': get });
    const rows = () => container.querySelectorAll('.tune-row').length;
    await expect.poll(rows).toBe(1);
    points = 3;
    engine.emit('tune', { sweepId: 'other', state: 'running', points: 3, size: 3 });
    expect(rows()).toBe(1);
    engine.emit('tune', { sweepId: 's1', state: 'running', points: 3, size: 3 });
    await expect.poll(rows).toBe(3);
  });

  it('leaves a value out of the next sweep by its chip', async () => {
    const { getByRole, getByTestId, started, findAllByRole } = await drawn(sweep());
    await findAllByRole('row');
    fireEvent.click(within(getByRole('group', { name: 'Values that were tried' })).getByText('8'));
    fireEvent.click(getByTestId('tune-start'));
    expect(started[0]?.vary).toEqual([{ stage: 0, option: 'root_window', values: '2,16' }]);
  });

  it('says that no point meets the conditions, and what nobody says', async () => {
    const points = [point(2, { breaks: ['max_peak'] })];
    const asked: AskedSweep = { ...ASKED, aim: 'money', maxPeak: 10 };
    const { findByTestId, getByText } = await drawn(sweep({ asked, points, unsaid: ['port 1'] }));
    expect((await findByTestId('tune-found')).textContent).toContain('None of 1 spec keeps all conditions.');
    expect(getByText(/Nothing says “port 1”/)).toBeTruthy();
  });

  it('shows no figures of a sweep that another version made, and runs it again', async () => {
    const { findByTestId, getByRole, container, started } = await drawn(
      sweep({ state: 'outdated', points: [] }),
      {},
      true,
    );
    expect((await findByTestId('tune-outdated')).textContent).toContain('Made by another version: run again.');
    expect(container.querySelector('.tune-row')).toBeNull();
    fireEvent.click(getByRole('button', { name: 'Run again' }));
    expect(started).toEqual([ASKED]);
  });

  it('says why a sweep failed', async () => {
    const { findByTestId } = await drawn(
      sweep({ state: 'failed', points: [], failure: '9,000 points; 1,000 at most.' }),
    );
    expect((await findByTestId('tune-failure')).textContent).toBe('9,000 points; 1,000 at most.');
  });
});
