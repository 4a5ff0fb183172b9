import type { ImportReport } from './types.ts';

/** What the way out of an unknown file is called. */
export const MAP_FIELDS = 'Map its fields…';

/** Whether a file that could not be imported may be read by a mapping: nothing knows it, or a mapping found nothing. */
export function canBeMapped({ error }: ImportReport): boolean {
  if (error?.code === 'mapping.no_messages') return true;
  return error?.code === 'import.not_recognised' && /looks like (a JSON|JSON lines|server-sent)/.test(error.text);
}
