import { printed } from '../keys/keys.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { MODE_TITLE, MODES, type Mode } from '../state/modes.ts';
import { usePlatform } from '../state/usePlatform.ts';

/** What the main screen shows: all modes in sight, one of them chosen. */
export function ModeSwitch() {
  const mode = useAppState((state) => state.ui.mode);
  const { setMode } = useActions();
  const platform = usePlatform();
  const isSmall = useAppState((state) => state.ui.small);
  if (MODES.length < 2) return null;
  if (isSmall) {
    return (
      <select
        className="field header-modes"
        aria-label="Mode"
        value={mode}
        data-testid="mode-select"
        onChange={(event) => {
          const chosen = MODES.find((id) => id === event.target.value);
          if (chosen !== undefined) setMode(chosen);
        }}
      >
        {MODES.map((id) => (
          <option key={id} value={id}>
            {MODE_TITLE[id]}
          </option>
        ))}
      </select>
    );
  }
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
