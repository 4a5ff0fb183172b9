import { CircleAlert, LoaderCircle, ShieldAlert } from 'lucide-react';
import { useActions, useAppState } from '../state/context.tsx';
import { formatCount, formatShort, formatTokens } from '../ui/format.ts';
import { percent } from './figures.ts';
import type { PresetRow } from './presetRows.ts';

interface Props {
  readonly row: PresetRow;
  readonly isCurrent: boolean;
  /** The Tab key stops here; arrow keys go on from it. */
  readonly isStop: boolean;
  readonly onChoose: () => void;
}

/** A preset: what this turn costs under it, whether that fits, and from where on it does not. */
export function PresetTableRow({ row, isCurrent, isStop, onChoose }: Props) {
  const { tokens, whole, change, problem, blocked } = row;
  return (
    <tr className={isCurrent ? 'presets-current' : ''} data-name={row.name} onClick={onChoose}>
      <th scope="row">
        <button
          type="button"
          className="presets-apply"
          aria-pressed={isCurrent}
          tabIndex={isStop ? 0 : -1}
          title={problem ?? (isCurrent ? 'This is the policy now' : `Use ${row.title}`)}
          onClick={(event) => {
            event.stopPropagation();
            onChoose();
          }}
        >
          <span className="ellipsis">{row.title}</span>
          {blocked && <ShieldAlert size={13} className="preset-blocked" aria-label="blocked by provider safety" />}
          {problem !== null && !blocked && (
            <CircleAlert size={13} className="preset-problem" aria-label="has a problem" />
          )}
          <span className="faint ellipsis presets-group">{row.group}</span>
        </button>
      </th>
      <td className="presets-number mono num">{formatTokens(whole, tokens.provenance)}</td>
      <td>
        <Share row={row} />
      </td>
      <td className={`presets-number num ${Math.round(change * 100) === 0 ? 'faint' : ''}`}>{changeWords(change)}</td>
      <td>
        <FirstOver row={row} />
      </td>
    </tr>
  );
}

function changeWords(change: number): string {
  const whole = Math.round(change * 100);
  return whole === 0 ? '–' : `${whole < 0 ? '−' : '+'}${Math.abs(whole)} %`;
}

function Share({ row: { share, room, tokens } }: { readonly row: PresetRow }) {
  if (share === null || room === null) return <span className="faint">no window known</span>;
  const isOver = room < 0;
  const about = tokens.provenance === 'estimated' ? '~' : '';
  return (
    <span className="presets-share">
      <span className="preset-bar">
        <i style={{ width: `${Math.min(1, share) * 100}%`, background: isOver ? 'var(--danger)' : 'var(--accent)' }} />
      </span>
      <span className="num presets-percent">{percent(share, 1)}</span>
      <span className={isOver ? 'num preset-over' : 'num mute'} title={`${formatCount(Math.abs(room))} tok`}>
        {isOver ? `over by ${about}${formatShort(-room)}` : `${about}${formatShort(room)} free`}
      </span>
    </span>
  );
}

function FirstOver({ row: { firstOver } }: { readonly row: PresetRow }) {
  const { setAt } = useActions();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  if (firstOver === undefined) return <LoaderCircle size={12} className="spin faint" aria-label="computing" />;
  if (firstOver === null) return <span className="mute">every call fits</span>;
  const { at, turn, tokens } = firstOver;
  return (
    <button
      type="button"
      className="link num"
      title={`${formatCount(tokens)} tok there`}
      onClick={(event) => {
        event.stopPropagation();
        setAt(at >= messages ? null : at);
      }}
    >
      {at >= messages ? 'next request' : `call #${at}`}, turn {turn}
    </button>
  );
}
