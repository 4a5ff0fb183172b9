import { useMemo } from 'react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { WatchedText, Watchpoint } from '../../core/protocol/watchTypes.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';

const WAIT_MS = 150;
/** Under a slider: a step before the next is seldom worth a walk. */
const SETTLES = { within: 120, atMost: 600 };
const NONE: readonly Watchpoint[] = [];

/** A watched text and what became of it; null = not known yet. */
export interface WatchedLine {
  readonly watchpoint: Watchpoint;
  readonly text: WatchedText | null;
}

/** The texts watched in the open transcript, under the policy on screen. */
export interface Watched {
  readonly lines: readonly WatchedLine[];
  readonly sampled: boolean;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

/** Asks for them while there are any; an answer stays until the next policy's is here. */
export function useWatched(): Watched {
  const id = useAppState((state) => state.session.id);
  const spec = useProjectedSpec();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const list = useAppState(({ watch, session }) => (watch.id === session.id ? (watch.list ?? NONE) : NONE));
  const loadError = useAppState((state) => state.watch.error);
  const key = list.map((one) => one.id).join(' ');
  const isAsked = id !== null && spec !== null && list.length > 0;
  const { value, isLoading, error } = useAnswer('watch.states', isAsked ? { id, spec } : null, {
    wait: WAIT_MS,
    settles: SETTLES,
    about: isAsked ? id : null,
    again: [messages, key],
  });
  const lines = useMemo(() => {
    const texts = new Map(value?.texts.map((text) => [text.id, text]));
    return list.map((watchpoint) => ({ watchpoint, text: texts.get(watchpoint.id) ?? null }));
  }, [list, value]);
  return { lines, sampled: value?.sampled ?? false, isLoading, error: error ?? loadError };
}
