// Contrast of the theme's colours, by WCAG 2.2.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type ThemeName = 'dark' | 'light';

const TOKENS = fileURLToPath(new URL('../../renderer/theme/tokens.css', import.meta.url));

/** Custom properties of one theme with a hex colour. */
export function coloursOfTheme(theme: ThemeName): ReadonlyMap<string, string> {
  const css = readFileSync(TOKENS, 'utf8');
  const block = new RegExp(`data-theme=["']${theme}["']\\][^{]*\\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map((found) => [found[1] ?? '', found[2] ?? '']),
  );
}

/** Relative luminance by WCAG 2.2. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** From 1 (the same) to 21 (black on white). */
export function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

/** What texts lie on; what code and differences lie on. */
export const GROUNDS = ['bg', 'pane', 'raise', 'sel', 'hover'];
export const CODE_GROUNDS = ['code-ground', 'diff-in', 'diff-out'];
export const INKS = /^(text|mute|faint|accent|ok|danger|warn|cat-.*|fate-.*)$/;
/** Neither: lines, and grounds and an ink whose pairs the test names one by one. */
export const OTHERS = ['line', 'line-strong', 'on-accent', 'danger-ground', 'warn-ground'];
export const CODE_INKS = /^(text|mute|faint|ok|danger|syn-.*|ansi-.*)$/;
