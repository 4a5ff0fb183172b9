import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { cssLayers } from './cli/cssLayers.ts';

const checkout = import.meta.dirname;
/** What tests of components say they run in: what the app runs in. */
const CHROMIUM =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const forTests = process.env.VITEST ? await import('./test/support/bundles.ts') : null;

/**
 * Builds the renderer into dist/renderer (paths relative, so that any origin can serve it; Monaco's workers are
 * files of our own) and configures the two test projects. The Node side is built by cli/build.ts.
 */
export default defineConfig({
  root: process.env.VITEST ? checkout : join(checkout, 'renderer'),
  base: './',
  cacheDir: join(checkout, 'node_modules', '.vite'),
  plugins: [react(), cssLayers()],
  publicDir: false,
  build: {
    outDir: join(checkout, 'dist', 'renderer'),
    emptyOutDir: true,
    target: ['chrome130', 'firefox130', 'safari17'],
    // Inlined scripts and data: URLs of code would need a weaker Content-Security-Policy.
    assetsInlineLimit: (file) => (/\.(svg|png)$/.test(file) ? undefined : false),
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 8192,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Three files: what loads with the page, what dialogs and further tabs need, and the editor.
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            { name: 'later', test: /^(?!.*(?:node_modules|monaco[\\/]monaco\.ts)).*\.tsx?$/, priority: 1 },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  test: {
    ...(process.env.VITEST && { sequence: { sequencer: (await import('./test/support/order.ts')).Order } }),
    projects: [
      {
        plugins: [forTests?.threadsFromBundles()],
        test: {
          name: 'unit',
          root: checkout,
          globalSetup: 'test/support/bundles.ts',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**'],
          environment: 'node',
          // The editor believes any browser it does not know to be Safari, whose clipboard it then works around at each click.
          environmentOptions: { happyDOM: { settings: { navigator: { userAgent: CHROMIUM } } } },
          // By itself the runner leaves one core idle, which is half of the machine that most of these runs have.
          maxWorkers: '100%',
          // Files of one worker share the modules they load: loading them anew for each file took a third of the time. What
          // a file changes for all it takes back (test/apart.test.ts).
          isolate: false,
          // What is waited for comes when the machine gets to it: a busy one is no failure.
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 30_000, interval: 20 } },
        },
      },
      {
        test: {
          name: 'e2e',
          root: checkout,
          globalSetup: 'test/support/bundles.ts',
          include: ['test/e2e/**/*.e2e.ts'],
          environment: 'node',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // A journey waits for much of its time, for a browser, an engine, a picture: two of them leave cores idle.
          maxWorkers: 3,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
