import type { TokenFigure } from '../../core/protocol/types.ts';
import type { BudgetState } from '../../core/tokens/budget.ts';
import { formatCount } from '../ui/format.ts';
import { percent, segments } from './figures.ts';
import { gaugeOf, tierColor } from './gauge.ts';

/** Tokens by tier against the window, and what is reserved of it; over the total, a mark shows where that ends. */
export function BudgetBar({ figure, budget }: { readonly figure: TokenFigure; readonly budget: BudgetState | null }) {
  if (budget === null) return <PlainBar figure={figure} />;
  const { tiers, reserves, mark } = gaugeOf(budget);
  const words = [...tiers, ...reserves].map((piece) => `${piece.label} ${formatCount(piece.tokens)}`).join(', ');
  return (
    <div className="budget-bar" role="img" aria-label={`Tokens of the window: ${words}`}>
      {tiers.map((piece) => (
        <i
          key={piece.key}
          className={piece.over === undefined ? undefined : 'tier-over'}
          title={`${piece.label} ${formatCount(piece.tokens)} tok · ${percent(piece.tokens, budget.used)}${overWords(piece.over)}`}
          style={{ width: `${piece.share * 100}%`, backgroundColor: tierColor(piece.key) }}
        />
      ))}
      <span className="grow" />
      {reserves.map((piece) => (
        <i
          key={piece.key}
          className="budget-reserve"
          title={`${piece.label} ${formatCount(piece.tokens)} tok`}
          style={{ width: `${piece.share * 100}%` }}
        />
      ))}
      {mark !== null && <b className="budget-mark" style={{ left: `${mark * 100}%` }} />}
    </div>
  );
}

function overWords(over: number | undefined): string {
  return over === undefined ? '' : ` · over its cap by ${formatCount(over)}`;
}

/** Without a window there is nothing to fill: how the tokens are made up. */
function PlainBar({ figure }: { readonly figure: TokenFigure }) {
  const pieces = segments(figure, null);
  const words = pieces.map((piece) => `${piece.label} ${formatCount(piece.tokens)}`).join(', ');
  return (
    <div className="budget-bar" role="img" aria-label={`Tokens by category: ${words}`}>
      {pieces.map((piece) => (
        <i
          key={piece.category}
          title={`${piece.label} ${formatCount(piece.tokens)} tok · ${percent(piece.tokens, figure.total)}`}
          style={{ width: `${piece.share * 100}%`, background: tierColor(piece.category) }}
        />
      ))}
    </div>
  );
}
