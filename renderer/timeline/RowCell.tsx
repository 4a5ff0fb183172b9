// biome-ignore-all lint/a11y/useSemanticElements: a virtualised grid is not a table
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid keeps the focus and points at its active row
import type { ReactNode } from 'react';
import type { Cell, Row } from '../../core/protocol/types.ts';
import { SpawnLink } from '../relations/SpawnLink.tsx';
import { FoundText } from '../search/FoundText.tsx';
import { useWanted } from '../summary/useWanted.ts';
import { WriteSummary } from '../summary/WriteSummary.tsx';
import { FATE_GLYPH, FATE_WORD, fateColor } from '../ui/fate.ts';
import { Badges } from './Badges.tsx';
import { ElsewhereText } from './ElsewhereText.tsx';
import { GoneFoldText } from './GoneFold.tsx';
import { RowChips } from './RowChips.tsx';
import { RowImage } from './RowImage.tsx';
import { RowMark } from './RowMark.tsx';
import { holdsImage, indexText, standsFor, tokenText } from './rowText.ts';

interface Props {
  readonly row: Row;
  readonly side: 'raw' | 'projected';
  /** No other pane is shown: what belongs to the row as a whole is here. */
  readonly isOnly: boolean;
  /** It is both sides' cell. */
  readonly isWide?: boolean;
  /** What belongs to the row, in its first cell. */
  readonly lead?: ReactNode;
}

/** What a pane shows of a row: index, fate, category, one line of text, chip, tokens. */
export function RowCell({ row, side, isOnly, isWide = false, lead }: Props) {
  const column = side === 'raw' || isOnly ? 1 : 2;
  const cell = side === 'raw' ? row.raw : row.projected;
  const isElsewhere = side === 'projected' && row.elsewhere !== undefined;
  const isGhost = side === 'projected' && cell === null && row.fate !== 'future' && !row.gone && !isElsewhere;
  // A synthetic row has no raw side; a future row has no projected one.
  if (cell === null && !isGhost && !row.gone && !isElsewhere) {
    return (
      <div className="cell cell-none" role="gridcell" aria-colindex={column}>
        {lead}
      </div>
    );
  }
  const shown = cell ?? row.raw;
  const changed = side === 'projected' && row.kind !== 'synthetic' && row.fate !== 'kept' && row.fate !== 'future';
  const isNoted = side === 'projected' && row.kind === 'part' && row.fate === 'kept' && row.chip !== null;
  const isPointer = changed && row.fate === 'redacted' && !isGhost;
  const kind = row.kind === 'synthetic' ? ' cell-synthetic' : row.kind === 'fold' ? ' cell-fold' : '';
  return (
    <div
      className={`cell${kind}${isGhost ? ' cell-ghost' : ''}`}
      role="gridcell"
      aria-colindex={column}
      aria-colspan={isWide ? 2 : undefined}
      title={changed || isNoted ? row.reason : undefined}
    >
      {lead}
      <span className="cell-index num">{indexText(row)}</span>
      <span className="cell-fate" style={{ color: fateColor(row.fate) }} title={FATE_WORD[row.fate]} aria-hidden="true">
        {row.kind === 'fold' && !row.gone ? '' : FATE_GLYPH[row.fate]}
      </span>
      <span className="cell-label ellipsis" style={isGhost ? undefined : { color: labelColor(row) }}>
        {row.kind === 'fold' ? '' : row.label}
      </span>
      {isGhost && (
        <>
          <span className="visually-hidden cell-not-sent">Not sent</span>
          <span className="visually-hidden">: </span>
        </>
      )}
      {isElsewhere ? (
        <ElsewhereText row={row} />
      ) : isGone(row) ? (
        <GoneFoldText row={row} side={side} isOnly={isOnly} />
      ) : (
        <CellText row={row} cell={shown} side={side} isPointer={isPointer} hasLink={side === 'raw' || isOnly} />
      )}
      {side === 'projected' && row.kind === 'synthetic' && <WriteHere row={row} />}
      <RowChips row={row} side={side} isOnly={isOnly} isWide={isWide} isChanged={changed || isNoted} />
      {cell && !(isPointer && row.chip) && <span className="cell-tokens num">{tokenText(cell)}</span>}
    </div>
  );
}

function isGone(row: Row): row is Row & { readonly gone: NonNullable<Row['gone']> } {
  return row.gone !== undefined;
}

/** On a placeholder: the summary that is wanted here can be written. */
function WriteHere({ row }: { readonly row: Row }) {
  const span = useWanted(row);
  return span && <WriteSummary span={span} isChip />;
}

interface TextProps {
  readonly row: Row;
  readonly cell: Cell | null;
  readonly side: 'raw' | 'projected';
  readonly isPointer: boolean;
  readonly hasLink: boolean;
}

function CellText({ row, cell, side, isPointer, hasLink }: TextProps) {
  if (!cell) return <span className="cell-text" />;
  // A repair is of what the model sees, not of what happened.
  const badges = side === 'raw' ? row.badges.filter((badge) => badge !== 'repaired') : row.badges;
  const stands = standsFor(row);
  const isEmpty = cell.text === '' && row.badges.length === 0;
  const kind = cell.pieces ? 'cell-pieces' : 'ellipsis';
  return (
    <span className={`cell-text ${kind}${cell.mono ? ' mono' : ''}${isPointer ? ' mute' : ''}`} dir="auto">
      {row.kind === 'fold' && <span className="cell-fold-sign">▸ </span>}
      {stands && <span className="mute">{stands}</span>}
      {hasLink && holdsImage(row) && <RowImage row={row} />}
      <Badges badges={badges} reason={row.reason} />
      {hasLink && row.origin && (
        <span className="origin-tag" title={row.origin.title} data-testid="origin">
          {row.origin.label}
        </span>
      )}
      {hasLink && row.kind === 'part' && row.firstOfMessage && <RowMark index={row.index} />}
      {hasLink && row.spawned && <SpawnLink spawned={row.spawned} isNamed={!cell.text.includes(row.spawned.title)} />}
      {isEmpty ? <i className="faint">empty</i> : <Line row={row} cell={cell} />}
    </span>
  );
}

function Line({ row, cell: { text, pieces } }: { readonly row: Row; readonly cell: Cell }) {
  if (!pieces) return <FoundText row={row} text={text} />;
  return pieces.map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name than their place
    <span key={at} className="cell-piece ellipsis">
      <FoundText row={row} text={piece} />
    </span>
  ));
}

function labelColor(row: Row): string {
  if (row.fate === 'future') return 'var(--faint)';
  if (row.kind === 'synthetic') return 'var(--fate-synthetic)';
  return `var(--cat-${row.category.replace('_', '-')})`;
}
