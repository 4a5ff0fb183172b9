import './thinkingChip.css';
import { useAppState } from '../state/context.tsx';
import { type PartOutcome, type SignedPart, thinkingPart } from './thinkingPart.ts';

interface Props {
  readonly index: number;
  readonly part: SignedPart;
  readonly fate: PartOutcome;
}

/** What the request on screen makes of thinking that the provider signed or encrypted. */
export function ThinkingChip({ index, part, fate }: Props) {
  const outcome = useAppState((state) => state.projection.info?.thinking ?? null);
  const { word, title, isBroken } = thinkingPart(outcome, index, part, fate);
  if (word === null) return null;
  return (
    <span className="chip thinking-chip" data-broken={isBroken} title={title} data-testid="thinking-chip">
      {word}
    </span>
  );
}
