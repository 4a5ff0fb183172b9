// @vitest-environment happy-dom
// Parts that say what is where: raw against projected, a figure against its heading, a mark against its call.
import { act, fireEvent, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CATEGORIES } from '../../core/model/category.ts';
import type { CompactionMark, JobInfo, MessageDetail, TokenFigure } from '../../core/protocol/types.ts';
import { CategoryTable } from '../../renderer/budget/CategoryTable.tsx';
import { DiffTab } from '../../renderer/drawer/DiffTab.tsx';
import { SelectionTitle } from '../../renderer/drawer/SelectionTitle.tsx';
import { ImportJobs } from '../../renderer/library/ImportJobs.tsx';
import * as diffView from '../../renderer/monaco/DiffView.tsx';
import { ScrubberChart } from '../../renderer/scrubber/ScrubberChart.tsx';
import { DetailProvider } from '../../renderer/state/useDetail.tsx';
import { CHART, layOut, xOf, yOf } from '../../renderer/ui/chart.ts';
import { makePoint } from '../renderer/support.ts';
import { detailOf } from '../support/detail.ts';
import { draw } from './support.tsx';

// Monaco needs a real browser: what it is given is what it compares.
beforeEach(() => {
  vi.spyOn(diffView, 'DiffView').mockImplementation(({ before, after }) => (
    <>
      <pre data-testid="before">{before}</pre>
      <pre data-testid="after">{after}</pre>
    </>
  ));
});
afterEach(() => vi.restoreAllMocks());

describe('the table of categories', () => {
  const figure = (user: number, result: number): TokenFigure => ({
    total: user + result,
    byCategory: Object.assign(Object.fromEntries(CATEGORIES.map((category) => [category, 0])), {
      user,
      tool_result: result,
    }) as TokenFigure['byCategory'],
    provenance: 'exact',
  });
  const beside = {
    system: 300,
    tools: 0,
    overhead: 0,
    total: 300,
    given: null,
    unrecorded: null,
    provenance: 'exact',
  } as const;

  it('has raw under raw and projected under projected, the overhead in both', () => {
    const { container } = draw(<CategoryTable raw={figure(10, 900)} projected={figure(10, 70)} beside={beside} />);
    const texts = (row: Element) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent);
    expect([...container.querySelectorAll('tr')].map(texts)).toEqual([
      ['category', 'raw', 'projected', 'change'],
      ['system prompt', '300', '300', '0'],
      ['user', '10', '10', '0'],
      ['result', '900', '70', '−830'],
      ['total', '1,210', '380', '−830'],
    ]);
  });
});

function Detailed({ isWanted = true }: { readonly isWanted?: boolean }) {
  return (
    <DetailProvider isWanted={isWanted}>
      <SelectionTitle />
      <DiffTab />
    </DetailProvider>
  );
}

describe('the diff of a message', () => {
  const changed = { ...detailOf({}), rawJson: '{"was":1}', projectedJson: '{"is":2}' };
  const redacted = { ...changed, fate: { ...changed.fate, kind: 'redacted', stage: 0, reason: 'old' } as const };

  it('compares the transcript with the request, in that order', async () => {
    const { app, findByTestId } = draw(<Detailed />, { 'projection.detail': () => redacted });
    await app.actions.open('t1');
    await act(() => app.actions.goToMessage(2));
    expect((await findByTestId('before')).textContent).toContain('"was"');
    expect((await findByTestId('after')).textContent).toContain('"is"');
  });
});

describe('the detail of the selected message', () => {
  const unknown = async () =>
    Promise.reject(Object.assign(new Error('forgotten'), { code: 'projection.unknown', expected: true }));
  const kept = { ...detailOf({}), rawJson: '{"was":1}', projectedJson: '{"is":2}' };
  const redacted = { ...kept, fate: { ...kept.fate, kind: 'redacted', stage: 0, reason: 'old' } as const };

  it('stays in sight while a projection that the engine forgot is made again', async () => {
    const { app, engine, findByTestId, getByTestId, queryByRole } = draw(<Detailed />, {
      'projection.detail': ({ projectionId }) => (projectionId === 'forgotten' ? unknown() : redacted),
    });
    await app.actions.open('t1');
    await act(() => app.actions.goToMessage(2));
    await findByTestId('before');
    const { info } = app.store.getState().projection;
    if (info === null) throw new Error('nothing is projected');
    const projected = () => engine.calls.filter(({ method }) => method === 'projection.set').length;
    const before = projected();
    await act(async () =>
      app.store.setState((state) => ({
        projection: { ...state.projection, info: { ...info, projectionId: 'forgotten' } },
      })),
    );
    // The detail is asked for once the projection rests.
    await vi.waitFor(() => expect(projected()).toBe(before + 1));
    expect(getByTestId('before').textContent).toContain('"was"');
    expect(queryByRole('alert')).toBeNull();
  });

  it('of another message is not shown in the meantime, and none while nobody wants it', async () => {
    const { app, findByTestId, queryByTestId, redraw } = draw(<Detailed />, {
      'projection.detail': ({ index }) => (index === 2 ? redacted : new Promise<MessageDetail>(() => undefined)),
    });
    await app.actions.open('t1');
    await act(() => app.actions.goToMessage(2));
    await findByTestId('before');
    await act(() => app.actions.goToMessage(3));
    expect(queryByTestId('before')).toBeNull();
    await act(() => app.actions.goToMessage(2));
    await findByTestId('before');
    redraw(<Detailed isWanted={false} />);
    expect(queryByTestId('before')).toBeNull();
  });
});

