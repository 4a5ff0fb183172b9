// Who may import whom, stated once. test/layers.test.ts reads the real imports and fails on a breach.

/** A layer: the folder, what it may import besides itself and core/util, which packages, and whether it is pure. */
export interface Layer {
  readonly folder: string;
  readonly imports: readonly string[];
  /** Packages by name, or by the beginning of it. `node:` = any module of Node. */
  readonly packages: readonly string[];
  /** No I/O, clock, randomness, DOM: same input, same output, on every host. */
  readonly pure: boolean;
}

const pure = (folder: string, imports: readonly string[], packages: readonly string[] = []): Layer => ({
  folder,
  imports,
  packages,
  pure: true,
});

const FAMILY = ['core/model', 'core/tokens', 'core/view'];

/** Everything in core that is pure: what hosts run directly where they need no library. */
const PURE_CORE = [
  'core/model',
  'core/importers',
  'core/search',
  'core/tokens',
  'core/view',
  'core/projection',
  'core/insight',
  'core/filter',
  'core/check',
  'core/wire',
  'core/report',
  'core/protocol',
  'core/library',
  'core/sample',
  'core/reading',
  'core/scrub',
  'core/page',
  'core/reproduce',
];

/** The layers, from the ground up. */
export const LAYERS: readonly Layer[] = [
  pure('core/util', [], ['@noble/hashes/']),
  pure('core/model', []),
  pure('core/importers', ['core/model']),
  pure('core/search', ['core/model']),
  pure('core/tokens', ['core/model'], ['js-tiktoken/ranks/']),
  pure('core/view', ['core/model', 'core/tokens']),
  pure('core/stages/recorded', FAMILY),
  pure('core/stages/harn', FAMILY),
  pure('core/stages/reducers', FAMILY),
  pure('core/stages/context', FAMILY),
  pure('core/stages/vendors', FAMILY),
  pure('core/stages/pin', FAMILY),
  pure('core/stages/hygiene', FAMILY),
  pure('core/projection', ['core/model', 'core/tokens', 'core/view', 'core/stages/']),
  pure('core/wire', ['core/model', 'core/view', 'core/projection', 'core/stages/hygiene']),
  pure('core/insight', ['core/model', 'core/tokens', 'core/view', 'core/projection', 'core/wire', 'core/reading']),
  pure('core/filter', ['core/model', 'core/search', 'core/view', 'core/projection', 'core/insight']),
  pure(
    'core/check',
    ['core/filter', 'core/insight', 'core/scrub', 'core/search', 'core/tokens', 'core/view', 'core/wire'],
    ['zod', 'yaml'],
  ),
  pure('core/report', ['core/model', 'core/tokens', 'core/view', 'core/projection', 'core/wire'], ['zod']),
  pure(
    'core/protocol',
    [
      'core/model',
      'core/tokens',
      'core/view',
      'core/projection',
      'core/insight',
      'core/filter',
      'core/report',
      'core/check',
      'core/search',
    ],
    ['zod'],
  ),
  pure('core/library', ['core/model', 'core/protocol', 'core/search', 'core/filter', 'core/insight']),
  pure('core/sample', []),
  pure('core/scrub', ['core/model', 'core/tokens', 'core/view', 'core/projection', 'core/report']),
  pure('core/reproduce', [
    'core/model',
    'core/view',
    'core/projection',
    'core/stages/vendors',
    'core/wire',
    'core/report',
  ]),
  pure('core/reading', ['core/model']),
  pure('core/page', ['core/model', 'core/view', 'core/insight', 'core/protocol']),
  { folder: 'core/store', imports: ['core/model', 'core/search'], packages: ['better-sqlite3', 'node:'], pure: false },
  {
    folder: 'core/engine',
    imports: [...PURE_CORE, 'core/store'],
    packages: ['node:', 'quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync', 'sharp'],
    pure: false,
  },
  {
    folder: 'electron',
    imports: ['core/protocol', 'core/engine'],
    packages: ['electron', 'node:', 'zod'],
    pure: false,
  },
  {
    folder: 'cli',
    imports: [...PURE_CORE, 'core/engine'],
    packages: ['node:', '@modelcontextprotocol/server', 'commander', 'hyparquet-writer', 'vite', 'ws', 'yaml', 'zod'],
    pure: false,
  },
  {
    folder: 'renderer',
    imports: [
      'core/protocol',
      'core/model',
      'core/search',
      'core/filter',
      'core/check',
      'core/library',
      'core/sample',
      'core/reading',
      'core/page',
    ],
    packages: [
      '@fontsource-variable/',
      '@tanstack/react-virtual',
      'cmdk',
      'lowlight',
      'lucide-react',
      'markdown-it',
      'monaco-editor',
      'radix-ui',
      'react',
      'react-dom',
      'react-resizable-panels',
      'zustand',
    ],
    pure: false,
  },
];

