import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from '../e2e/support/chromium.ts';

/** A program found, or why not. */
export type Found = { readonly path: string } | { readonly path: null; readonly reason: string };

/** Finds a Chromium, or installs Debian's where that is possible without asking anyone (as root, with apt-get). */
export async function ensureChromium(): Promise<Found> {
  const found = findChromium();
  if (found !== null) return { path: found };
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return { path: null, reason: 'not found in the usual places, and it cannot be installed from here' };
  }
  console.log('installing chromium…');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
  ]) {
    const step = spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 600_000 });
    if (step.status !== 0) return { path: null, reason: `apt-get ${args[0]} failed` };
  }
  const installed = findChromium();
  return installed === null ? { path: null, reason: 'apt-get installed none' } : { path: installed };
}
