import type { Page } from 'playwright-core';

/** A running app under test, whichever host it runs in. */
export interface RunningApp {
  readonly kind: 'web' | 'desktop';
  /** The app's page; a new one after restart(). */
  readonly page: Page;
  /** The library's folder. */
  readonly library: string;
  /** Ends the app in order and starts it again on the same library. */
  restart(): Promise<void>;
  /** Ends the engine as a crash would. */
  engineKill(): Promise<void>;
  /** Ends the whole app at once, as a power failure would, and starts it again on the same library. */
  crash(): Promise<void>;
  /** Errors of the page and of its console so far. */
  errors(): readonly string[];
  close(): Promise<void>;
}

/** How to start an app: files on its command line, and a library (a new empty folder by default). */
export interface LaunchOptions {
  readonly files?: readonly string[];
  readonly library?: string;
  /** More of the environment: where tools keep sessions. The home folder is an empty one. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Collects what goes wrong in a page: uncaught errors and console errors. */
export function watchPage(page: Page, errors: string[]): void {
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
}
