import type { ParamSchema } from '../../core/view/types.ts';

/** What an option is called on screen: `Turns to keep`. */
export function paramTitle({ label, name }: Pick<ParamSchema, 'label' | 'name'>): string {
  return label ?? name;
}

/** What an option counts, where another option of its stage says so; `read` gives its value. */
export function unitOf(param: ParamSchema, read: (name: string) => unknown): string | undefined {
  return param.unitBy ? param.unitBy.units[String(read(param.unitBy.param))] : param.unit;
}

/** What is written beside the field: `turns`, `= 5 MiB`; empty where the name says it already. */
export function describeUnit(param: ParamSchema, value: unknown): string {
  const { unit } = param;
  if (unit === undefined) return '';
  if (unit === 'bytes') return typeof value === 'number' ? `= ${mebibytes(value)}` : '';
  return paramTitle(param).toLowerCase().includes(unit) ? '' : unit;
}

function mebibytes(bytes: number): string {
  const [size, word] = bytes >= 1_048_576 ? [bytes / 1_048_576, 'MiB'] : [bytes / 1024, 'KiB'];
  return `${Number(size.toFixed(1)).toLocaleString('en')} ${word}`;
}

/** `8 messages`, `off`, `empty`: a value in words. */
export function describeValue(value: unknown, param: ParamSchema): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'none' : Object.keys(value).join(', ');
  if (typeof value === 'number') return `${value.toLocaleString('en')}${param.unit ? ` ${param.unit}` : ''}`;
  return String(value);
}

/** The default in one clause, for tooltip and reset button. */
export function describeDefault(param: ParamSchema): string {
  return `Default: ${describeValue(param.default, param)}`;
}

/** `In a spec: keep_turns, also keep_last`. */
export function specNames({ name, aliases = [] }: Pick<ParamSchema, 'name' | 'aliases'>): string {
  return `In a spec: ${name}${aliases.length > 0 ? `, also ${aliases.join(', ')}` : ''}`;
}
