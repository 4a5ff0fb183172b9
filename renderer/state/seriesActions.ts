import type { Series } from '../../core/protocol/types.ts';
import { askedSpec } from './askedSpec.ts';
import { type Core, debounce, patch } from './core.ts';
import { toProtocolError } from './engine.ts';
import { specWithWindow } from './specWithWindow.ts';

/** At how many call points a spec may be run again that cannot be followed from one to the next. */
export const MAX_SAMPLES = 240;

export interface SeriesActions {
  /** Computes the series for the spec now set, shortly after the last change; the old one stays until then. */
  restart(): void;
  /** For a new transcript, or none: the old series is another one's. */
  clear(): void;
  receive(series: Series): void;
}

/** How long the spec stays as it is before a series is computed for it. */
const SETTLED_MS = 250;

/**
 * A series still being computed shows the raw history; it replaces the one on screen only if that belongs to another
 * transcript, so that a moved slider changes the bars once and not twice.
 */
export function seriesActions(core: Core): SeriesActions {
  let wanted: Series | null = null;
  let changes = 0;
  let stopWaiting = (): void => {};

  // At once, not when the next one starts: the engine has better things to do then.
  const stop = () => {
    changes += 1;
    later.cancel();
    stopWaiting();
    if (wanted !== null) end(wanted.seriesId);
    wanted = null;
  };
  // Nobody looks at it any more: whether it could be ended concerns nobody on screen.
  const end = (seriesId: string) => void core.engine.call('series.stop', { seriesId }).catch(() => undefined);
  const fail = (thrown: unknown) => patch(core, 'series', { computing: false, error: toProtocolError(thrown) });

  const start = async () => {
    const { session, projection } = core.store.getState();
    if (session.id === null) return;
    const asked = changes;
    const isWanted = () => asked === changes && core.store.getState().session.id === session.id;
    try {
      const series = await core.engine.call('series.start', {
        id: session.id,
        spec: specWithWindow(askedSpec({ projection, session }), projection.window),
        samples: MAX_SAMPLES,
        tokenizer: projection.tokenizer,
        // A chart that is there stays until the new one is complete.
        raw: core.store.getState().series.series === null,
      });
      if (!isWanted()) {
        end(series.seriesId);
        return;
      }
      wanted = series;
      show(series);
    } catch (thrown) {
      if (isWanted()) fail(thrown);
    }
  };

  // The rows come first: in a long session a chart takes what somebody waits for them.
  const startAfterRows = () => {
    if (!core.store.getState().projection.pending) return void start();
    stopWaiting();
    stopWaiting = core.store.subscribe(({ projection }) => {
      if (projection.pending) return;
      stopWaiting();
      void start();
    });
  };
  const later = debounce(startAfterRows, SETTLED_MS);

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
      stop();
      patch(core, 'series', { computing: true });
      later();
    },
    clear() {
      stop();
      patch(core, 'series', { series: null, computing: core.store.getState().session.opening, error: null });
    },
    receive(series) {
      if (series.seriesId !== wanted?.seriesId) return;
      wanted = withPiece(wanted, series);
      show(wanted);
    },
  };
}

/** A series with a piece of it that has come: its points take the place of those that were there. */
function withPiece(known: Series, piece: Series): Series {
  const points = known.points.slice();
  points.splice(piece.from, piece.points.length, ...piece.points);
  return { ...piece, from: 0, points };
}
