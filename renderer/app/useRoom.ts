import { useEffect } from 'react';
import { useActions } from '../state/context.tsx';

/** Too narrow for panel and panes side by side. */
const NARROW = '(max-width: 1100px)';
/** Too small for any panel beside the panes: half a screen, or a window at twice its size. */
const SMALL = '(max-width: 800px), (max-height: 520px)';

/** Notes in the state how much room the window has. Without overlays no window is small: its panels stay where they are. */
export function useRoom({ hasOverlays }: { readonly hasOverlays: boolean }): void {
  const { setRoom } = useActions();
  useEffect(() => {
    const narrow = window.matchMedia(NARROW);
    const small = window.matchMedia(SMALL);
    const update = () => {
      const isSmall = hasOverlays && small.matches;
      setRoom({ narrow: narrow.matches || isSmall, small: isSmall });
    };
    update();
    narrow.addEventListener('change', update);
    small.addEventListener('change', update);
    return () => {
      narrow.removeEventListener('change', update);
      small.removeEventListener('change', update);
    };
  }, [setRoom, hasOverlays]);
}
