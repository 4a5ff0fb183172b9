import { saysChanged } from '../../core/model/cacheDiagnosis.ts';
import type { SeriesPoint } from '../../core/protocol/types.ts';
import type { App } from '../state/app.ts';
import type { Command } from '../state/command.ts';

/** Requests that differ from the one before in more than new messages: what goes through them leads there. */
export const requestCommands: readonly Command[] = [
  {
    id: 'request.next',
    title: 'Next request that changed',
    group: 'Go',
    keys: ['c'],
    also: 'call difference why cause prefix cache break',
    isEnabled: (state) => state.series.series !== null,
    run: ({ app }) => goToChanged(app, 1),
  },
  {
    id: 'request.previous',
    title: 'Previous request that changed',
    group: 'Go',
    keys: ['shift+c'],
    also: 'call difference why cause prefix cache break',
    isEnabled: (state) => state.series.series !== null,
    run: ({ app }) => goToChanged(app, -1),
  },
];

/** Whether the request is more than the one before with new messages behind it. */
export function isChanged({ cache, recorded }: SeriesPoint): boolean {
  if (cache?.brokenBy) return true;
  return recorded?.diagnosis !== undefined && saysChanged(recorded.diagnosis);
}

/** The next changed request from `at` in a direction; null = there is none. */
export function nextChanged(points: readonly SeriesPoint[], at: number, direction: 1 | -1): number | null {
  const ordered = direction === 1 ? points : points.toReversed();
  return ordered.find((point) => (point.at - at) * direction > 0 && isChanged(point))?.at ?? null;
}

function goToChanged({ store, actions }: App, direction: 1 | -1): void {
  const { series, projection, session } = store.getState();
  const messages = session.info?.messages ?? 0;
  const next = nextChanged(series.series?.points ?? [], projection.info?.at ?? messages, direction);
  if (next === null) {
    const isKnown = series.series?.complete === true && !series.computing;
    const text = `No request ${direction === 1 ? 'after' : 'before'} this one changed.`;
    actions.toast({ tone: 'info', text: isKnown ? text : 'Requests are still being compared.' });
    return;
  }
  actions.setAt(next >= messages ? null : next);
  actions.showDrawer('request');
}
