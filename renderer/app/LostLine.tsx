import { Unplug } from 'lucide-react';
import { useAppState } from '../state/context.tsx';

/** Says that the engine is gone and how to continue: a new page starts it again, and says what is wrong if it cannot. */
export function LostLine() {
  const reason = useAppState((state) => state.disconnected);
  if (reason === null) return null;
  return (
    <div className="lost" role="alertdialog" aria-label="The engine stopped" aria-describedby="lost-text">
      <div className="lost-box">
        <Unplug size={20} />
        <p id="lost-text">
          <b>The engine stopped.</b> {reason} You’ll return to this spot.
        </p>
        {/* biome-ignore lint/a11y/noAutofocus: the only thing that can be done */}
        <button type="button" className="button button-primary" autoFocus onClick={() => location.reload()}>
          Reconnect
        </button>
      </div>
    </div>
  );
}
