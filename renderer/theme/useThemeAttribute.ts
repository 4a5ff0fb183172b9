import { useEffect } from 'react';
import { useAppState } from '../state/context.tsx';
import { resolveTheme } from './resolveTheme.ts';

/** Sets `data-theme` on the document and follows the system while it is asked to. */
export function useThemeAttribute(): void {
  const theme = useAppState((state) => state.ui.theme);
  useEffect(() => {
    const media = window.matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      document.documentElement.dataset.theme = resolveTheme(theme, media.matches);
    };
    apply();
    media.addEventListener('change', apply);
    return () => media.removeEventListener('change', apply);
  }, [theme]);
}