/**
 * A folder of the renderer and the floor it is on. From the ground up: `ground` imports the ground folders it names;
 * `state` imports the ground; a `feature` imports ground, state and the features it names; `app` imports everything but
 * others of its floor, unless it names them.
 */
export interface RendererFolder {
  readonly floor: 'ground' | 'state' | 'feature' | 'app';
  readonly imports: readonly string[];
}

const ground = (...imports: string[]): RendererFolder => ({ floor: 'ground', imports });
const feature = (...imports: string[]): RendererFolder => ({ floor: 'feature', imports });

/** The folders of the renderer. No two of them may import each other, not even by way of others. */
export const RENDERER: Readonly<Record<string, RendererFolder>> = {
  ui: ground(),
  keys: ground('ui'),
  host: ground(),
  theme: ground(),
  monaco: ground(),
  state: { floor: 'state', imports: [] },
  parts: feature(),
  bundle: feature('review'),
  review: feature('parts'),
  cache: feature(),
  checks: feature('find', 'keep', 'library', 'parts'),
  compactions: feature('parts', 'scrubber'),
  compare: feature('parts', 'policy'),
  context: feature(),
  correlation: feature(),
  find: feature('parts'),
  filter: feature(),
  uses: feature('filter', 'find'),
  watch: feature('filter', 'find'),
  findings: feature(),
  keep: feature('find'),
  follow: feature(),
  fork: feature('parts'),
  relations: feature(),
  mapping: feature(),
  moving: feature('library', 'parts'),
  request: feature('cache'),
  scrubber: feature('filter', 'keep', 'parts'),
  ruler: feature(),
  lanes: feature(),
  summary: feature(),
  search: feature('find'),
  tours: feature('find'),
  policy: feature('context', 'filter', 'summary'),
  budget: feature('policy'),
  usage: feature('budget'),
  lint: feature(),
  library: feature('follow', 'parts'),
  reading: feature('find'),
  drawer: feature('budget', 'correlation', 'filter', 'find', 'reading', 'relations', 'parts', 'usage', 'uses', 'watch'),
  timeline: feature('budget', 'filter', 'fork', 'reading', 'relations', 'parts', 'search', 'summary', 'ruler', 'uses'),
  wire: feature('budget', 'lint'),
  tune: feature('library'),
  analytics: feature('library'),
  welcome: feature('follow', 'library', 'tours'),
  header: feature('bundle', 'find', 'fork', 'relations'),
  status: feature('budget', 'cache', 'follow'),
  palette: feature('policy'),
  dev: feature('find', 'library', 'policy', 'scrubber', 'timeline'),
  app: { floor: 'app', imports: [] },
  page: { floor: 'app', imports: ['app'] },
};

/** The entry points of the engine: the files that hosts may import from it. */
export const ENGINE_ENTRY_POINTS: readonly string[] = [
  'core/engine/client.ts',
  'core/engine/check/index.ts',
  'core/engine/garbageLimit.ts',
  'core/engine/compileCache.ts',
  'core/engine/inProcess.ts',
  'core/engine/page/bundlePage.ts',
  'core/engine/requests/index.ts',
  'core/engine/threadEnv.ts',
  'core/engine/threads/index.ts',
  'core/engine/tune/index.ts',
  'core/engine/version.ts',
  'core/engine/nodeHash.ts',
  'core/engine/files/assetFile.ts',
  'core/engine/files/regularFile.ts',
  'core/engine/files/writeWhole.ts',
  'core/engine/files/unpackZlib.ts',
  'core/engine/effects/userCode.ts',
  'core/engine/files/repairSessionFile.ts',
  'core/engine/sandbox/sandboxClient.ts',
];

/** What breaks the table for now: since when, and how it is to end. */
export interface Debt {
  readonly from: string;
  readonly to: string;
  readonly since: string;
  readonly plan: string;
}

/** An entry that no import needs any more fails the test too. */
export const DEBT: readonly Debt[] = [];
