import { useEffect } from 'react';
import { useAppState } from '../state/context.tsx';
import type { Theme } from '../state/types.ts';

/** Light or dark: what is chosen, or what the system says. */
export function resolveTheme(theme: Theme, systemIsDark: boolean): 'light' | 'dark' {
  if (theme === 'system') return systemIsDark ? 'dark' : 'light';
  return theme;
}

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
