import { useEffect } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { isDrawerShown } from '../state/uiActions.ts';

/** Too narrow for panel and panes side by side. */
const NARROW = '(max-width: 1100px)';
/** The same with the drawer on the right, which takes its width from the panes. */
const NARROW_BESIDE = '(max-width: 1520px)';
/** Too small for any panel beside the panes: half a screen, or a window at twice its size. */
const SMALL = '(max-width: 800px), (max-height: 520px)';
/** Too low for all lanes of the chart. */
const LOW = '(max-height: 619px)';

/** Notes in the state how much room the window has. Without overlays no window is small: its panels stay where they are. */
export function useRoom({ hasOverlays }: { readonly hasOverlays: boolean }): void {
  const { setRoom } = useActions();
  const isBeside = useAppState(({ ui }) => ui.drawerSide === 'right' && isDrawerShown(ui));
  useEffect(() => {
    const narrow = window.matchMedia(isBeside ? NARROW_BESIDE : NARROW);
    const small = window.matchMedia(SMALL);
    const low = window.matchMedia(LOW);
    const update = () => {
      const isSmall = hasOverlays && small.matches;
      setRoom({ narrow: narrow.matches || isSmall, small: isSmall, low: isSmall || low.matches });
    };
    update();
    const queries = [narrow, small, low];
    for (const query of queries) query.addEventListener('change', update);
    return () => {
      for (const query of queries) query.removeEventListener('change', update);
    };
  }, [setRoom, hasOverlays, isBeside]);
}
