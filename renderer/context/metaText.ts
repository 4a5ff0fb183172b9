// Values of options and of results, in a few words.
import type { PolicyValue } from '../../core/protocol/types.ts';
import { formatCount } from '../ui/format.ts';

/** `yes`, `7,702`, `–`, `message, tool_call`. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatCount(value);
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What a source is called. */
export const SOURCE_WORD: Readonly<Record<PolicyValue['source'], string>> = {
  request: 'this policy',
  transcript: 'this transcript',
  workspace: 'workspace',
  default: 'default',
};

/** Values that somebody set, in the order of the sources; defaults go last, and are only named. */
export function bySource(values: readonly PolicyValue[]): {
  readonly set: readonly PolicyValue[];
  readonly defaults: readonly PolicyValue[];
} {
  const set = values.filter(({ source }) => source !== 'default');
  return { set, defaults: values.filter(({ source }) => source === 'default') };
}
