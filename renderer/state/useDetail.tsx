// The selected message in full, asked for once for drawer and panel. The old answer stays on screen until the new one is
// here, unless it is about another message.
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { CHANGED } from '../../core/protocol/codes.ts';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { MessageDetail, SyntheticDetail } from '../../core/protocol/types.ts';
import { NOT_CONCERNED } from '../../core/view/fates.ts';
import { useAppState } from './context.tsx';
import { useAnswer } from './useAnswer.ts';

/** Texts longer than this are cut until the person asks for all, in characters. */
const LIMIT = 60_000;
const ALL = 1_000_000_000;
const SETTLES = { within: 150, atMost: 600 };

export interface DetailState {
  readonly detail: MessageDetail | null;
  readonly synthetic: SyntheticDetail | null;
  readonly error: ProtocolError | null;
  /** Asks for the selected message's texts without a cut. */
  showUncut(): void;
}

const DetailContext = createContext<DetailState>({
  detail: null,
  synthetic: null,
  error: null,
  showUncut: () => undefined,
});

/** What is known of the selected message; nothing while the drawer is closed. */
export function useDetail(): DetailState {
  return useContext(DetailContext);
}

/** Position of the stage that decided about the selected message; null if none did, or nothing is selected. */
export function useDetailFate(): number | null {
  const { detail, synthetic } = useDetail();
  if (detail?.fate.rule === NOT_CONCERNED) return null;
  return detail?.fate.stage ?? synthetic?.stage ?? null;
}

/** Asks for the selected message's detail while `isWanted`, on behalf of everything below. */
export function DetailProvider({ isWanted, children }: { readonly isWanted: boolean; readonly children: ReactNode }) {
  return <DetailContext value={useSelectedDetail(isWanted)}>{children}</DetailContext>;
}

function useSelectedDetail(isWanted: boolean): DetailState {
  const id = useAppState((state) => state.session.id);
  const projectionId = useAppState((state) => state.projection.info?.projectionId ?? null);
  const selection = useAppState((state) => state.selection);
  const row = useAppState((state) => state.projection.selectionRow);
  const index = selection?.kind === 'message' ? selection.index : null;
  const key = selection?.kind === 'synthetic' ? selection.key : null;
  const [uncut, setUncut] = useState<number | null>(null);
  // Another message is cut again, and so is this one when it is selected again.
  if (uncut !== null && uncut !== index) setUncut(null);
  const limit = index !== null && uncut === index ? ALL : LIMIT;

  const message = isWanted && projectionId !== null && index !== null ? { projectionId, index, limit } : null;
  const made = isWanted && projectionId !== null && key !== null && row !== null ? { projectionId, row } : null;
  const kept = { keeps: isPassing, settles: SETTLES };
  const asked = useAnswer('projection.detail', message, { about: message && `${id} ${index}`, ...kept });
  const other = useAnswer('projection.synthetic', made, { about: made && `${id} ${key}`, ...kept });

  const error = asked.error ?? other.error;
  return useMemo(
    () => ({
      detail: asked.value,
      synthetic: other.value,
      error: error === null || isPassing(error) ? null : error,
      showUncut: () => setUncut(index),
    }),
    [asked.value, other.value, error, index],
  );
}

/** Everybody projects again after a change, and the next projection asks again. */
function isPassing({ code }: ProtocolError): boolean {
  return code === CHANGED;
}
