import { isMisread } from '../../core/protocol/misread.ts';
import { plural } from '../ui/format.ts';
import type { ImportReport } from './types.ts';

/** What the way out of an unknown file is called. */
export const MAP_FIELDS = 'Map its fields…';

/** Whether a mapping may read a file better: nothing knows it, a mapping found nothing, or a format read little of it. */
export function canBeMapped({ error, problems }: ImportReport): boolean {
  if (error !== null) return error.code === 'mapping.no_messages' || error.code === 'import.not_recognised';
  return problems.some(({ code }) => isMisread(code));
}

/** What is said of files of which little was read; undefined if there are none. */
export function describeMisread(reports: readonly ImportReport[]): string | undefined {
  const [first, ...others] = reports;
  if (first === undefined) return undefined;
  const isEmpty = others.length === 0 && first.problems.some(({ code }) => code === 'import.no_messages');
  if (isEmpty) return 'No message was found in it: it may be of another format.';
  const file =
    others.length === 0 ? 'of it was not read: it' : `of ${plural(reports.length, 'file')} was not read: each`;
  return `Much ${file} may be of another format.`;
}
