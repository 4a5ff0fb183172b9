// biome-ignore-all lint/a11y/useSemanticElements: a virtualised grid is not a table
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid keeps the focus and points at its active row
import { ChevronRight } from 'lucide-react';
import { memo } from 'react';
import type { ComparedCell, ComparedRow, WithinMessage } from '../../core/protocol/compareTypes.ts';
import { FATE_GLYPH, FATE_WORD, fateColor } from '../ui/fate.ts';
import { formatTokens, plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { absentWords, MARK_SIGN, MARK_WORDS } from './words.ts';

interface Props {
  readonly number: number;
  readonly top: number;
  /** null = on its way. */
  readonly row: ComparedRow | null;
  readonly isCursor: boolean;
  readonly onChoose: (row: ComparedRow) => void;
}

/** A row of both panes. */
export const ComparedLine = memo(function ComparedLine({ number, top, row, isCursor, onChoose }: Props) {
  const style = { transform: `translateY(${top}px)` };
  if (row === null) return <div className="compared-row" style={style} role="row" aria-busy="true" />;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its active row
    <div
      id={`compared-${number}`}
      className={isCursor ? 'compared-row compared-cursor' : 'compared-row'}
      style={style}
      role="row"
      aria-rowindex={number + 1}
      aria-selected={isCursor}
      data-testid="compared-row"
      data-kind={row.kind}
      data-mark={row.kind === 'line' ? row.mark : 'equal'}
      data-index={row.kind === 'line' ? (row.index ?? '') : (row.first ?? '')}
      onClick={() => onChoose(row)}
    >
      {row.kind === 'fold' ? (
        <div className="compared-fold" role="gridcell">
          <ChevronRight size={12} aria-hidden /> = {plural(row.to - row.from, 'equal message')}
          {row.first !== null && ` · #${row.first}–#${row.last}`}
        </div>
      ) : (
        <>
          <Cell cell={row.a} within={row.within} />
          <div className="compare-gutter" role="gridcell" data-mark={row.mark} title={MARK_WORDS[row.mark]}>
            {MARK_SIGN[row.mark]}
          </div>
          <Cell cell={row.b} within={row.within} />
        </>
      )}
    </div>
  );
});

function Cell({ cell, within }: { readonly cell: ComparedCell | null; readonly within: WithinMessage | null }) {
  if (cell === null)
    return (
      <div className="compared-cell compared-none" role="gridcell">
        <span className="compared-none-words">{absentWords(within)}</span>
      </div>
    );
  const { index, covers, fate, label, category, text, pieces, mono, chip, reason, tokens, tokensProvenance } = cell;
  const isMade = index === null;
  return (
    <div
      className={isMade ? 'compared-cell compared-made' : 'compared-cell'}
      role="gridcell"
      title={reason || undefined}
    >
      <span className="compared-index num">{index ?? ''}</span>
      <span className="compared-fate" style={{ color: fateColor(fate) }} title={FATE_WORD[fate]} aria-hidden="true">
        {FATE_GLYPH[fate]}
      </span>
      <span
        className="compared-label ellipsis"
        style={{ color: isMade ? 'var(--fate-synthetic)' : `var(--cat-${category.replace('_', '-')})` }}
      >
        {label}
      </span>
      <span className={mono ? 'compared-text ellipsis mono' : 'compared-text ellipsis'} dir="auto">
        {covers !== null && covers[1] > covers[0] && (
          <span className="mute">
            replaces #{covers[0]}–#{covers[1] - 1}:{' '}
          </span>
        )}
        <Seen text={pieces === undefined ? text : pieces.join(' · ')} />
      </span>
      {chip !== null && (
        <span className="chip" style={{ color: fateColor(fate) }}>
          <Seen text={chip} />
        </span>
      )}
      <span className="num mute">{formatTokens(tokens, tokensProvenance)}</span>
    </div>
  );
}
