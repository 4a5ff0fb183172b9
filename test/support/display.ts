import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** A virtual display of our own. */
export interface Display {
  /** For DISPLAY, e.g. `:91`. */
  readonly name: string;
  stop(): void;
}

/** Starts Xvfb on a free display number; null where there is no Xvfb. Others may connect: the app may be another user's. */
export async function startDisplay(): Promise<Display | null> {
  if (process.platform !== 'linux' || spawnSync('Xvfb', ['-help'], { stdio: 'ignore' }).error !== undefined)
    return null;
  for (let number = 91; number < 120; number++) {
    if (existsSync(`/tmp/.X11-unix/X${number}`) || existsSync(`/tmp/.X${number}-lock`)) continue;
    const args = [`:${number}`, '-ac', '-screen', '0', '1400x900x24', '-nolisten', 'tcp'];
    const child = spawn('Xvfb', args, { stdio: 'ignore' });
    for (let tries = 0; tries < 50 && child.exitCode === null; tries++) {
      if (existsSync(`/tmp/.X11-unix/X${number}`)) return { name: `:${number}`, stop: () => void child.kill() };
      await wait(100);
    }
    child.kill();
  }
  return null;
}
