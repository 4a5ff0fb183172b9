// Builds what cannot run from source: the renderer (always), and for the desktop window the main process, its preload
// and the engine's worker threads. The CLI and the web host run from source by Node's type stripping.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';
import { PAGE_FILE } from '../core/protocol/page.ts';
import { buildPage } from './buildPage.ts';
import { asUsual } from './support/privateFiles.ts';

const CHECKOUT = resolve(import.meta.dirname, '..');
const DIST = join(CHECKOUT, 'dist');

/** What can be built by itself. `page` = what `export --html` writes, `desktop` = main process, preload and worker threads. */
export type BuildPart = 'renderer' | 'page' | 'desktop';

const SOURCES: Readonly<Record<BuildPart, readonly string[]>> = {
  renderer: ['core', 'renderer', 'vite.config.ts', 'package-lock.json', 'cli/build.ts', 'cli/cssLayers.ts'],
  page: [
    'core',
    'renderer',
    'vite.config.ts',
    'package-lock.json',
    'cli/build.ts',
    'cli/buildPage.ts',
    'cli/cssLayers.ts',
  ],
  desktop: ['core', 'electron', 'package-lock.json', 'cli/build.ts'],
};

/** Loaded from node_modules at run time: native code, a wasm file found beside its module, and what the runtime brings. */
export const NOT_BUNDLED = ['electron', 'better-sqlite3', '@jitl/quickjs-wasmfile-release-sync', 'sharp'];

/** Where the built renderer is. */
export function rendererFolder(): string {
  return join(DIST, 'renderer');
}

/** The built page that takes a transcript. */
export function pageShell(): string {
  return join(DIST, 'page', PAGE_FILE);
}

/** Builds the parts whose sources have changed since they were last built; answers which. */
export async function buildIfStale(parts: readonly BuildPart[]): Promise<readonly BuildPart[]> {
  const read = new Map<string, string>();
  const stale = parts.filter((part) => !isFresh(part, read));
  if (stale.length === 0) return stale;
  console.error('parallax: building the app (at the first start, and after changes of its source)…');
  await buildApart(stale);
  return stale;
}

// In a separate process: the bundler leaves a gigabyte of memory behind, which a host would hold for as long as it runs.
async function buildApart(parts: readonly BuildPart[]): Promise<void> {
  // Whoever asks for it: libraries have parts for development that nobody is to be given.
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = asUsual(() => spawn(process.execPath, [import.meta.filename, ...parts], { stdio: 'inherit', env }));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`building ${parts.join(' and ')} failed`);
}

/** Builds one part, whatever there was before. An interrupted build leaves the part stale, never half new. */
export async function buildPart(part: BuildPart): Promise<void> {
  const stamp = stampOf(SOURCES[part]);
  await mkdir(DIST, { recursive: true });
  await rm(stampFile(part), { force: true });
  const made = join(DIST, `.${part}-${process.pid}`);
  try {
    if (part === 'renderer') await buildRenderer(made);
    else if (part === 'page') await buildPageInto(join(made, 'page'));
    else await buildDesktop(made);
    for (const folder of readdirSync(made)) await replaceFolder(join(made, folder), join(DIST, folder));
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  await writeFile(stampFile(part), stamp);
}

async function replaceFolder(from: string, to: string): Promise<void> {
  const old = `${to}.old-${process.pid}`;
  if (existsSync(to)) await rename(to, old);
  await rename(from, to);
  await rm(old, { recursive: true, force: true });
}

function stampFile(part: BuildPart): string {
  return join(DIST, `.${part}.stamp`);
}

function isFresh(part: BuildPart, read: Map<string, string>): boolean {
  const file = stampFile(part);
  return existsSync(file) && readFileSync(file, 'utf8') === stampOf(SOURCES[part], read);
}

/**
 * Shows whether files and folders of the checkout have changed. By content, not by time: a fresh checkout or a
 * switched branch gives files any time. `read` = what was found of each so far: parts have most of them in common.
 */
export function stampOf(sources: readonly string[], read = new Map<string, string>()): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    const own = read.get(source) ?? hashOf(source);
    read.set(source, own);
    hash.update(own);
  }
  return hash.digest('hex');
}

