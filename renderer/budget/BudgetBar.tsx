import type { TokenFigure } from '../../core/protocol/types.ts';
import type { BudgetState } from '../../core/tokens/budget.ts';
import type { CountedOverhead } from '../../core/tokens/overhead.ts';
import { formatCount, formatShare } from '../ui/format.ts';
import { segments } from './figures.ts';
import { type GaugePiece, gaugeOf, overheadColor, overheadPieces, tierColor } from './gauge.ts';

interface Props {
  /** Of the messages. */
  readonly figure: TokenFigure;
  readonly beside: CountedOverhead;
  readonly budget: BudgetState | null;
}

/**
 * The overhead and tokens by tier against the window, and what is reserved of it; over the total, a
 * mark shows where that ends.
 */
export function BudgetBar({ figure, beside, budget }: Props) {
  if (budget === null) return <PlainBar figure={figure} beside={beside} />;
  const gauge = gaugeOf(budget);
  const { tiers, reserves, mark } = gauge;
  return (
    <div
      className="budget-bar"
      role="img"
      aria-label={`Tokens of the window: ${wordsOf([...gauge.beside, ...tiers, ...reserves])}`}
    >
      <OverheadPieces pieces={gauge.beside} whole={budget.used} />
      {tiers.map((piece) => (
        <i
          key={piece.key}
          className={piece.over === undefined ? undefined : 'tier-over'}
          title={`${piece.label} ${formatCount(piece.tokens)} tok · ${formatShare(piece.tokens, budget.used)}${describeOver(piece.over)}`}
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

function wordsOf(pieces: readonly Pick<GaugePiece, 'label' | 'tokens'>[]): string {
  return pieces.map(({ label, tokens }) => `${label} ${formatCount(tokens)}`).join(', ');
}

function OverheadPieces({ pieces, whole }: { readonly pieces: readonly GaugePiece[]; readonly whole: number }) {
  return pieces.map(({ key, label, tokens, share }) => (
    <i
      key={`beside ${key}`}
      className="budget-beside"
      data-part={key}
      title={`${label} ${formatCount(tokens)} tok, fixed overhead · ${formatShare(tokens, whole)}`}
      style={{ width: `${share * 100}%`, backgroundColor: overheadColor(key) }}
    />
  ));
}

function describeOver(over: number | undefined): string {
  return over === undefined ? '' : ` · over its cap by ${formatCount(over)}`;
}

/** Without a window there is nothing to fill: how the tokens are made up. */
function PlainBar({ figure, beside }: Omit<Props, 'budget'>) {
  const whole = figure.total + beside.total;
  const pieces = segments(figure, whole);
  const besides = overheadPieces(beside, Math.max(1, whole));
  return (
    <div className="budget-bar" role="img" aria-label={`Tokens by category: ${wordsOf([...besides, ...pieces])}`}>
      <OverheadPieces pieces={besides} whole={whole} />
      {pieces.map((piece) => (
        <i
          key={piece.category}
          title={`${piece.label} ${formatCount(piece.tokens)} tok · ${formatShare(piece.tokens, whole)}`}
          style={{ width: `${piece.share * 100}%`, background: tierColor(piece.category) }}
        />
      ))}
    </div>
  );
}
