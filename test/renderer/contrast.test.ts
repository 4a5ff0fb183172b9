import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CODE_GROUNDS, CODE_INKS, coloursOfTheme, contrast, GROUNDS, INKS, OTHERS } from '../support/contrast.ts';

const RENDERER = fileURLToPath(new URL('../../renderer/', import.meta.url));
const css = readFileSync(join(RENDERER, 'theme', 'tokens.css'), 'utf8');
describe.each(['dark', 'light'] as const)('the %s theme', (theme) => {
  const tokens = coloursOfTheme(theme);
  const pairs = [...tokens.keys()]
    .filter((name) => INKS.test(name))
    .flatMap((ink) => GROUNDS.map((ground) => [ink, ground] as const));
  const code = [...tokens.keys()]
    .filter((name) => CODE_INKS.test(name))
    .flatMap((ink) => CODE_GROUNDS.map((ground) => [ink, ground] as const));
  const special = [
    ['on-accent', 'accent'],
    ['danger', 'danger-ground'],
    ['text', 'warn-ground'],
    ['warn', 'warn-ground'],
  ] as const;

  it('names all the colours this test is about', () => {
    expect(pairs.length).toBe(20 * GROUNDS.length);
    expect(code.length).toBe(16 * CODE_GROUNDS.length);
  });

  it('knows of every colour what it is for', () => {
    const known = new Set([...GROUNDS, ...CODE_GROUNDS, ...OTHERS]);
    expect([...tokens.keys()].filter((name) => !known.has(name) && !INKS.test(name) && !CODE_INKS.test(name))).toEqual(
      [],
    );
  });

  it.each([...pairs, ...code, ...special])('keeps 4.5:1 for %s on %s', (ink, ground) => {
    const ratio = contrast(tokens.get(ink) ?? '#000000', tokens.get(ground) ?? '#000000');
    expect(ratio).toBeGreaterThanOrEqual(4.5);
  });
});

/** A rule of a style sheet that sets both: what is written, and what it is written on. */
interface Pair {
  readonly rule: string;
  readonly ink: string;
  readonly ground: string;
}

/** Rules of all style sheets that set an ink and a ground of their own. */
function ownPairs(): readonly Pair[] {
  return globSync('**/*.css', { cwd: RENDERER }).flatMap((file) => {
    const text = readFileSync(join(RENDERER, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    return [...text.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selector = '', body = '']) => {
      const ink = /(?:^|[\s;])color:\s*([^;]+);/.exec(body)?.[1];
      const ground = /(?:^|[\s;])background(?:-color)?:\s*([^;]+);/.exec(body)?.[1];
      if (ink === undefined || ground === undefined || /none|transparent$/.test(ground)) return [];
      return [{ rule: `${file} ${selector.trim()}`, ink, ground }];
    });
  });
}

/** The colours a value may come to: a mix with nothing lies on each of the grounds. Empty = not a colour of the theme. */
function coloursOf(value: string, tokens: ReadonlyMap<string, string>): readonly string[] {
  if (value === 'inherit') return [tokens.get('text') ?? ''];
  const token = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  if (token !== undefined) return tokens.has(token) ? [tokens.get(token) ?? ''] : [];
  const mixed = /^color-mix\(in srgb, var\(--([\w-]+)\) (\d+)%, (?:transparent|var\(--([\w-]+)\))\)$/.exec(value);
  const over = tokens.get(mixed?.[1] ?? '');
  if (!mixed || over === undefined) return [];
  const under = mixed[3] === undefined ? GROUNDS : [mixed[3]];
  return under.map((ground) => mix(over, tokens.get(ground) ?? '#000000', Number(mixed[2]) / 100));
}

function mix(over: string, under: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [over, under].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    return Math.round((a ?? 0) * share + (b ?? 0) * (1 - share));
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

describe.each(['dark', 'light'] as const)('rules with an ink and a ground of their own, %s', (theme) => {
  const tokens = coloursOfTheme(theme);
  const pairs = ownPairs().flatMap(({ rule, ink, ground }) =>
    coloursOf(ink, tokens).flatMap((a) => coloursOf(ground, tokens).map((b) => [rule, a, b] as const)),
  );

  it('are found', () => {
    expect(pairs.length).toBeGreaterThan(35);
    expect(pairs.map(([rule]) => rule)).toContain('search/search.css mark.found');
  });

  it.each(pairs)('%s keeps 4.5:1 (%s on %s)', (_rule, ink, ground) => {
    expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5);
  });
});

describe('what is not sent stays readable', () => {
  const sheets = globSync('**/*.css', { cwd: RENDERER }).map((file) => [
    file,
    readFileSync(join(RENDERER, file), 'utf8'),
  ]);

  it.each(sheets)('%s strikes no text through: a line hides hyphens', (_file, text) => {
    expect(text).not.toMatch(/line-through/);
  });

  it('a row that is not sent is hatched, over a ground that keeps 4.5:1, in an ink of its own', () => {
    const text = readFileSync(join(RENDERER, 'timeline', 'timeline.css'), 'utf8');
    expect(/\.cell-ghost \{[^}]*\}/.exec(text)?.[0]).toContain('repeating-linear-gradient');
    const rules = [...text.matchAll(/\.cell-ghost[^{]*\{([^}]*)\}/g)].map(([, body = '']) => body);
    expect(rules.join(' ')).not.toContain('opacity');
    const inked = rules.filter((body) => /[^-]color:/.test(body));
    const inks = inked.flatMap((body) => /[^-]color: var\(--([\w-]+)\)/.exec(body)?.[1] ?? []);
    expect(inks.length).toBeGreaterThanOrEqual(2);
    expect(inks).toHaveLength(inked.length);
    for (const theme of ['dark', 'light'] as const) {
      const tokens = coloursOfTheme(theme);
      const hatch = hatchOf(theme);
      for (const ground of ['bg', 'sel', 'hover']) {
        const line = mix(hatch.ink, tokens.get(ground) ?? '', hatch.alpha);
        for (const ink of inks)
          expect(contrast(tokens.get(ink) ?? '', line), `${theme} ${ink} ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
});

it('an invisible character in a row keeps 4.5:1 over every ground of a row', () => {
  const text = readFileSync(join(RENDERER, 'theme', 'base.css'), 'utf8');
  const found = /\.row-line \.unseen \{[^}]*color-mix\(in srgb, var\(--(\w+)\) (\d+)%/.exec(text);
  const [, tint = '', percent = ''] = found ?? [];
  for (const theme of ['dark', 'light'] as const) {
    const tokens = coloursOfTheme(theme);
    for (const ground of ['bg', 'sel', 'hover']) {
      const below = mix(tokens.get(tint) ?? '', tokens.get(ground) ?? '', Number(percent) / 100);
      expect(contrast(tokens.get('warn') ?? '', below), `${theme} ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

/** The hatch of a theme: a line of black or white, and how much of it. */
function hatchOf(theme: 'dark' | 'light'): { readonly ink: string; readonly alpha: number } {
  const block = new RegExp(`data-theme=["']${theme}["']\\][^{]*\\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  const found = /--hatch:\s*rgb\((\d+) \d+ \d+ \/ ([\d.]+)%\)/.exec(block);
  return { ink: found?.[1] === '255' ? '#ffffff' : '#000000', alpha: Number(found?.[2]) / 100 };
}
