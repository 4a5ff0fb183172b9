import { CircleAlert, ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { titleParts } from '../../core/projection/presets.ts';
import type { FirstOver as CallPlace } from '../../core/protocol/types.ts';
import { partialSum } from '../../core/view/costCover.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { figureSign, formatCost, formatCount, formatShare, formatShort, formatTokens } from '../ui/format.ts';
import type { PresetRow } from './presetRows.ts';
import { keptCell } from './thinkingState.ts';

interface Props {
  readonly row: PresetRow;
  readonly isCurrent: boolean;
  /** The Tab key stops here; arrow keys continue from it. */
  readonly isStop: boolean;
  readonly onChoose: () => void;
}

/** A policy: what this turn costs under it, whether that fits, and what the session comes to. */
export function PresetTableRow({ row, isCurrent, isStop, onChoose }: Props) {
  const { tokens, whole, change, peak, cost, unpriced, breaks, firstOver, isFinal, isSummed } = row;
  const provenance = tokens?.provenance ?? 'estimated';
  return (
    <tr
      className={isCurrent ? 'presets-current' : ''}
      data-name={row.name}
      data-final={isFinal && isSummed}
      onClick={onChoose}
    >
      <th scope="row">
        <PolicyButton row={row} isCurrent={isCurrent} isStop={isStop} onChoose={onChoose} />
      </th>
      <Cell isFinal={isFinal} isNumber>
        {whole === null ? '–' : formatTokens(whole, provenance)}
      </Cell>
      <Cell isFinal={isFinal}>
        <Share row={row} />
      </Cell>
      <Cell isFinal={isSummed} isNumber>
        {peak ? <Place place={peak}>{formatTokens(peak.tokens, provenance)}</Place> : '–'}
      </Cell>
      <Cell isFinal={isSummed} isNumber>
        {cost == null ? '–' : partialSum(`${figureSign(provenance)}${formatCost(cost)}`, unpriced)}
      </Cell>
      <Cell isFinal={isSummed} isNumber>
        {breaks === undefined ? '–' : formatCount(breaks)}
      </Cell>
      <Cell isFinal={isFinal}>
        <Kept thinking={row.thinking} />
      </Cell>
      <Cell isFinal={isSummed}>
        <FirstOver firstOver={firstOver} hasWindow={row.share !== null} />
      </Cell>
      <Cell isFinal={isFinal} isNumber>
        {change === null ? '–' : describeChange(change)}
      </Cell>
    </tr>
  );
}

function PolicyButton({ row, isCurrent, isStop, onChoose }: Props) {
  const { title, group, problem, blocked } = row;
  const [name, after] = titleParts(title);
  return (
    <button
      type="button"
      className="presets-apply"
      aria-pressed={isCurrent}
      tabIndex={isStop ? 0 : -1}
      title={problem ?? (isCurrent ? 'This is the policy now' : `Use ${title}`)}
      onClick={(event) => {
        event.stopPropagation();
        onChoose();
      }}
    >
      <span className="ellipsis">{name}</span>
      {blocked && <ShieldAlert size={13} className="preset-blocked" aria-label="blocked by provider safety" />}
      {problem !== null && !blocked && <CircleAlert size={13} className="preset-problem" aria-label="has a problem" />}
      <span className="faint ellipsis presets-group">{[after, group].filter((word) => word !== '').join(' · ')}</span>
    </button>
  );
}

interface CellProps {
  /** Else it is dimmed: it answers an older question, or is still being counted. */
  readonly isFinal: boolean;
  readonly isNumber?: boolean;
  readonly children: ReactNode;
}

function Cell({ isFinal, isNumber = false, children }: CellProps) {
  const classes = [...(isNumber ? ['presets-number mono num'] : []), ...(isFinal ? [] : ['presets-open'])];
  return (
    <td className={classes.join(' ')} title={isFinal ? undefined : 'Not final yet'}>
      {children}
    </td>
  );
}

/** `−9%`; nothing changed: `–`. */
function describeChange(change: number): string {
  const whole = Math.round(change * 100);
  return whole === 0 ? '–' : `${whole < 0 ? '−' : '+'}${Math.abs(whole)}%`;
}

function Share({ row: { share, room, tokens } }: { readonly row: PresetRow }) {
  if (tokens === null) return <span className="faint">–</span>;
  if (share === null || room === null) return <span className="faint">no window known</span>;
  const isOver = room < 0;
  const about = figureSign(tokens.provenance);
  return (
    <span className="presets-share">
      <span className="preset-bar">
        <i style={{ width: `${Math.min(1, share) * 100}%`, background: isOver ? 'var(--danger)' : 'var(--accent)' }} />
      </span>
      <span className="num presets-percent">{formatShare(share, 1)}</span>
      <span className={isOver ? 'num preset-over' : 'num mute'} title={`${formatCount(Math.abs(room))} tok`}>
        {isOver ? `over by ${about}${formatShort(-room)}` : `${about}${formatShort(room)} free`}
      </span>
    </span>
  );
}

function Kept({ thinking }: Pick<PresetRow, 'thinking'>) {
  const cell = keptCell(thinking);
  if (cell === null) return <span className="faint">–</span>;
  const isLost = cell.text !== 'yes';
  return (
    <span className={isLost ? 'num nowrap preset-lost' : 'mute'} title={cell.title}>
      {cell.text}
    </span>
  );
}

interface OverProps {
  readonly firstOver: PresetRow['firstOver'];
  readonly hasWindow: boolean;
}

function FirstOver({ firstOver, hasWindow }: OverProps) {
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  if (firstOver === undefined || !hasWindow) return <span className="faint">–</span>;
  if (firstOver === null) return <span className="mute">every call fits</span>;
  const { at } = firstOver;
  return <Place place={firstOver}>{at >= messages ? 'next request' : `call #${at}`}</Place>;
}

/** A call point to go to. */
function Place({ place, children }: { readonly place: CallPlace; readonly children: ReactNode }) {
  const { setAt } = useActions();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const { at, turn, tokens } = place;
  const where = at >= messages ? 'next request' : `call #${at}`;
  return (
    <button
      type="button"
      className="link num"
      title={`${formatCount(tokens)} tok at ${where}, turn ${turn}`}
      onClick={(event) => {
        event.stopPropagation();
        setAt(at >= messages ? null : at);
      }}
    >
      {children}
    </button>
  );
}
