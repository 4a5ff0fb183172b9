// Which layer of the cascade a stylesheet is in: its folder says so, so that no file can forget it. A feature's rule wins
// over one of a shared part by its layer, not by being more specific or by being loaded later.
import type { Plugin } from 'vite';

/** The layers from the weakest to the strongest; theme/tokens.css states the same order for the browser. */
export const CSS_LAYERS = ['tokens', 'base', 'vendor', 'ui', 'feature', 'forced'] as const;
export type CssLayer = (typeof CSS_LAYERS)[number];

const SHARED = /^(ui|parts|monaco)\//;

/** The layer of a stylesheet by its path; null for what has no rules of the page, as fonts. */
export function layerOfCss(path: string): CssLayer | null {
  const file = path.replaceAll('\\', '/').replace(/\?.*$/, '');
  if (file.includes('/node_modules/monaco-editor/')) return 'vendor';
  const own = /\/renderer\/(?!.*\/node_modules\/)(.+\.css)$/.exec(file)?.[1];
  if (own === undefined) return null;
  const theme = /^theme\/(tokens|base|forced)\.css$/.exec(own)?.[1];
  if (theme === 'tokens' || theme === 'base' || theme === 'forced') return theme;
  return SHARED.test(own) ? 'ui' : 'feature';
}

/** The order of layers stays outside of them: it comes first in tokens.css. */
const ORDER = /^(?:\s|\/\*[\s\S]*?\*\/)*@layer [\w, ]+;/;

/** Puts each stylesheet into its layer while it is read. */
export function cssLayers(): Plugin {
  return {
    name: 'parallax-css-layers',
    enforce: 'pre',
    transform(code, id) {
      const layer = /\.css(\?|$)/.test(id) ? layerOfCss(id) : null;
      if (layer === null) return null;
      const order = ORDER.exec(code)?.[0] ?? '';
      return { code: `${order}\n@layer ${layer} {\n${code.slice(order.length)}\n}\n`, map: null };
    },
  };
}
