import { useActions } from '../state/context.tsx';

/** Leads to what would have kept it. */
export function KeepThis() {
  const { showDrawer } = useActions();
  return (
    <p>
      <button type="button" className="button" data-testid="keep-this" onClick={() => showDrawer('keep')}>
        Keep this <kbd>K</kbd>
      </button>
    </p>
  );
}
