export type Theme = 'light' | 'dark' | 'system';

/** Light or dark: what is chosen, or what the system says. */
export function resolveTheme(theme: Theme, systemIsDark: boolean): 'light' | 'dark' {
  if (theme === 'system') return systemIsDark ? 'dark' : 'light';
  return theme;
}
