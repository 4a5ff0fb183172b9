import type { Series } from '../../core/protocol/types.ts';
import { type Core, debounce, patch } from './core.ts';
import { toProtocolError } from './engine.ts';

/** Most bars the scrubber draws. */
export const MAX_BARS = 240;

export interface SeriesActions {
  /** Computes the series for the spec now set, shortly after the last change; the old one stays until then. */
  restart(): void;
  /** For a new transcript: the old series is another one's. */
  clear(): void;
  receive(series: Series): void;
}

/**
 * A series still being computed shows the raw history; it replaces the one on screen only if that belongs to another
 * transcript, so that a moved slider changes the bars once and not twice.
 */
export function seriesActions(core: Core): SeriesActions {
  let wanted: string | null = null;

  const start = async () => {
    const { session, projection } = core.store.getState();
    if (session.id === null) return;
    const stop = wanted;
    wanted = null;
    try {
      if (stop !== null) await core.engine.call('series.stop', { seriesId: stop });
      const series = await core.engine.call('series.start', {
        id: session.id,
        spec: projection.spec,
        samples: MAX_BARS,
        tokenizer: projection.tokenizer,
      });
      if (core.store.getState().session.id !== session.id) return;
      wanted = series.seriesId;
      show(series);
    } catch (thrown) {
      patch(core, 'series', { computing: false, error: toProtocolError(thrown) });
    }
  };
  const later = debounce(() => void start(), 120);

  const show = (series: Series) => {
    const shown = core.store.getState().series.series;
    if (series.complete || shown === null || shown.seriesId === series.seriesId) {
      patch(core, 'series', { series, computing: !series.complete, error: null });
    } else {
      patch(core, 'series', { computing: true, error: null });
    }
  };

  return {
    restart() {
      patch(core, 'series', { computing: true });
      later();
    },
    clear() {
      wanted = null;
      patch(core, 'series', { series: null, computing: true, error: null });
    },
    receive(series) {
      if (series.seriesId === wanted) show(series);
    },
  };
}
