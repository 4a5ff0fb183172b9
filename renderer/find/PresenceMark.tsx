import type { TextState } from '../../core/protocol/types.ts';
import { STATE_WORD } from './words.ts';

/**
 * Whether a text is in a request: height, shape and colour say the same. Full block = original, low block with a dashed lid =
 * elsewhere, hatched foot = partly, cross = gone, dotted line = not yet. Without a state nothing is drawn.
 */
export function PresenceMark({ state, label }: { readonly state: TextState | null; readonly label?: string }) {
  if (state === null) return <svg className="presence" viewBox="0 0 10 10" aria-hidden="true" />;
  return (
    <svg className="presence" viewBox="0 0 10 10" role="img" aria-label={label ?? STATE_WORD[state]} data-state={state}>
      {SHAPES[state]}
    </svg>
  );
}

const SHAPES: Readonly<Record<TextState, React.JSX.Element>> = {
  original: <rect x="1" y="0.5" width="8" height="9" rx="1" className="presence-fill" />,
  elsewhere: (
    <>
      <rect x="1" y="4" width="8" height="5.5" rx="1" className="presence-fill" />
      <path d="M1.2 1.3h7.6" className="presence-line" strokeDasharray="2 1.2" />
    </>
  ),
  partly: (
    <>
      <rect x="1" y="5" width="8" height="4.5" rx="1" className="presence-foot" />
      <path d="M1.5 9l3-3.5M4.5 9l3-3.5M7.5 9l1-1.2" className="presence-line presence-thin" />
    </>
  ),
  gone: <path d="M1.6 1.6l6.8 6.8M8.4 1.6l-6.8 6.8" className="presence-line presence-strong" />,
  not_yet: <path d="M1 8.5h8" className="presence-line" strokeDasharray="2 1.5" />,
};
