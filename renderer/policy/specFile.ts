// A spec as text: for the clipboard, for a file.
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { saveText } from '../ui/saveText.ts';

/** The spec as people read it; what a file and the clipboard get. */
export function specText(spec: ProjectionSpec): string {
  return `${JSON.stringify(spec, null, 2)}\n`;
}

/** A file name from the spec's name: letters, digits and dashes. */
export function specFileName(spec: ProjectionSpec): string {
  const name = (spec.name ?? '').replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return `${name === '' ? 'policy' : name}.parallax.json`;
}

/** Copies the spec; false if the clipboard refuses. */
export async function copySpec(spec: ProjectionSpec): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(specText(spec));
    return true;
  } catch {
    return false;
  }
}

/** Gives the spec to the browser as a file to save. */
export function downloadSpec(spec: ProjectionSpec): void {
  saveText(specFileName(spec), specText(spec), 'application/json');
}
