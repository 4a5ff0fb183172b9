import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const PEERS = resolve(import.meta.dirname, '..', '..', '.cache', 'bench-peers');

/**
 * Loads a package the product does not depend on, to measure against. `spec` is `name@version`, `subpath` one of its
 * exports (`encoding/o200k_base`). The first use installs it into .cache/bench-peers; without a network that throws.
 * The caller states the shape it expects: nothing is checked.
 */
export async function loadPeer<T>(spec: string, subpath = ''): Promise<T> {
  const name = spec.slice(0, spec.lastIndexOf('@'));
  const home = join(PEERS, spec.replace(/[^\w.-]+/g, '_'));
  if (!existsSync(join(home, 'node_modules', name, 'package.json'))) {
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'package.json'), '{"private":true}\n');
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', spec];
    await promisify(execFile)('npm', args, { cwd: home });
  }
  // A module that stands in the peer's own folder resolves it as any program there would.
  const request = subpath === '' ? name : `${name}/${subpath}`;
  const door = join(home, `${request.replace(/[^\w.-]+/g, '_')}.mjs`);
  await writeFile(door, `export const peer = await import(${JSON.stringify(request)});\n`);
  const module = await import(pathToFileURL(door).href);
  return module.peer;
}
