// browser-safe
// A change of a spec, applied: the operations that keep this makes of it.
import type { ProjectionSpec } from '../../projection/types.ts';
import type { KeepPrice, PatchOperation } from './types.ts';

/** The spec with the operations. Throws RangeError where one of them leads nowhere: the patch is of another spec. */
export function applyPatch(spec: ProjectionSpec, patch: readonly PatchOperation[]): ProjectionSpec {
  const root = structuredClone(spec);
  for (const { op, path, from, value } of patch) {
    const moved = op === 'move' ? removeAt(root, keysOf(from ?? '')) : structuredClone(value);
    if (op === 'remove') removeAt(root, keysOf(path));
    else putAt(root, keysOf(path), moved, op === 'replace');
  }
  return root;
}

function keysOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

// An object that is not there is made: whoever wrote the spec may have left out empty options.
function holderOf(root: unknown, keys: readonly string[]): object {
  let holder: unknown = root;
  for (const key of keys.slice(0, -1)) {
    if (typeof holder !== 'object' || holder === null) break;
    if (!Array.isArray(holder) && Reflect.get(holder, key) === undefined) Reflect.set(holder, key, {});
    holder = Reflect.get(holder, key);
  }
  if (typeof holder !== 'object' || holder === null) throw new RangeError(`/${keys.join('/')} leads nowhere`);
  return holder;
}

function removeAt(root: unknown, keys: readonly string[]): unknown {
  const holder = holderOf(root, keys);
  const key = keys.at(-1) ?? '';
  if (Array.isArray(holder)) return holder.splice(Number(key), 1)[0];
  const value: unknown = Reflect.get(holder, key);
  Reflect.deleteProperty(holder, key);
  return value;
}

function putAt(root: unknown, keys: readonly string[], value: unknown, replaces: boolean): void {
  const holder = holderOf(root, keys);
  const key = keys.at(-1) ?? '';
  if (Array.isArray(holder)) holder.splice(Number(key), replaces ? 1 : 0, value);
  else Reflect.set(holder, key, value);
}

/** By money, then tokens. Where no price is known by tokens. */
export function byPrice(a: KeepPrice, b: KeepPrice): number {
  const money = (a.costSession ?? 0) - (b.costSession ?? 0);
  return money || a.tokensSession - b.tokensSession || a.tokensHere - b.tokensHere;
}
