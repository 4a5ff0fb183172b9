import type { KeepPrice, ProvedChange, Provenance } from '../../core/protocol/types.ts';
import { figureSign, formatCost, formatCount, formatShort, plural } from '../ui/format.ts';

/** `+1,191`, with how it was obtained; short = `+0.3M`. */
export function signedTokens(tokens: number, provenance: Provenance, isShort = false): string {
  const size = Math.abs(Math.round(tokens));
  const sign = tokens < 0 ? '−' : '+';
  return `${figureSign(provenance)}${sign}${isShort ? formatShort(size) : formatCount(size)}`;
}

/** `+$0.17`, `≈+$0.0021`, with how its tokens were obtained; `–` where no price is known. */
export function signedCost({ costSession }: Pick<KeepPrice, 'costSession'>, provenance: Provenance): string {
  if (costSession === null) return '–';
  return `${figureSign(provenance)}${costSession < 0 ? '−' : '+'}${formatCost(Math.abs(costSession))}`;
}

/** What the cost of a change leaves out, in brackets; empty = nothing. */
export function unpricedNote({ costSession, unpriced }: Pick<KeepPrice, 'costSession' | 'unpriced'>): string {
  return costSession === null || unpriced === 0 ? '' : ` (${plural(unpriced, 'request')} without a price)`;
}

/** `stages[1].options.turns = 10`: the change as the spec has it. */
export function patchWords({ patch }: Pick<ProvedChange, 'patch'>): string {
  const place = (path: string) =>
    path
      .slice(1)
      .split('/')
      .map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key.replaceAll('~1', '/').replaceAll('~0', '~')}`))
      .join('')
      .replace(/^\./, '');
  return patch
    .map(({ op, path, from = '', value }) => {
      if (op === 'move') return `${place(from)} → ${place(path)}`;
      const sign = op === 'add' && /\/\d+$/.test(path) ? '+' : '=';
      return `${place(path)} ${sign} ${JSON.stringify(value)}`;
    })
    .join('; ');
}
