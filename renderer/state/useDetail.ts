// The selected message in full, fetched once for drawer and panel. The old answer stays on screen until the new one is
// here, unless it is about another message.
import { useEffect } from 'react';
import { createStore, useStore } from 'zustand';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { MessageDetail, SyntheticDetail } from '../../core/protocol/types.ts';
import { NOT_CONCERNED } from '../../core/view/fates.ts';
import { useApp, useAppState } from './context.tsx';
import { toProtocolError } from './engine.ts';

/** Texts longer than this are cut until the person asks for all, in characters. */
const LIMIT = 60_000;
const ALL = 1_000_000_000;

export interface DetailState {
  readonly detail: MessageDetail | null;
  readonly synthetic: SyntheticDetail | null;
  readonly error: ProtocolError | null;
  /** Index of the message whose texts are wanted uncut. */
  readonly uncut: number | null;
}

const EMPTY: DetailState = { detail: null, synthetic: null, error: null, uncut: null };
const shared = createStore<DetailState>(() => EMPTY);

export function useDetail(): DetailState {
  return useStore(shared);
}

/** Position of the stage that decided about the selected message; null if none did, or nothing is selected. */
export function useDetailFate(): number | null {
  return useStore(shared, ({ detail, synthetic }) => {
    if (detail?.fate.rule === NOT_CONCERNED) return null;
    return detail?.fate.stage ?? synthetic?.stage ?? null;
  });
}

/** Asks for the selected message's texts without a cut. */
export function showUncut(index: number): void {
  shared.setState({ uncut: index });
}

/** Keeps the shared detail up to date with selection and projection; used once, by the drawer. */
export function useLoadDetail(): void {
  const { engine, actions } = useApp();
  const projectionId = useAppState((state) => state.projection.info?.projectionId ?? null);
  const selection = useAppState((state) => state.selection);
  const selectionRow = useAppState((state) => state.projection.selectionRow);
  const uncut = useStore(shared, (state) => state.uncut);
  const index = selection?.kind === 'message' ? selection.index : null;
  const row = selection?.kind === 'synthetic' ? selectionRow : null;
  const limit = index !== null && uncut === index ? ALL : LIMIT;

  useEffect(() => {
    let isWanted = true;
    const { detail } = shared.getState();
    if (detail && detail.index !== index) shared.setState(EMPTY);
    if (projectionId === null || (index === null && row === null)) {
      shared.setState(EMPTY);
      return;
    }
    const asked =
      index === null
        ? engine
            .call('projection.synthetic', { projectionId, row: row ?? 0 })
            .then((synthetic): Partial<DetailState> => ({ synthetic, detail: null, error: null }))
        : engine
            .call('projection.detail', { projectionId, index, limit })
            .then((found): Partial<DetailState> => ({ detail: found, synthetic: null, error: null }));
    asked.then(
      (state) => isWanted && shared.setState(state),
      (thrown: unknown) => {
        if (!isWanted) return;
        const error = toProtocolError(thrown);
        // After a long pause the engine has forgotten it; after a change everybody projects again.
        if (error.code === 'projection.unknown') actions.reproject();
        else if (error.code !== 'transcript.changed') shared.setState({ ...EMPTY, error });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [engine, actions, projectionId, index, row, limit]);
  useEffect(() => () => shared.setState(EMPTY), []);
}
