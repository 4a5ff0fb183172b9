import type { TokenFigure } from '../../core/protocol/types.ts';
import { formatCount } from '../ui/format.ts';
import { percent, segments, windowMark } from './figures.ts';

/** CSS colour of a category. */
export function categoryColor(category: string): string {
  return `var(--cat-${category.replace('_', '-')})`;
}

/** Tokens by category against the window; over it, a mark shows where the window ends. */
export function BudgetBar({ figure, window }: { readonly figure: TokenFigure; readonly window: number | null }) {
  const pieces = segments(figure, window);
  const mark = windowMark(figure.total, window);
  const words = pieces.map((piece) => `${piece.label} ${formatCount(piece.tokens)}`).join(', ');
  return (
    <div className="budget-bar" role="img" aria-label={`Tokens by category: ${words}`}>
      {pieces.map((piece) => (
        <i
          key={piece.category}
          title={`${piece.label} ${formatCount(piece.tokens)} tok · ${percent(piece.tokens, figure.total)}`}
          style={{ width: `${piece.share * 100}%`, background: categoryColor(piece.category) }}
        />
      ))}
      {mark !== null && <b className="budget-mark" style={{ left: `${mark * 100}%` }} />}
    </div>
  );
}
