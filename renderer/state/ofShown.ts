// Questions about the projection that is shown. The engine keeps the last few, and may have forgotten it: then it is projected
// again, which gives it another id.
import { FORGOTTEN } from '../../core/protocol/codes.ts';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { App } from './app.ts';
import { toProtocolError } from './engine.ts';
import type { AppState } from './types.ts';

const shownId = ({ projection }: AppState): string | null => projection.info?.projectionId ?? null;

/** Projects again if the engine has forgotten the projection asked about, and that is the one shown; says whether it is so. */
export function renewIfForgotten({ store, actions }: App, asked: object, { code }: ProtocolError): boolean {
  if (code !== FORGOTTEN || !('projectionId' in asked) || asked.projectionId !== shownId(store.getState()))
    return false;
  actions.reproject();
  return true;
}

/**
 * Asks about the projection that is shown; if the engine has forgotten it, projects again and asks once more. Null if none is
 * shown, or the transcript was left meanwhile. Rejects as the question does.
 */
export async function ofShown<T>(app: App, ask: (projectionId: string) => Promise<T>): Promise<T | null> {
  const projectionId = shownId(app.store.getState());
  if (projectionId === null) return null;
  try {
    return await ask(projectionId);
  } catch (thrown) {
    const error = toProtocolError(thrown);
    // Another one may be shown by now.
    if (!renewIfForgotten(app, { projectionId }, error) && error.code !== FORGOTTEN) throw thrown;
  }
  const next = await nextShown(app, projectionId);
  return next === null ? null : ask(next);
}

/** The id of the projection that is shown after this one; null if there will be none. */
function nextShown({ store }: App, before: string): Promise<string | null> {
  const { id } = store.getState().session;
  return new Promise((resolve) => {
    const look = (state: AppState): boolean => {
      const shown = shownId(state);
      const isOver = state.session.id !== id || (!state.projection.pending && state.projection.error !== null);
      if (!isOver && (shown === before || shown === null)) return false;
      resolve(isOver ? null : shown);
      return true;
    };
    if (look(store.getState())) return;
    const stop = store.subscribe((state) => look(state) && stop());
  });
}
