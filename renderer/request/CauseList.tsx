import { CornerUpLeft, type LucideIcon, Merge, Minus, Pencil, Plus, Scissors, Sigma, Wrench } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { Provenance, RequestCause } from '../../core/protocol/types.ts';
import { causeLabel, causePlace, formatDifference } from './words.ts';

const ICON: Readonly<Record<RequestCause['kind'], LucideIcon>> = {
  new: Plus,
  redacted: Scissors,
  rewritten: Pencil,
  dropped: Minus,
  summarised: Sigma,
  merged: Merge,
  put_back: CornerUpLeft,
  put_in: Plus,
  taken_out: Minus,
  tools: Wrench,
};

interface Props {
  readonly causes: readonly RequestCause[];
  readonly provenance: Provenance;
  readonly chosen: number;
  readonly onChoose: (cause: number) => void;
}

/** The causes, largest first, with bars on one scale. Arrows move, Home and End go to the ends. */
export function CauseList({ causes, provenance, chosen, onChoose }: Props) {
  if (causes.length === 0) return null;
  const most = Math.max(1, ...causes.map(({ tokens }) => Math.abs(tokens)));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const to = targetOf(event.key, chosen, causes.length);
    if (to === null) return;
    event.preventDefault();
    onChoose(to);
    event.currentTarget.querySelectorAll<HTMLElement>('[role=option]')[to]?.focus();
  };
  return (
    <div role="listbox" aria-label="Causes, largest first" className="cause-list" onKeyDown={onKeyDown}>
      {causes.map((cause, at) => (
        <CauseLine
          // biome-ignore lint/suspicious/noArrayIndexKey: a cause is named by its position
          key={at}
          cause={cause}
          provenance={provenance}
          share={Math.abs(cause.tokens) / most}
          isChosen={at === chosen}
          onChoose={() => onChoose(at)}
        />
      ))}
    </div>
  );
}

function targetOf(key: string, from: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(count - 1, from + 1);
    case 'ArrowUp':
      return Math.max(0, from - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

interface LineProps {
  readonly cause: RequestCause;
  readonly provenance: Provenance;
  /** 0..1 of the largest. */
  readonly share: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function CauseLine({ cause, provenance, share, isChosen, onChoose }: LineProps) {
  const Icon = ICON[cause.kind];
  return (
    <div
      role="option"
      aria-selected={isChosen}
      tabIndex={isChosen ? 0 : -1}
      className="cause"
      data-testid="cause"
      data-kind={cause.kind}
      title={cause.reason === '' ? undefined : cause.reason}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChoose();
      }}
    >
      <Icon size={13} aria-hidden />
      <span className="ellipsis">
        <b>{causeLabel(cause)}</b> <span className="mute">{causePlace(cause)}</span>
      </span>
      <span className="cause-bar" aria-hidden>
        <span data-sign={cause.tokens < 0 ? 'fewer' : 'more'} style={{ width: `${share * 100}%` }} />
      </span>
      <span className="num cause-tokens">{formatDifference(cause.tokens, provenance)}</span>
    </div>
  );
}
