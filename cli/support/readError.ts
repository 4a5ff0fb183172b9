import { OddFileError } from '../../core/engine/files/regularFile.ts';

/** A file as people know it: `-` is stdin. */
export function fileName(file: string): string {
  return file === '-' ? 'stdin' : file;
}

/** Why a file could not be read, for people. */
export function readErrorText(file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return `${file}: there is no such file`;
  if (code === 'EISDIR') return `${file}: this is a folder; name the files in it`;
  if (code === 'EACCES') return `${file}: you may not read this file`;
  if (error instanceof OddFileError)
    return `${file}: ${error.message}; to read what a program writes, name - and pipe it in`;
  return `${file}: ${error instanceof Error ? error.message : String(error)}`;
}

/** Why a file could not be written, for people. */
export function writeErrorText(file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return `${file}: there is no such folder; make it first`;
  if (code === 'EISDIR') return `${file}: this is a folder; name a file in it`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `${file}: you may not write there; name another place`;
  if (code === 'ENOSPC') return `${file}: no space is left there; make room, or name another place`;
  return `${file}: ${error instanceof Error ? error.message : String(error)}`;
}
