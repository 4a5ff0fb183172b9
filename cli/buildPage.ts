// Builds the page that `export --html` writes: one HTML file with its script and its styles in it, by their hashes.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PAGE_DATA, PAGE_TITLE } from '../core/page/html.ts';

const CHECKOUT = resolve(import.meta.dirname, '..');

/** Name of the built page in its folder. */
export const PAGE_FILE = 'page.html';

/** Builds the page into a folder. */
export async function buildPage(folder: string): Promise<void> {
  const { build } = await import('vite');
  const made = await build({
    configFile: join(CHECKOUT, 'vite.config.ts'),
    root: join(CHECKOUT, 'renderer'),
    logLevel: 'warn',
    build: {
      outDir: folder,
      write: false,
      cssCodeSplit: false,
      // Marks of the panes are drawn by rules alone; nothing is fetched.
      assetsInlineLimit: 1_000_000,
      rolldownOptions: {
        input: join(CHECKOUT, 'renderer', 'page', 'main.tsx'),
        output: { format: 'es', codeSplitting: false },
      },
    },
  });
  const outputs = (Array.isArray(made) ? made : [made]).flatMap((one) => ('output' in one ? one.output : []));
  const code = outputs.flatMap((one) => (one.type === 'chunk' ? [one.code] : []));
  const css = outputs.flatMap((one) =>
    one.type === 'asset' && one.fileName.endsWith('.css') ? [String(one.source)] : [],
  );
  const [script] = code;
  if (script === undefined || code.length !== 1) throw new Error(`the page is ${code.length} scripts, and not one`);
  await writeFile(join(folder, PAGE_FILE), shellHtml(script, css.join('\n')));
}

/** The page without a transcript. Its policy allows the script and the styles it holds, and nothing else. */
function shellHtml(code: string, css: string): string {
  // What a browser would read as the end of the element is written otherwise.
  const script = code.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
  const style = css.replaceAll(/<\/(style)/gi, '<\\/$1');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en" data-theme="dark">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${PAGE_TITLE}</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<noscript>This page needs JavaScript. It connects to nothing.</noscript>
${PAGE_DATA}
<script type="module">${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
