import type { Command } from '../state/command.ts';
import type { AppState } from '../state/types.ts';
import { showRowsOfArea } from './rowsOfArea.ts';

/** A step of the keys: what is shown halves or doubles, or moves on by a fifth. */
const HALF = 0.5;
const FIFTH = 0.2;

const isDrawn = ({ session, series, ui }: AppState): boolean =>
  ui.mode === 'timeline' && session.id !== null && (series.series?.points.length ?? 0) > 0;
const hasArea = (state: AppState): boolean => isDrawn(state) && state.timeline.area !== null;
const isTimed = (state: AppState): boolean =>
  isDrawn(state) && (state.series.series?.points.some(({ time }) => time !== undefined) ?? false);

const OF_CHART = { group: 'View', isEnabled: isDrawn } as const;

/** Zooming, panning and selecting in the chart. */
export const chartCommands: readonly Command[] = [
  {
    id: 'chart.zoomIn',
    title: 'Chart: zoom in',
    ...OF_CHART,
    keys: ['plus', 'shift+plus', '='],
    also: 'timeline scrubber closer magnify',
    run: ({ app }) => app.actions.zoom(HALF),
  },
  {
    id: 'chart.zoomOut',
    title: 'Chart: zoom out',
    ...OF_CHART,
    keys: ['-'],
    also: 'timeline scrubber wider',
    run: ({ app }) => app.actions.zoom(1 / HALF),
  },
  {
    id: 'chart.whole',
    title: 'Chart: show the whole session',
    ...OF_CHART,
    keys: ['0'],
    also: 'timeline scrubber reset zoom all fit',
    run: ({ app }) => app.actions.lookAt(null),
  },
  {
    id: 'chart.earlier',
    title: 'Chart: pan to earlier calls',
    ...OF_CHART,
    keys: ['mod+left'],
    also: 'timeline scrubber left before scroll',
    run: ({ app }) => app.actions.pan(-FIFTH),
  },
  {
    id: 'chart.later',
    title: 'Chart: pan to later calls',
    ...OF_CHART,
    keys: ['mod+right'],
    also: 'timeline scrubber right after scroll',
    run: ({ app }) => app.actions.pan(FIFTH),
  },
  {
    id: 'chart.mark',
    title: 'Chart: begin or end an area at this call',
    ...OF_CHART,
    keys: ['a'],
    also: 'timeline scrubber select range span totals',
    run: ({ app }) => app.actions.markArea(),
  },
  {
    id: 'chart.zoomToArea',
    title: 'Chart: zoom to the selected area',
    group: 'View',
    keys: ['z'],
    also: 'timeline scrubber range',
    isEnabled: hasArea,
    run: ({ app }) => app.actions.zoomToArea(),
  },
  {
    id: 'chart.rows',
    title: 'Filter rows to the selected area',
    group: 'Go',
    also: 'timeline chart scrubber range only messages',
    isEnabled: hasArea,
    run: ({ app }) => void showRowsOfArea(app),
  },
  {
    id: 'chart.clear',
    title: 'Chart: clear the selected area',
    group: 'View',
    isEnabled: hasArea,
    run: ({ app }) => app.actions.setArea(null),
  },
  {
    id: 'chart.axis',
    title: 'Chart: draw along time, or call by call',
    group: 'View',
    also: 'timeline scrubber axis clock duration',
    isEnabled: isTimed,
    run: ({ app }) => app.actions.setAxis(app.store.getState().ui.axis === 'calls' ? 'time' : 'calls'),
  },
  {
    id: 'chart.full',
    title: 'Chart: all of it, or less in a small window',
    group: 'View',
    also: 'timeline scrubber lanes strips zoom legend watched cache axis low room',
    isEnabled: ({ session, ui }) => session.id !== null && ui.low,
    run: ({ app }) => app.actions.toggleChart(),
  },
];
