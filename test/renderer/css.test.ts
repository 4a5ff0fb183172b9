// One scale of space, text, radius and height for all styles, and one order of layers: what a stylesheet may not state
// by itself. A raw value here is a value that the next change of the scale forgets.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CSS_LAYERS, cssLayers, layerOfCss } from '../../cli/cssLayers.ts';

const RENDERER = fileURLToPath(new URL('../../renderer/', import.meta.url));
const TOKENS = join('theme', 'tokens.css');
const withoutComments = (css: string) => css.replace(/\/\*[\s\S]*?\*\//g, '');
const SHEETS = new Map(
  globSync('**/*.css', { cwd: RENDERER }).map((file) => [
    file,
    withoutComments(readFileSync(join(RENDERER, file), 'utf8')),
  ]),
);
const OWN = [...SHEETS].filter(([file]) => file !== TOKENS);
const tokens = SHEETS.get(TOKENS) ?? '';

interface Declaration {
  readonly property: string;
  readonly value: string;
}

function declarations(css: string): readonly Declaration[] {
  return [...css.matchAll(/(?<=[;{\s])(-{0,2}[a-z][\w-]*):\s*([^;{}]+);/g)].map(([, property = '', value = '']) => ({
    property,
    value: value.replace(/url\([^)]*\)/g, 'url()').trim(),
  }));
}

/** Values of a scale, in pixels. */
const scale = (name: string) =>
  new Set([...tokens.matchAll(new RegExp(`--${name}-[\\w-]+: ([\\d.]+)px;`, 'g'))].map(([, px]) => Number(px)));

const pixels = (value: string) => [...value.matchAll(/(?<![\w.(-])(\d+(?:\.\d+)?)px\b/g)].map(([, px]) => Number(px));

const SPACE = /^(row-|column-)?gap$|^(padding|margin)(-\w+)*$/;
const NAMED = /\b(white|black|red|green|blue|gr[ae]y|yellow|orange|purple|pink)\b/;

/** What is wrong with a declaration outside of the tokens, or null. */
function breach({ property, value }: Declaration): string | null {
  const said = `${property}: ${value}`;
  if (/#[\da-f]{3,8}\b|\b(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(/i.test(value)) return `${said} (a colour)`;
  if (
    /color|background|border|outline|fill|stroke|shadow/.test(property) &&
    NAMED.test(value.replace(/var\([^)]*\)/g, ''))
  )
    return `${said} (a colour)`;
  if (property === 'z-index' && /\d/.test(value.replace(/var\([^)]*\)/g, ''))) return `${said} (a height)`;
  if (property === 'font-size' && pixels(value).length > 0) return `${said} (a size of text)`;
  if (/radius$/.test(property) && pixels(value).some((px) => px > 0)) return `${said} (a radius)`;
  if (SPACE.test(property) && !value.includes('calc') && pixels(value).some((px) => scale('space').has(px)))
    return `${said} (on the scale of space)`;
  return null;
}

describe('a stylesheet', () => {
  // With `:has()` on them each row that comes or goes has their styles worked out again: three times a frame of scrolling.
  it.each(OWN)('%s asks no element that holds the rows for what it has', (_file, css) => {
    const asked = [...css.matchAll(/(?:^|[\s,}])([\w.#[\]="-]*):has\(/g)].map(([, subject = '']) => subject);
    expect(
      asked.filter((subject) => /^(|html|body|#root|\.app|\.body|\.panes|\.timeline[\w-]*)$/.test(subject)),
    ).toEqual([]);
  });

  // `transition-property` begins as `all`: with a duration on every element each change of each property is a transition of
  // its own, however short, and a page that changes its theme takes ten times as long.
  it.each(OWN)('%s gives no duration of transitions to every element', (_file, css) => {
    const ofAll = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].filter(([, selector = '']) => /(^|,)\s*\*/.test(selector));
    const transitions = ofAll.flatMap(([, , body = '']) =>
      declarations(body).filter(({ property, value }) => /^transition/.test(property) && !/^none\b/.test(value)),
    );
    expect(transitions).toEqual([]);
  });

  it.each(OWN)('%s states no colour, height, size or space of its own', (_file, css) => {
    expect(
      declarations(css)
        .map(breach)
        .filter((one) => one !== null),
    ).toEqual([]);
  });

  it('uses only properties that are defined', () => {
    const defined = new Set(
      [...SHEETS.values()].flatMap((css) => [...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => name)),
    );
    const scripts = globSync('**/*.{ts,tsx}', { cwd: RENDERER }).map((file) =>
      readFileSync(join(RENDERER, file), 'utf8'),
    );
    for (const text of scripts) for (const [, name] of text.matchAll(/['"](--[\w-]+)['"]/g)) defined.add(name);
    const used = OWN.flatMap(([file, css]) =>
      [...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => ({ file, name })),
    );
    expect(used.filter(({ name = '' }) => !defined.has(name) && !name.startsWith('--radix-'))).toEqual([]);
  });

  it('is the one place of the parts it draws: no class has its rule in two files', () => {
    const homes = new Map<string, Set<string>>();
    for (const [file, css] of OWN.filter(([name]) => !name.startsWith('theme'))) {
      for (const [, selectors = ''] of css.matchAll(/([^{};]+)\{/g)) {
        for (const one of selectors.split(/,(?![^(]*\))/)) {
          const name = /^\.([\w-]+)$/.exec(one.trim())?.[1];
          if (name) homes.set(name, (homes.get(name) ?? new Set()).add(file));
        }
      }
    }
    expect([...homes].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files])).toEqual([]);
    expect(homes.size).toBeGreaterThan(500);
  });

  it('is found out when it does: the check sees each kind of breach', () => {
    const wrong =
      '.a { z-index: 3; color: #fff; background: rgb(0 0 0 / 4%); border: 1px solid white; font-size: 12px; border-radius: 4px 0; padding: 8px 3px; }';
    expect(
      declarations(wrong)
        .map(breach)
        .filter((one) => one !== null),
    ).toHaveLength(7);
    const right =
      '.a { z-index: var(--z-tip); color: var(--text); border: 1px solid transparent; font-size: 0.9em; border-radius: 50%; padding: 0 -8px; margin: 17px auto; }';
    expect(
      declarations(right)
        .map(breach)
        .filter((one) => one !== null),
    ).toEqual([]);
  });
});

describe('the layer of a stylesheet', () => {
  it.each([
    ['/x/renderer/theme/tokens.css', 'tokens'],
    ['/x/renderer/theme/base.css', 'base'],
    ['/x/renderer/theme/forced.css', 'forced'],
    ['/x/renderer/ui/modal.css', 'ui'],
    ['C:\\x\\renderer\\ui\\modal.css?direct', 'ui'],
    ['/x/renderer/find/find.css', 'feature'],
    ['/x/node_modules/monaco-editor/esm/vs/editor/a.css', 'vendor'],
    ['/x/node_modules/@fontsource-variable/inter/wght.css', null],
  ])('%s: %s', (path, layer) => {
    expect(layerOfCss(path)).toBe(layer);
  });

  it('is of the order that the tokens state first, and every layer has a sheet', () => {
    expect(tokens.trimStart().startsWith(`@layer ${CSS_LAYERS.join(', ')};`)).toBe(true);
    const used = new Set([...SHEETS.keys()].map((file) => layerOfCss(`/renderer/${file}`)));
    expect([...CSS_LAYERS].filter((layer) => layer !== 'vendor' && !used.has(layer))).toEqual([]);
  });

  it('wraps the rules, and leaves the order of layers before them', () => {
    const { transform } = cssLayers();
    const read = typeof transform === 'function' ? transform : () => null;
    const out = Reflect.apply(read, null, [
      '/* order */\n@layer a, b;\n.x { color: var(--y); }',
      '/renderer/theme/tokens.css',
    ]);
    expect(out).toMatchObject({
      code: expect.stringMatching(/^\/\* order \*\/\n@layer a, b;\n@layer tokens \{\n\n?\.x/),
    });
  });
});
