import { printed } from '../keys/keys.ts';
import { useActions } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';

/** Leads to what would have kept it. */
export function KeepThis() {
  const { showDrawer } = useActions();
  const platform = usePlatform();
  return (
    <p>
      <button type="button" className="button" data-testid="keep-this" onClick={() => showDrawer('keep')}>
        Keep this <kbd>{printed('shift+k', platform)}</kbd>
      </button>
    </p>
  );
}
