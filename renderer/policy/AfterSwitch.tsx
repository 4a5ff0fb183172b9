import { useActions, useAppState } from '../state/context.tsx';

/** Presets on what recorded compactions kept, or on the raw history; their names say which. Only where there are any. */
export function AfterSwitch() {
  const { setAfterRecorded } = useActions();
  const after = useAppState((state) => state.ui.afterRecorded);
  const hasCompactions = useAppState((state) => (state.session.info?.compactions ?? 0) > 0);
  if (!hasCompactions) return null;
  return (
    <label
      className="after-switch"
      title="Puts recorded compaction first in each preset: it then works on what the runtime kept"
    >
      <input
        type="checkbox"
        checked={after}
        data-testid="after-recorded"
        onChange={(event) => setAfterRecorded(event.target.checked)}
      />
      After recorded compaction
    </label>
  );
}
