import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LaunchOptions, RunningApp } from './host.ts';
import { desktopMissing, launchDesktop } from './launchDesktop.ts';
import { launchWeb, webMissing } from './launchWeb.ts';

const PICTURES = resolve(import.meta.dirname, '..', '..', '..', 'test-results');

/** A step takes longer than this only if something is wrong. */
const PATIENCE_MS = 20_000;

const HOSTS = [
  { kind: 'web', missing: webMissing, launch: launchWeb },
  { kind: 'desktop', missing: desktopMissing, launch: launchDesktop },
] as const;

/** One step of a journey. Steps run in order on one app; after one that failed the rest are skipped. */
export type Step = (name: string, walk: (app: RunningApp) => Promise<void>) => void;

interface Setting {
  /** How to start the app, asked for when it is about to start. */
  readonly start?: (kind: RunningApp['kind']) => LaunchOptions;
  /** Console errors that belong to what the journey does, such as a connection that it cuts. */
  readonly expected?: RegExp;
}

/**
 * Declares one journey for both hosts, on one app a host: started before the first step, closed after the last, which
 * is always that nothing went wrong in the page. A failed step leaves a picture in test-results. A missing host's
 * steps are reported as skipped, with the reason.
 */
export function onEachHost(name: string, setting: Setting, declare: (step: Step, kind: RunningApp['kind']) => void) {
  for (const host of HOSTS) {
    const missing = host.missing();
    const title = `${name} (${host.kind}${missing === null ? '' : `; skipped: ${missing}`})`;
    describe.skipIf(missing !== null)(title, () => {
      let app: RunningApp | null = null;
      let failed: string | null = null;
      beforeAll(async () => {
        app = await host.launch(setting.start?.(host.kind) ?? {});
        await app.page.locator('#root > *').first().waitFor();
      });
      afterAll(() => app?.close());
      const step: Step = (title, walk) =>
        it(title, async (context) => {
          if (failed !== null) return context.skip(`after a failure in “${failed}”`);
          if (app === null) throw new Error('the app did not start');
          app.page.setDefaultTimeout(PATIENCE_MS);
          try {
            await walk(app);
          } catch (error) {
            failed = title;
            await picture(app, `${name} ${title}`);
            throw error;
          }
        });
      declare(step, host.kind);
      step('and nothing went wrong in the page', async ({ errors }) => {
        expect(errors().filter((text) => !(setting.expected?.test(text) ?? false))).toEqual([]);
      });
    });
  }
}

async function picture(app: RunningApp, title: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  const name = `${app.kind} ${title}`.replaceAll(/[^\w]+/g, '-').slice(0, 120);
  try {
    await app.page.screenshot({ path: join(PICTURES, `${name}.png`), timeout: 5_000 });
  } catch (error) {
    console.error(`no picture of the failure: ${String(error)}`); // the page may be what failed
  }
}
