import { amount } from '../../view/amount.ts';
import type { ParamSchema } from '../../view/types.ts';

/** The option of acting every N turns only: in between, the beginning of requests stays, and with it the provider's cache. */
export function everyTurns(label: string, help: string): ParamSchema {
  return {
    name: 'every',
    label,
    aliases: ['chunk'],
    ...amount('turns', 1, { from: 1, to: 20 }),
    relax: { towards: 'more', uneven: true },
    help,
  };
}