function hashOf(source: string): string {
  const hash = createHash('sha256');
  for (const file of filesOf(join(CHECKOUT, source))) {
    hash.update(relative(CHECKOUT, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesOf(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return [path];
    throw error;
  }
}

// Loaded when something is to be built: importing it alone costs 60 MB.
const bundler = () => import('vite');

async function buildRenderer(made: string): Promise<void> {
  const { build } = await bundler();
  await build({
    configFile: join(CHECKOUT, 'vite.config.ts'),
    root: join(CHECKOUT, 'renderer'),
    logLevel: 'warn',
    plugins: [graphOf(join(made, GRAPH))],
    build: { outDir: join(made, 'renderer') },
  });
}

async function buildPageInto(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await buildPage(folder);
}

const GRAPH = 'renderer.graph.json';

/** A file of the built page: what it is made of and which files it asks for, at once (`imports`) or when used. */
export interface BuiltChunk {
  readonly file: string;
  readonly isEntry: boolean;
  readonly bytes: number;
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  /** Styles that come with it. */
  readonly css: readonly string[];
  /** Sources, from the checkout; bytes before they are made small. */
  readonly modules: Readonly<Record<string, number>>;
}

/** The graph of the renderer as it was last built. */
export function rendererGraph(): readonly BuiltChunk[] {
  return JSON.parse(readFileSync(join(DIST, GRAPH), 'utf8'));
}

/** Writes the graph beside the page, not into it: it is for tests and measures, and is not shipped. */
function graphOf(file: string): Plugin {
  return {
    name: 'parallax-graph',
    enforce: 'post',
    async writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const graph = chunks.map(
        (chunk): BuiltChunk => ({
          file: chunk.fileName,
          isEntry: chunk.isEntry,
          bytes: Buffer.byteLength(chunk.code),
          imports: chunk.imports,
          dynamicImports: chunk.dynamicImports,
          css: [...(chunk.viteMetadata?.importedCss ?? [])],
          modules: Object.fromEntries(
            Object.entries(chunk.modules).map(([id, { renderedLength }]) => [
              relative(CHECKOUT, id.replace(/^\0/, '')).split(sep).join('/'),
              renderedLength,
            ]),
          ),
        }),
      );
      await writeFile(file, JSON.stringify(graph, null, 1));
    },
  };
}

// Worker threads are separate entries, found where the code names them: `new URL('./worker.ts', import.meta.url)`.
async function buildDesktop(made: string): Promise<void> {
  await buildEntry(made, 'electron/preload.ts', 'cjs', []);
  const queue = ['electron/main.ts'];
  for (const entry of queue) {
    const found: string[] = [];
    await buildEntry(made, entry, 'es', found);
    queue.push(...found.filter((file) => !queue.includes(file)));
  }
}

async function buildEntry(made: string, entry: string, format: 'es' | 'cjs', workers: string[]): Promise<void> {
  const out = outputOf(entry, format);
  const { build } = await bundler();
  await build({
    configFile: false,
    root: CHECKOUT,
    logLevel: 'warn',
    publicDir: false,
    plugins: [workerUrls(out, workers)],
    ssr: { noExternal: true, external: NOT_BUNDLED },
    build: {
      ssr: join(CHECKOUT, entry),
      outDir: made,
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        external: NOT_BUNDLED,
        checks: { pluginTimings: false },
        // One file an entry, so that `import.meta.url` is the entry's own everywhere in it.
        output: { format, entryFileNames: out, codeSplitting: false },
      },
    },
  });
}

function outputOf(entry: string, format: 'es' | 'cjs'): string {
  return entry.replace(/\.ts$/, format === 'cjs' ? '.cjs' : '.js');
}

const MODULE_URL = /new URL\(\s*(['"])(\.[^'"]+\.ts)\1\s*,\s*import\.meta\.url\s*\)/g;

/** Points URLs of source modules at what they are built into, and reports them as further entries. */
function workerUrls(out: string, workers: string[]): Plugin {
  return moduleUrls((entry) => {
    workers.push(entry);
    const url = posix.relative(posix.dirname(out), outputOf(entry, 'es'));
    return `new URL('${url.startsWith('.') ? url : `./${url}`}', import.meta.url)`;
  });
}

/** Puts other code where code names a source module by its URL; `codeOf` is given the module's name from the checkout. */
export function moduleUrls(codeOf: (entry: string) => string | null): Plugin {
  return {
    name: 'parallax-module-urls',
    enforce: 'pre',
    transform(code, id) {
      if (code.search(MODULE_URL) < 0) return null;
      const changed = code.replace(MODULE_URL, (whole, _quote, target: string) => {
        const entry = relative(CHECKOUT, resolve(dirname(id), target))
          .split(sep)
          .join('/');
        return codeOf(entry) ?? whole;
      });
      return { code: changed, map: null };
    },
  };
}

if (import.meta.main) {
  const parts = ['renderer', 'page', 'desktop'] as const;
  const named = process.argv.slice(2);
  for (const part of parts) if (named.length === 0 || named.includes(part)) await buildPart(part);
}
