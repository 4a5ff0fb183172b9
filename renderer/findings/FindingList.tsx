import type { KeyboardEvent } from 'react';
import type { FindingInfo, Provenance } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { titleOfKind } from '../ui/findingWords.ts';
import { figureSign, formatCost, formatTokens } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { findingKey, type Ticks } from './useTicked.ts';

interface ListProps {
  readonly shown: readonly FindingInfo[];
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
  readonly ticks: Ticks;
}

const STEP: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -1e9, End: 1e9 };

/** The findings as lines: arrows move, Space ticks one for a report, Enter shows it on the timeline. */
export function FindingList({ shown, chosen, onChoose, ticks }: ListProps) {
  const { goToMessage } = useActions();
  const provenance = useAppState((state) => state.projection.info?.raw.provenance ?? 'estimated');
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const finding = shown[chosen];
    const step = STEP[event.key];
    if (step !== undefined) {
      const to = Math.max(0, Math.min(shown.length - 1, chosen + step));
      onChoose(to);
      event.currentTarget.querySelectorAll<HTMLElement>('[role=option]')[to]?.focus();
    } else if (event.key === ' ' && finding !== undefined) ticks.toggle(finding);
    else if (event.key === 'Enter' && finding !== undefined) void goToMessage(finding.at);
    else return;
    event.preventDefault();
  };
  return (
    <div role="listbox" aria-label="Findings" aria-multiselectable className="findings-list" onKeyDown={onKeyDown}>
      {shown.map((finding, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
        <div
          key={findingKey(finding)}
          role="option"
          aria-selected={at === chosen}
          aria-checked={ticks.isTicked(finding)}
          tabIndex={at === chosen ? 0 : -1}
          className="finding-row"
          data-testid="finding"
          data-kind={finding.kind}
          data-at={finding.at}
          onClick={() => onChoose(at)}
          onDoubleClick={() => void goToMessage(finding.at)}
        >
          <FindingCells
            finding={finding}
            provenance={provenance}
            isTicked={ticks.isTicked(finding)}
            onTick={() => ticks.toggle(finding)}
          />
        </div>
      ))}
    </div>
  );
}

interface CellsProps {
  readonly finding: FindingInfo;
  readonly provenance: Provenance;
  readonly isTicked: boolean;
  readonly onTick: () => void;
}

function FindingCells({ finding, provenance, isTicked, onTick }: CellsProps) {
  const { at, kind, evidence, certainty, tokens, cost } = finding;
  const known = certainty === 'recorded' ? 'recorded' : provenance;
  return (
    <>
      <input
        type="checkbox"
        tabIndex={-1}
        aria-hidden
        title="Include in the bug report (Space)"
        checked={isTicked}
        onChange={onTick}
        data-testid="finding-tick"
      />
      <span className="num mute">#{at}</span>
      <span className="ellipsis">
        <b>{titleOfKind(kind)}</b>{' '}
        <span className="mute">
          <Seen text={evidence.replace(/\s+/g, ' ')} />
        </span>
      </span>
      <span className={certainty === 'suspect' ? 'finding-suspect' : 'faint'}>{certainty}</span>
      <span className="num">{tokens === null ? '–' : formatTokens(tokens, known)}</span>
      <span className="num">{cost === null ? '–' : `${figureSign(known)}${formatCost(cost)}`}</span>
    </>
  );
}
