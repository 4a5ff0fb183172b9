import { useEffect } from 'react';
import { useActions } from '../state/context.tsx';

const NARROW = '(max-width: 1100px)';

/** Notes in the state when the window is too narrow for panel and panes side by side. */
export function useNarrow(): void {
  const { setNarrow } = useActions();
  useEffect(() => {
    const media = window.matchMedia(NARROW);
    const update = () => setNarrow(media.matches);
    update();
    media.addEventListener('change', update);
    return () => media.removeEventListener('change', update);
  }, [setNarrow]);
}
