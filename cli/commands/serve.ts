import type { Command } from 'commander';
import { parsePort, serveWeb } from '../start.ts';

interface ServeOptions {
  readonly library?: string;
  readonly port: number;
}

/** `parallax serve`. */
export function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve the app on 127.0.0.1 for a browser; prints the address')
    .option('--port <n>', 'port; 0 = any free one', parsePort, 0)
    .option('--library <dir>', 'folder of the library')
    .action((options: ServeOptions) => serveWeb({ ...options, files: [], openBrowser: false }));
}
