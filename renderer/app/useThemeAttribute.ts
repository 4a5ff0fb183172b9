import { useEffect, useRef } from 'react';
import { useAppState, useHost } from '../state/context.tsx';
import type { Theme } from '../theme/resolveTheme.ts';
import { resolveTheme } from '../theme/resolveTheme.ts';

/** Sets `data-theme` on the document and follows the system while it is asked to; the window's frame goes along. */
export function useThemeAttribute(): void {
  const theme = useAppState((state) => state.ui.theme);
  const host = useHost();
  const framed = useRef<Theme>('system');
  useEffect(() => {
    if (framed.current === theme) return;
    framed.current = theme;
    host?.setTheme?.(theme);
  }, [theme, host]);
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
