import { afterEach, describe, it } from 'vitest';
import type { LaunchOptions, RunningApp } from './host.ts';
import { desktopMissing, launchDesktop } from './launchDesktop.ts';
import { launchWeb, webMissing } from './launchWeb.ts';

export type { LaunchOptions, RunningApp } from './host.ts';

/** Starts an app in the host under test; it is closed after the test, whatever happens in it. */
export type Launch = (options?: LaunchOptions) => Promise<RunningApp>;

/** One journey, as one test. */
export type Journey = (name: string, walk: (launch: Launch) => Promise<void>) => void;

const HOSTS = [
  { kind: 'web', missing: webMissing, launch: launchWeb },
  { kind: 'desktop', missing: desktopMissing, launch: launchDesktop },
] as const;

/** Declares the same journeys for both hosts. Where a host is missing they are reported as skipped, with the reason. */
export function forEachHost(name: string, declare: (journey: Journey, kind: RunningApp['kind']) => void): void {
  for (const host of HOSTS) {
    const missing = host.missing();
    describe(`${name} (${host.kind}${missing === null ? '' : `; skipped: ${missing}`})`, () => {
      const open: RunningApp[] = [];
      afterEach(async () => {
        for (const app of open.splice(0)) await app.close();
      });
      const launch: Launch = async (options) => {
        const app = await host.launch(options);
        open.push(app);
        return app;
      };
      declare((title, walk) => it.skipIf(missing !== null)(title, () => walk(launch)), host.kind);
    });
  }
}
