// browser-safe
// Who may name which files. A command names them by path: it is the user. A page is not trusted with the machine: it
// names a file by a handle that the host made when the person chose, dropped or started the program with it, or that the
// engine gave with a path it reported. A path is never a handle.
import { err, ok, type Result } from '../util/result.ts';
import type { MethodName, Params, ProtocolError } from './methods.ts';

/** What a handle lets its holder do: read a file or what is in a folder, or write one file once. */
export type FileUse = 'read' | 'write';

// A method without params has every key, of type never.
type NamesFiles<P> = string extends keyof P
  ? false
  : 'path' extends keyof P
    ? true
    : 'paths' extends keyof P
      ? true
      : false;
type FileMethod = { readonly [M in MethodName]: NamesFiles<Params<M>> extends true ? M : never }[MethodName];

/** The methods that are given files, in `path` or `paths`, and what for. */
export const FILE_METHODS: { readonly [M in FileMethod]: FileUse } = {
  'import.start': 'read',
  'mapping.guess': 'read',
  'mapping.preview': 'read',
  'follow.start': 'read',
  'follow.stop': 'read',
  'discover.look': 'read',
  'verify.file': 'read',
  'check.baseline': 'read',
  'check.run': 'read',
  'check.under': 'read',
  'check.passing': 'read',
  'export.write': 'write',
  'export.page': 'write',
  'export.thread': 'write',
  'wire.write': 'write',
};

/** The path that a handle stands for; null if it is none, or is not for this use (any more). */
export type ResolveHandle = (handle: string, use: FileUse) => string | null;

/** A file that a person gave to a page, and what to call it on screen. */
export interface GivenFile {
  readonly handle: string;
  readonly name: string;
}

/** The longest file that a browser may send to the web host: 4 GiB. */
export const MAX_UPLOAD_BYTES = 4 * 1024 ** 3;

const NOT_GIVEN: ProtocolError = {
  code: 'file.not_given',
  message:
    'Only files that were chosen in a dialog, dropped, or named when Parallax was started can be used. Choose it again.',
  expected: true,
};

/** Params with the paths of the files that are named in them by handles; null for no file stays. Error: `file.not_given`. */
export function withPaths<M extends MethodName>(
  method: M,
  params: Params<M>,
  resolve: ResolveHandle,
): Result<Params<M>, ProtocolError> {
  const use = fileUseOf(method);
  if (use === null) return ok(params);
  const { path, paths }: Readonly<Record<string, unknown>> = { ...params };
  const named = Array.isArray(paths) ? paths : path == null ? [] : [path];
  const found = named.map((each) => (typeof each === 'string' ? resolve(each, use) : null));
  if (found.some((each) => each === null)) return err(NOT_GIVEN);
  if (Array.isArray(paths)) return ok({ ...params, paths: found });
  return ok(path == null ? params : { ...params, path: found[0] });
}

function fileUseOf(method: MethodName): FileUse | null {
  const uses: Readonly<Record<string, FileUse>> = FILE_METHODS;
  return Object.hasOwn(uses, method) ? (uses[method] ?? null) : null;
}
