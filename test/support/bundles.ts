// Threads and processes that tests start run from bundles. From source each loads some seven hundred modules, which takes it
// longer than most of what it is then asked: threads 0.6 s, commands a second. What is of the start itself is tested from
// source (runCliProcess). Made anew when a source has changed; `PARALLAX_BUNDLES=none` = all run from source.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { moduleUrls, NOT_BUNDLED, stampOf } from '../../cli/build.ts';
import { isRecord } from '../../core/util/unknown.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');
const FOLDER = join(CHECKOUT, '.cache', 'tests');
const STAMP = join(FOLDER, 'stamp');

/** Processes. */
const PROGRAMS = [
  'cli/main.ts',
  'cli/start.ts',
  'test/support/cliHost.ts',
  'test/engine/jobs/importChild.ts',
  'test/engine/jobs/followChild.ts',
];
const SOURCES = ['core', 'cli', 'package-lock.json', 'test/support/bundles.ts', ...PROGRAMS];
/** Loaded from node_modules when they are used. */
const LEFT_OUT = [...NOT_BUNDLED, 'vite'];

/** Threads, found where the code names them. */
function threads(): readonly string[] {
  const found: string[] = [];
  const { transform } = moduleUrls((entry) => {
    found.push(entry);
    return null;
  });
  if (typeof transform !== 'function') throw new Error('moduleUrls transforms otherwise than expected');
  for (const folder of ['core', 'cli']) {
    const names = readdirSync(join(CHECKOUT, folder), { recursive: true, encoding: 'utf8' });
    for (const path of names.filter((name) => name.endsWith('.ts')).map((name) => join(CHECKOUT, folder, name)))
      Reflect.apply(transform, undefined, [readFileSync(path, 'utf8'), path]);
  }
  // Comments name some, too.
  return [...new Set(found)].filter((entry) => existsSync(join(CHECKOUT, entry)));
}

/** The bundle of a program or thread, from its name in the checkout; the source itself where tests run without bundles. */
export function bundleOf(entry: string): string {
  const bundle = join(FOLDER, entry.replace(/\.ts$/, '.js'));
  return process.env.PARALLAX_BUNDLES === FOLDER && existsSync(bundle) ? bundle : join(CHECKOUT, entry);
}

/** Has code that tests load start threads from their bundles. */
export function threadsFromBundles(): Plugin {
  return moduleUrls((entry) => {
    const bundle = bundleOf(entry);
    return bundle.endsWith('.ts') ? null : `new URL(${JSON.stringify(pathToFileURL(bundle).href)})`;
  });
}

/** Makes the bundles before the tests begin, unless they are there. */
export default async function setup(): Promise<void> {
  if (process.env.PARALLAX_BUNDLES === 'none') return;
  const stamp = stampOf(SOURCES);
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stamp) {
    const made = `${FOLDER}-${process.pid}`;
    await makeBundles(made);
    await writeFile(join(made, 'stamp'), stamp);
    const old = `${made}-old`;
    if (existsSync(FOLDER)) await rename(FOLDER, old);
    await rename(made, FOLDER);
    await rm(old, { recursive: true, force: true });
  }
  process.env.PARALLAX_BUNDLES = FOLDER;
  process.env.NODE_COMPILE_CACHE ??= join(CHECKOUT, '.cache', 'tests-compiled');
}

async function makeBundles(out: string): Promise<void> {
  const { build } = await import('vite');
  const entries = [...PROGRAMS, ...threads()];
  await mkdir(out, { recursive: true });
  await build({
    configFile: false,
    root: CHECKOUT,
    logLevel: 'warn',
    publicDir: false,
    plugins: [
      moduleUrls(
        (entry) => `new URL(${JSON.stringify(pathToFileURL(join(FOLDER, entry)).href.replace(/\.ts$/, '.js'))})`,
      ),
      asAtTheirPlace(entries),
    ],
    ssr: { noExternal: true, external: LEFT_OUT },
    build: {
      ssr: true,
      outDir: out,
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((entry) => [entry.replace(/\.ts$/, ''), join(CHECKOUT, entry)])),
        external: LEFT_OUT,
        checks: { pluginTimings: false },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
}

/** Modules in a bundle find what lies beside their source; none but the entries are what was started. */
function asAtTheirPlace(entries: readonly string[]): Plugin {
  return {
    name: 'parallax-places',
    transform(code, id) {
      if (id.includes(`${sep}node_modules${sep}`) || !code.includes('import.meta.')) return null;
      const own: Record<string, string> = {
        dirname: JSON.stringify(dirname(id)),
        filename: JSON.stringify(id),
        url: JSON.stringify(pathToFileURL(id).href),
        ...(!entries.includes(relative(CHECKOUT, id)) && { main: 'false' }),
      };
      // From the end, so that places before stay; texts that speak of it are left alone.
      let changed = code;
      for (const { start, end, name } of metaProperties(this.parse(code)).sort((a, b) => b.start - a.start))
        if (own[name] !== undefined) changed = `${changed.slice(0, start)}${own[name]}${changed.slice(end)}`;
      return { code: changed, map: null };
    },
  };
}

interface MetaProperty {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** The places of `import.meta.NAME` in a program. */
function metaProperties(node: unknown): MetaProperty[] {
  if (Array.isArray(node)) return node.flatMap(metaProperties);
  if (!isRecord(node)) return [];
  const { type, object, property, start, end } = node;
  const isMeta =
    type === 'MemberExpression' && isRecord(object) && object.type === 'MetaProperty' && isRecord(property);
  if (isMeta) return [{ start: Number(start), end: Number(end), name: String(property.name) }];
  return Object.values(node).flatMap(metaProperties);
}
