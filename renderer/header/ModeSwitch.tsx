import { printed } from '../keys/keys.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { MODE_TITLE, MODES, type Mode } from '../state/modes.ts';
import { usePlatform } from '../state/usePlatform.ts';

/** What the main screen shows: all modes in sight, one of them chosen. */
export function ModeSwitch() {
  const mode = useAppState((state) => state.ui.mode);
  const { setMode } = useActions();
  const platform = usePlatform();
  if (MODES.length < 2) return null;
  const item = (id: Mode, at: number) => (
    <button
      key={id}
      type="button"
      className="mode-choice"
      aria-pressed={id === mode}
      title={`${MODE_TITLE[id]} (${printed(`mod+${at + 1}`, platform)})`}
      data-testid={`mode-${id}`}
      onClick={() => setMode(id)}
    >
      {MODE_TITLE[id]}
    </button>
  );
  return (
    <nav className="mode-switch" aria-label="Modes">
      {MODES.map(item)}
    </nav>
  );
}
