import { useAppState } from '../state/context.tsx';
import { type FollowedText, useFollowedText } from '../state/useFollowedText.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';

const CELLS = 240;

/** What became of a text over all call points; asked for once policy and call point have rested. null: nothing is asked. */
export function useTextTrace(text: string | null): FollowedText {
  // The spec the engine projected, so that the strip never runs ahead of the panes.
  const spec = useProjectedSpec();
  const at = useAppState((state) => state.projection.info?.at ?? null);
  return useFollowedText('why', text, spec, { at, samples: CELLS, wait: 120, rest: 400 });
}
