// `npm run dev`: the renderer alone, reloaded as its sources change, over an engine made of sample data. No library is
// opened and nothing is built; the whole app runs by `npm start`.
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { note } from './support/output.ts';
import { parsePort } from './support/port.ts';

const CHECKOUT = resolve(import.meta.dirname, '..');

/** What there is to see, as paths below the address of the server. */
export const DEV_PAGES = {
  '?mock': 'the app over a mock engine: a transcript of 10,000 messages (?mock=100000 for more)',
  '?gallery': 'the gallery: parts of the screen in their states, dark and light',
} as const;

/** A server of the renderer's sources, on 127.0.0.1 alone. */
export interface DevServer {
  /** Ends with `/`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Starts it; port 0 = any free one. Throws if a port that was named is taken. */
export async function startDev(port: number): Promise<DevServer> {
  const { createServer } = await import('vite');
  const server = await createServer({
    root: join(CHECKOUT, 'renderer'),
    configFile: join(CHECKOUT, 'vite.config.ts'),
    server: { host: '127.0.0.1', port, strictPort: port !== 0 },
  });
  await server.listen();
  const address = server.resolvedUrls?.local[0];
  if (address === undefined) throw new Error('the server of the sources has no address');
  return { address, close: () => server.close() };
}

async function dev({ port }: { readonly port: number }): Promise<void> {
  const server = await startDev(port);
  for (const [page, what] of Object.entries(DEV_PAGES)) console.log(`${server.address}${page}  ${what}`);
  note('pages follow the sources. Ctrl+C ends the program.');
}

if (import.meta.main) {
  const program = new Command('parallax-dev')
    .description('Serves the renderer from its sources, with a mock engine and a gallery.')
    .option('--port <n>', 'port of the server; 0 = any free one', parsePort, 5173)
    .action(dev);
  program.parseAsync().catch((error: unknown) => {
    note(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
}
