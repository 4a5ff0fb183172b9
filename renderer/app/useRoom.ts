import { useEffect } from 'react';
import { useActions } from '../state/context.tsx';

/** Too narrow for panel and panes side by side. */
const NARROW = '(max-width: 1100px)';
/** Too small for any panel beside the panes: half a screen, or a window at twice its size. */
const SMALL = '(max-width: 800px), (max-height: 520px)';
/** Too low for all lanes of the chart. */
const LOW = '(max-height: 619px)';

/** Notes in the state how much room the window has. Without overlays no window is small: its panels stay where they are. */
export function useRoom({ hasOverlays }: { readonly hasOverlays: boolean }): void {
  const { setRoom } = useActions();
  useEffect(() => {
    const narrow = window.matchMedia(NARROW);
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
  }, [setRoom, hasOverlays]);
}
