import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a page that leads to an address, for its user alone: what a program is started with, every user of the machine
 * can read. Gives its path and the way to delete it.
 */
export async function writeRedirect(
  dir: string,
  url: string,
): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = join(dir, `open-${randomUUID()}.html`);
  const page = `<!doctype html><meta charset="utf-8"><title>Parallax</title>
<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}">
<p>Opening <a href="${url}">Parallax</a>…</p>
`;
  await writeFile(path, page, { mode: 0o600, flag: 'wx' });
  return { path, remove: () => rm(path, { force: true }) };
}
