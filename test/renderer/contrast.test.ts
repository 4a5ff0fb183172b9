import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('../../renderer/theme/tokens.css', import.meta.url), 'utf8');

/** Custom properties of one theme with a hex colour. */
function colours(theme: 'dark' | 'light'): ReadonlyMap<string, string> {
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

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

const GROUNDS = ['bg', 'pane', 'raise', 'sel', 'hover'];
const INKS = /^(text|mute|faint|accent|ok|danger|warn|cat-.*|fate-.*)$/;

describe.each(['dark', 'light'] as const)('the %s theme', (theme) => {
  const tokens = colours(theme);
  const pairs = [...tokens.keys()]
    .filter((name) => INKS.test(name))
    .flatMap((ink) => GROUNDS.map((ground) => [ink, ground] as const));
  const special = [
    ['on-accent', 'accent'],
    ['danger', 'danger-ground'],
    ['text', 'warn-ground'],
    ['warn', 'warn-ground'],
  ] as const;

  it('names all the colours this test is about', () => {
    expect(pairs.length).toBe(20 * GROUNDS.length);
  });

  it.each([...pairs, ...special])('keeps 4.5:1 for %s on %s', (ink, ground) => {
    const ratio = contrast(tokens.get(ink) ?? '#000000', tokens.get(ground) ?? '#000000');
    expect(ratio).toBeGreaterThanOrEqual(4.5);
  });
});
