import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A virtual display of our own. */
export interface Display {
  /** For DISPLAY, e.g. `:91`. */
  readonly name: string;
  stop(): void;
}

const START_MS = 10_000;

/** Starts Xvfb on a free display; null where there is no Xvfb. Others may connect: the app may be another user's. */
export async function startDisplay(): Promise<Display | null> {
  if (process.platform !== 'linux') return null;
  // It looks for a free number itself, so that two that start at once do not take the same, and tells when it is up.
  const args = ['-displayfd', '3', '-ac', '-screen', '0', '1400x900x24', '-nolisten', 'tcp'];
  const child = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const stop = (): void => void child.kill();
  const told = child.stdio[3];
  try {
    if (!told) return null;
    const ended = once(child, 'exit').then(() => null);
    const late = new Promise<null>((resolve) => setTimeout(resolve, START_MS, null).unref());
    const number = await Promise.race([once(told, 'data').then(([data]) => String(data).trim()), ended, late]);
    if (number !== null) return { name: `:${number}`, stop };
    stop();
    return null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
