/** Why a file could not be read, for people. */
export function readErrorText(file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return `${file}: there is no such file`;
  if (code === 'EISDIR') return `${file}: this is a folder; name the files in it`;
  if (code === 'EACCES') return `${file}: you may not read this file`;
  return `${file}: ${error instanceof Error ? error.message : String(error)}`;
}
