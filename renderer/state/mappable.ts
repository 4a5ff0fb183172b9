import { isMisread } from '../../core/protocol/misread.ts';
import type { ImportReport } from './types.ts';

/** What the way out of an unknown file is called. */
export const MAP_FIELDS = 'Map its fields…';

/** Whether a mapping may read a file better: nothing knows it, a mapping found nothing, or a format read little of it. */
export function canBeMapped({ error, problems }: ImportReport): boolean {
  if (error !== null) return error.code === 'mapping.no_messages' || error.code === 'import.not_recognised';
  return problems.some(({ code }) => isMisread(code));
}
