import type { ImportReport } from './types.ts';

/** What the way out of an unknown file is called. */
export const MAP_FIELDS = 'Map its fields…';

/** Whether a file that could not be imported may be read by a mapping: nothing knows it, or a mapping found nothing. */
export function canBeMapped({ error }: ImportReport): boolean {
  return error?.code === 'mapping.no_messages' || error?.code === 'import.not_recognised';
}
