import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const CHECKOUT = resolve(import.meta.dirname, '..');

/** An Electron binary, or why there is none. */
export type ElectronFound = { readonly path: string } | { readonly path: null; readonly reason: string };

/**
 * Looks for an Electron binary: the folder ELECTRON_OVERRIDE_DIST_PATH, else the official package's. The package
 * brings its binary only when asked: `fetch` asks, if it is not there.
 */
export function findElectron(options: { readonly fetch: boolean }): ElectronFound {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) {
    const path = join(override, binaryName());
    return existsSync(path) ? { path } : { path: null, reason: `ELECTRON_OVERRIDE_DIST_PATH holds no ${binaryName()}` };
  }
  const folder = packageFolder();
  if (folder === null) return { path: null, reason: 'the package electron is not installed (npm ci)' };
  const path = join(folder, 'dist', binaryName());
  if (existsSync(path)) return { path };
  if (!options.fetch) return { path: null, reason: 'the package electron has not fetched its binary' };
  console.error('parallax: fetching the Electron binary (once)…');
  const fetched = spawnSync(process.execPath, [join(folder, 'install.js')], { stdio: 'ignore', timeout: 600_000 });
  if (fetched.status === 0 && existsSync(path)) return { path };
  return { path: null, reason: 'the Electron binary could not be downloaded' };
}

function binaryName(): string {
  if (process.platform === 'darwin') return join('Electron.app', 'Contents', 'MacOS', 'Electron');
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

function packageFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** Why no window can be shown here, or null if one can. */
export function noDisplayReason(): string | null {
  if (process.platform !== 'linux') return null;
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? null : 'there is no display (DISPLAY is not set)';
}

/** How a run of the desktop app ended: `shown` = its window had appeared. */
export interface DesktopRun {
  readonly shown: boolean;
  readonly code: number;
}

/** Runs the built desktop app until it ends. */
export function runDesktop(electron: string, files: readonly string[], library: string | null): Promise<DesktopRun> {
  const env = { ...process.env, ...(library === null ? {} : { PARALLAX_LIBRARY: library }) };
  const child = spawn(electron, [CHECKOUT, ...files], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
  let shown = false;
  child.on('message', () => {
    shown = true;
    child.disconnect();
  });
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return new Promise((resolve) => {
    child.once('error', () => resolve({ shown: false, code: 1 }));
    child.once('exit', (code) => resolve({ shown, code: code ?? 1 }));
  });
}
