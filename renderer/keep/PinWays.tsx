import '../ui/segmented.css';
import type { Pins } from './usePins.ts';

/** How much of it is pinned: a choice puts the change and its price into the list. What does not do says why not. */
export function PinWays({ pins: { choices, isLoading, error, way, choose, row } }: { readonly pins: Pins }) {
  if (error !== null) return <p className="drawer-error">The ways to pin it are not known: {error}</p>;
  if (choices.length === 0) return isLoading ? <p className="mute">Trying ways to pin it…</p> : null;
  const chosen = choices.find((one) => one.way === way);
  return (
    <fieldset className="keep-pins" aria-label="Pin" aria-busy={isLoading} data-testid="keep-pins">
      <span className="mute">Pin</span>
      <span className="segmented">
        {choices.map(({ way: each, title, change, whyNot }) => (
          <button
            key={each}
            type="button"
            className="segment"
            aria-pressed={each === way}
            data-state={each === way ? 'on' : 'off'}
            data-way={each}
            aria-disabled={change === null}
            title={whyNot ?? undefined}
            onClick={() => choose(each)}
          >
            {title}
          </button>
        ))}
      </span>
      {chosen !== undefined && (
        <span className="mute" role="status" data-testid="keep-pin-says">
          {chosen.change === null ? chosen.whyNot : row === null ? 'It is in the list.' : 'It is the last in the list.'}
        </span>
      )}
    </fieldset>
  );
}
