import type { ParamSchema } from './types.ts';

/**
 * What most options are: a whole number of something, of which more takes less. `from` = the least (0), `to` = the upper end
 * of the slider.
 */
export function amount(
  unit: string,
  value: number,
  { from = 0, to }: { readonly from?: number; readonly to: number },
): Pick<ParamSchema, 'default' | 'min' | 'softMax' | 'unit'> & {
  readonly type: 'integer';
  readonly relax: { readonly towards: 'more' };
} {
  return { type: 'integer', default: value, min: from, softMax: to, unit, relax: { towards: 'more' } };
}
