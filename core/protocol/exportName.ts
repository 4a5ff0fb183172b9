// browser-safe
// Names of exported files: the same in dialogs, in copied commands, on disk and in what a browser is given to save.
import type { WireTargetName } from './wireTypes.ts';

/** What is exported: a bug-report bundle, its page, the body of a request, a thread of another runtime. */
export type ExportTarget = 'bundle' | 'page' | WireTargetName | 'jido';

const MOST_CHARACTERS = 60;
/** File systems take 255 bytes for a name; what is behind the title takes some. */
const MOST_BYTES = 180;

/**
 * The name from a transcript's title and a call point: letters, digits and dashes, no name that a system keeps for itself.
 * `nth` distinguishes it from files of the same name (from 2).
 */
export function exportName(title: string, at: number, target: ExportTarget, nth = 1): string {
  const kind = target === 'bundle' || target === 'page' ? 'parallax' : target;
  return `${slugOf(title)}-at-${at}${nth === 1 ? '' : `-${nth}`}.${kind}.${target === 'page' ? 'html' : 'json'}`;
}

function slugOf(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-+/g, '');
  let slug = '';
  for (const [at, letter] of [...words].entries()) {
    if (at === MOST_CHARACTERS || bytesOf(slug + letter) > MOST_BYTES) break;
    slug += letter;
  }
  slug = slug.replaceAll(/-+$/g, '');
  return slug === '' ? 'transcript' : slug;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
