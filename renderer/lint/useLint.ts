import { useEffect, useState } from 'react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { LintInfo, LintRepairInfo } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { useLintTarget } from './target.ts';

/** An answer of the engine; the one before stays until the new one is here. */
export interface Asked<T> {
  readonly value: T | null;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

const WAIT_MS = 120;

/** What is linted: the projection on screen, for the chosen target. null = nothing is open. */
function useRequest() {
  const id = useAppState((state) => state.session.id);
  // The spec the engine projected, so that the list never runs ahead of the panes.
  const spec = useProjectedSpec() ?? undefined;
  const at = useAppState((state) => state.projection.info?.at);
  const isAhead = useAppState((state) => state.projection.at === null);
  const target = useLintTarget();
  return { id, spec, at: isAhead ? null : (at ?? null), messages: at, ...target };
}

/** `of` = the transcript it is about: what was said of another one is not shown. */
function useAsked<T>(of: string | null, key: string | null, ask: () => Promise<T>): Asked<T> {
  const nothing: Asked<T> = { value: null, isLoading: true, error: null };
  const [held, hold] = useState({ of, shown: nothing });
  const setShown = (change: (old: Asked<T>) => Asked<T>) =>
    hold((old) => ({ of, shown: change(old.of === of ? old.shown : nothing) }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for all that is asked
  useEffect(() => {
    if (key === null) return;
    let isWanted = true;
    setShown((old) => ({ ...old, isLoading: true }));
    const timer = setTimeout(() => {
      ask().then(
        (value) => isWanted && setShown(() => ({ value, isLoading: false, error: null })),
        (thrown: unknown) =>
          isWanted && setShown(() => ({ value: null, isLoading: false, error: toProtocolError(thrown) })),
      );
    }, WAIT_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key]);
  return held.of === of ? held.shown : nothing;
}

/** What the provider would refuse of the projection on screen. */
export function useLint(): Asked<LintInfo> {
  const { engine } = useApp();
  const { messages, ...request } = useRequest();
  const { id, spec } = request;
  const key = id === null || spec === undefined ? null : JSON.stringify([request, messages]);
  return useAsked(id, key, () => engine.call('lint.run', { ...request, id: id ?? '' }));
}

/** What a rule (null = the whole profile) would do to it; `rule` undefined = nothing is asked. */
export function useRepair(rule: string | null | undefined): Asked<LintRepairInfo> {
  const { engine } = useApp();
  const { messages, ...request } = useRequest();
  const { id, spec } = request;
  const isAsked = id !== null && spec !== undefined && rule !== undefined;
  const key = isAsked ? JSON.stringify([request, messages, rule]) : null;
  return useAsked(id, key, () => engine.call('lint.repair', { ...request, id: id ?? '', rule: rule ?? null }));
}
