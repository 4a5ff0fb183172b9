import type { ParamSchema } from '../../core/view/types.ts';

/** `8 messages`, `off`, `empty`: a value in words. */
export function valueWords(value: unknown, param: ParamSchema): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'none' : Object.keys(value).join(', ');
  if (typeof value === 'number') return `${value.toLocaleString('en')}${param.unit ? ` ${param.unit}` : ''}`;
  return String(value);
}

/** The default in one clause, for tooltip and reset button. */
export function defaultWords(param: ParamSchema): string {
  return `Default: ${valueWords(param.default, param)}`;
}

/** The parts of a long stage title a card may shorten: `clean_tool_repair` stays, spaces stay. */
export function otherNames(param: ParamSchema): string | null {
  return param.aliases && param.aliases.length > 0 ? `Also ${param.aliases.join(', ')}` : null;
}
