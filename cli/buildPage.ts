// Builds the page that `export --html` writes: one HTML file with its script and its styles in it.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { bytesOfText, textOfBytes } from '../core/page/byteText.ts';
import { PAGE_DATA, PAGE_TITLE } from '../core/page/html.ts';
import { PAGE_FILE } from '../core/protocol/page.ts';

const CHECKOUT = resolve(import.meta.dirname, '..');

/** Builds the page into a folder. */
export async function buildPage(folder: string): Promise<void> {
  const { build } = await import('vite');
  const made = await build({
    configFile: join(CHECKOUT, 'vite.config.ts'),
    root: join(CHECKOUT, 'renderer'),
    logLevel: 'warn',
    plugins: [fewGrammars()],
    build: {
      outDir: folder,
      write: false,
      cssCodeSplit: false,
      // Nothing is fetched.
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

const GRAMMAR = /^highlight\.js\/lib\/languages\/(.+)$/;
/** Languages whose code has colours on a page: what agents write most. All others have one colour. */
const COLOURED: ReadonlySet<string> = new Set(['bash', 'diff', 'javascript', 'json', 'python', 'typescript']);

/** Leaves the other grammars out: all of them together are a sixth of the program, and most pages show none. */
function fewGrammars(): Plugin {
  const left = '\0parallax-no-grammar';
  return {
    name: 'parallax-few-grammars',
    enforce: 'pre',
    resolveId: (id) => (COLOURED.has(GRAMMAR.exec(id)?.[1]?.replace(/\.js$/, '') ?? 'bash') ? null : left),
    load: (id) => (id === left ? 'export default () => ({ name: "text", contains: [] });' : null),
  };
}

/**
 * The page without a transcript. Script and styles are in it packed, and a short script puts them in their places: the policy
 * allows these three by their hashes, and nothing else.
 */
function shellHtml(code: string, style: string): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(START)}' '${hashOf(code)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types parallax-page',
  ].join('; ');
  return `<!doctype html>
<html lang="en" data-theme="dark">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${PAGE_TITLE}</title>
</head>
<body>
<div id="root"></div>
<noscript>This page needs JavaScript. It connects to nothing.</noscript>
${PAGE_DATA}
<script type="text/plain" id="page-style">${packed(style)}</script>
<script type="text/plain" id="page-code">${packed(code)}</script>
<script>${START}</script>
</body>
</html>
`;
}

/** Unpacks styles and script. What it makes of them the policy knows by hash, whatever the packed text is. */
const START = `${bytesOfText}
(async () => {
  const read = async (id) => {
    const bytes = bytesOfText(document.getElementById(id).textContent);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
  };
  const [style, code] = await Promise.all([read('page-style'), read('page-code')]);
  const policy = globalThis.trustedTypes?.createPolicy('parallax-page', { createScript: (text) => text });
  const put = (name, text, parent) => parent.append(Object.assign(document.createElement(name), text));
  put('style', { textContent: style }, document.head);
  put('script', { type: 'module', textContent: policy ? policy.createScript(code) : code }, document.body);
})().catch(() => {
  document.getElementById('root').textContent = 'This browser cannot show the page. A newer one can.';
});`;

function packed(text: string): string {
  return textOfBytes(gzipSync(text, { level: 9 }));
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
