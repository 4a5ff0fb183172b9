// Files against the packages of this checkout, by the compiler that it uses.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');

const OPTIONS = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['node'],
  lib: ['esnext', 'dom'],
};

/** What the compiler objects to in the files, each by its name; one run for all. */
export function typeErrors(files: Readonly<Record<string, string>>): readonly string[] {
  const dir = mkdtempSync(join(tmpdir(), 'parallax-types-'));
  try {
    symlinkSync(join(CHECKOUT, 'node_modules'), join(dir, 'node_modules'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
    writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: Object.keys(files) }));
    const tsc = spawnSync(process.execPath, [join(CHECKOUT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', dir], {
      encoding: 'utf8',
      cwd: dir,
    });
    return `${tsc.stdout}${tsc.stderr}`.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