describe('imports under way', () => {
  const job = (jobId: string, over: Partial<JobInfo>): JobInfo => ({
    jobId,
    kind: 'import',
    title: `${jobId}.jsonl`,
    state: 'running',
    progress: 0.42,
    bytesPerSecond: null,
    secondsLeft: null,
    message: '',
    error: null,
    transcriptIds: [],
    ...over,
  });

  it('are listed with how far each is; other jobs, and what is over, are not', () => {
    const { app, getAllByTestId } = draw(<ImportJobs />);
    const jobs = [
      job('a', {}),
      job('b', { state: 'queued', progress: null }),
      job('c', { kind: 'tokens' }),
      job('d', { state: 'failed' }),
    ];
    act(() => app.store.setState({ jobs: Object.fromEntries(jobs.map((one) => [one.jobId, one])) }));
    expect(getAllByTestId('import-job').map((one) => one.textContent)).toEqual(['a.jsonl42%', 'b.jsonlwaiting']);
    const bars = getAllByTestId('import-job').map((one) => within(one).getByRole('progressbar'));
    expect(bars.map((bar) => bar.getAttribute('aria-valuenow'))).toEqual(['42', null]);
  });

  it('are cancelled one by one', async () => {
    const cancelled: unknown[] = [];
    const { app, getAllByRole } = draw(<ImportJobs />, {
      'job.cancel': (params) => {
        cancelled.push(params);
        return { cancelled: true };
      },
    });
    act(() => app.store.setState({ jobs: { a: job('a', {}), b: job('b', {}) } }));
    const [, second] = getAllByRole('button', { name: 'Cancel the import' });
    if (!second) throw new Error('two imports are listed');
    await act(async () => fireEvent.click(second));
    expect(cancelled).toEqual([{ jobId: 'b' }]);
  });
});

describe('the chart of the calls', () => {
  const points = [2, 6, 10, 14].map((at, call) => makePoint(at, [100 * (call + 1)]));
  const chart = layOut(points, 450, 500);
  const drawn = (at: number, marks: readonly CompactionMark[] = []) => {
    const shown = <ScrubberChart chart={chart} at={at} messages={20} window={500} hovered={1} />;
    const all = draw(shown);
    act(() =>
      all.app.store.setState(({ session }) => ({
        session: { ...session, info: { compactionMarks: marks } as never },
      })),
    );
    return all.container;
  };
  const number = (element: Element | null, name: string) => Number(element?.getAttribute(name));

  it('has the playhead at its call, and greys what comes after it', () => {
    const at10 = drawn(10);
    expect(at10.querySelector('.playhead-label')?.textContent).toBe('call #10');
    expect(number(at10.querySelector('.playhead'), 'x')).toBe(xOf(chart, 10) - 1);
    expect(number(at10.querySelector('.future'), 'x')).toBe(xOf(chart, 10));
    const next = drawn(20);
    expect(next.querySelector('.playhead-label')?.textContent).toBe('next request');
    expect(next.querySelector('.future')).toBeNull();
  });

  it('has a compaction before the call it came before, and the bar under the pointer', () => {
    const container = drawn(10, [{ at: 6, label: 'compaction 1', kind: 'compaction' }]);
    const line = container.querySelector('.compaction-line')?.getAttribute('d');
    expect(line?.startsWith(`M${xOf(chart, 6)} `)).toBe(true);
    expect(number(container.querySelector('.bar-hovered'), 'x')).toBe(CHART.left + chart.step);
  });

  it.each([7, 9, 10])('has one at message #%i at the bar that is the first to show it', (at) => {
    const container = drawn(10, [{ at, label: 'compaction 1', kind: 'compaction' }]);
    const line = container.querySelector('.compaction-line')?.getAttribute('d');
    expect(line?.startsWith(`M${xOf(chart, 10)} `)).toBe(true);
  });

  it('has its label between the flag and the window’s line where bars reach that, not over the bars', () => {
    const tall = [2, 6, 10, 14].map((at) => makePoint(at, [495]));
    const shown = { axis: 'calls', look: null, hasLabels: true } as const;
    const full = layOut(tall, 900, 500, 0, shown);
    const { container, app } = draw(<ScrubberChart chart={full} at={20} messages={20} window={500} hovered={null} />);
    const marks = [{ at: 6, label: 'compaction 1', kind: 'compaction' }];
    act(() =>
      app.store.setState(({ session }) => ({ session: { ...session, info: { compactionMarks: marks } as never } })),
    );
    const label = number(container.querySelector('.compaction-label'), 'y');
    expect(label).toBeGreaterThan(20);
    expect(label).toBeLessThan(yOf(full, 500));
  });
});
