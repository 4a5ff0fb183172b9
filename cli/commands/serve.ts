import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { inputFailure } from '../support/failure.ts';
import { parsePort } from '../support/port.ts';
import { LIBRARY } from '../support/sharedOptions.ts';

interface ServeOptions {
  readonly library?: string;
  readonly port: number;
}

/** `parallax serve`. */
export function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve the app on 127.0.0.1 for a browser; prints a link')
    .argument('[FILE...]', 'transcripts and folders to import; the page can follow them')
    .option('--port <n>', 'port; 0 = any free one', parsePort, 0)
    .option(...LIBRARY)
    .action(async (given: string[], options: ServeOptions) => {
      const files = given.map((file) => resolve(file));
      const missing = files.find((file) => !existsSync(file));
      if (missing !== undefined) throw inputFailure(`${missing}: there is no such file`);
      // Loaded here alone: the bundler it may need is slow to load, and no other command wants it.
      const { serveWeb } = await import('../serveWeb.ts');
      await serveWeb({ ...options, files, openBrowser: false });
    });
}
