// What the package and the workflow are told, as they are read by others: held against what those others can be told.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');
const read = (...path: readonly string[]): string => readFileSync(join(CHECKOUT, ...path), 'utf8');

/** The switches of the Electron binary that stand in the packager's options, `name: true | false`. */
function fuses(): Readonly<Record<string, boolean>> {
  const [, block = ''] = /^electronFuses:\n((?: {2}\w+: \w+\n)+)/m.exec(read('electron-builder.yml')) ?? [];
  return Object.fromEntries(
    [...block.matchAll(/^ {2}(\w+): (true|false)$/gm)].map(([, key, value]) => [key, value === 'true']),
  );
}

/** Switches that are no wall: what the snapshot of V8 is loaded from, and a signature that only development needs. */
const NO_WALLS = ['loadBrowserProcessSpecificV8Snapshot', 'resetAdHocDarwinSignature'];

it('every fuse of the Electron binary is set, to the safe side', () => {
  expect(fuses()).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  });
});

it('and the packager knows no other, by no other name', () => {
  const scheme = createRequire(import.meta.url).resolve('app-builder-lib/scheme.json');
  const { definitions } = JSON.parse(readFileSync(scheme, 'utf8')) as {
    readonly definitions: { readonly FuseOptionsV1: { readonly properties: Readonly<Record<string, unknown>> } };
  };
  const known = Object.keys(definitions.FuseOptionsV1.properties).filter((name) => !NO_WALLS.includes(name));
  expect(Object.keys(fuses()).sort()).toEqual(known.sort());
});

it('workflows name the actions of others by commit, which nobody can move', () => {
  for (const file of readdirSync(join(CHECKOUT, '.github', 'workflows'))) {
    for (const [, used] of read('.github', 'workflows', file).matchAll(/uses: (\S+)/g)) {
      if (!used?.startsWith('./')) expect(used).toMatch(/^[\w-]+\/[\w./-]+@[0-9a-f]{40}$/);
    }
  }
});
