import { useMemo } from 'react';
import { useAppState } from '../state/context.tsx';
import { type ThinkingStake, thinkingStake } from './thinkingEffect.ts';

/** What a stage that is added could cost the thinking in the request on screen; null = nobody would check it. */
export function useThinkingStake(): ThinkingStake | null {
  const model = useAppState((state) => state.session.info?.model ?? '');
  const setting = useAppState((state) => state.projection.spec.preserved_thinking);
  const thinking = useAppState((state) => state.projection.info?.thinking ?? null);
  return useMemo(() => thinkingStake(model, setting, thinking), [model, setting, thinking]);
}
