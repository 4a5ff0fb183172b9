import './bundle.css';
import { ShieldAlert } from 'lucide-react';
import { useActions, useAppState } from '../state/context.tsx';
import { isDrawerShown } from '../state/uiActions.ts';
import { useBundleCheck } from './useBundleCheck.ts';

/** Says that the open bundle is not what it states, or cannot be checked here. */
export function BundleBanner() {
  const check = useBundleCheck();
  const isShown = useAppState((state) => isDrawerShown(state.ui) && state.ui.drawerTab === 'problems');
  const { showDrawer } = useActions();
  if (check === null || check.kind === 'checking') return null;
  if (check.kind === 'checked' && check.report.same) return null;
  const differences = check.kind === 'checked' ? check.report.differences.map(({ what }) => what) : [];
  return (
    <div className="banner" role="alert" data-testid="bundle-banner">
      <ShieldAlert size={15} className="banner-icon" />
      <p className="grow">
        {check.kind === 'failed' ? (
          <>
            <b>This bundle cannot be checked here:</b> {check.text}
          </>
        ) : (
          <>
            <b>This bundle does not verify:</b> {listed(differences)} {differences.length === 1 ? 'is' : 'are'} not what
            it states. It was changed, or is damaged: ask for the file again.
          </>
        )}
      </p>
      {!isShown && (
        <button type="button" className="button" onClick={() => showDrawer('problems')}>
          Show problems
        </button>
      )}
    </div>
  );
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
