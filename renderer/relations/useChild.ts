import type { ChildLink } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';

/** The sub-agent that a call of the open transcript started; null if none is known. */
export function useChild(callId: string | null): ChildLink | null {
  return useAppState((state) =>
    callId === null ? null : (state.session.relatives?.children.find((child) => child.callId === callId) ?? null),
  );
}
