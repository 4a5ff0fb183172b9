import { Pencil } from 'lucide-react';
import { filterColor } from '../filter/colors.ts';
import { PresenceMark } from '../find/PresenceMark.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { formatCount } from '../ui/format.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Seen } from '../ui/Seen.tsx';
import type { Watched, WatchedLine } from './useWatched.ts';
import { describeFirstLoss, describeNow, nextChange, runAt, watchName } from './words.ts';

interface WatchNamesProps {
  readonly watched: Watched;
  readonly isReadOnly: boolean;
}

/** The watched texts by number: what is so at the call point shown. A click goes to the next change. */
export function WatchNames({ watched: { lines, sampled, isLoading }, isReadOnly }: WatchNamesProps) {
  return (
    <ol className="watch-names" aria-busy={isLoading}>
      {lines.map((line, at) => (
        <Name key={line.watchpoint.id} line={line} number={at + 1} sampled={sampled} isReadOnly={isReadOnly} />
      ))}
    </ol>
  );
}

interface NameProps {
  readonly line: WatchedLine;
  readonly number: number;
  readonly sampled: boolean;
  readonly isReadOnly: boolean;
}

function Name({ line: { watchpoint, text }, number, sampled, isReadOnly }: NameProps) {
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const at = useAppState((state) => state.projection.at ?? state.session.info?.messages ?? 0);
  const { setAt, openDialog } = useActions();
  const name = watchName(watchpoint);
  const state = text === null ? null : (runAt(text.runs, at)?.state ?? 'not_yet');
  const now = text === null ? 'not known yet' : describeNow(text, at);
  const to = text === null ? null : nextChange(text.runs, at);
  return (
    <li className="watch-name" data-testid="watch-name" data-state={state ?? 'unknown'}>
      <button
        type="button"
        disabled={to === null}
        title={titleOf({ watchpoint, text }, sampled)}
        onClick={() => to !== null && setAt(to >= messages ? null : to)}
      >
        {state !== null && (
          <span className="watch-mark" aria-hidden>
            <PresenceMark state={state} />
          </span>
        )}
        <b className="num" style={{ color: filterColor(watchpoint.color) }}>
          {number}
        </b>
        <span className={watchpoint.name === null ? 'mono ellipsis' : 'ellipsis'}>
          <Seen text={name} />
        </span>
        <span className="mute num watch-now">{now}</span>
      </button>
      {!isReadOnly && (
        <IconButton
          label={`Change or remove watched text ${number}`}
          testId="watch-edit"
          onClick={() => openDialog({ kind: 'watchpoint', id: watchpoint.id })}
        >
          <Pencil size={12} />
        </IconButton>
      )}
    </li>
  );
}

function titleOf({ watchpoint, text }: WatchedLine, sampled: boolean): string {
  const lines = [watchpoint.text.slice(0, 300)];
  if (text !== null) {
    const { original, elsewhere, partly, gone } = text.counts;
    const all = original + elsewhere + partly + gone;
    const requests = `In ${formatCount(original + elsewhere)} of ${formatCount(all)} requests since it was said`;
    if (all > 0) lines.push(sampled ? `${requests} (samples)` : requests);
    else lines.push(text.first === null ? 'No message says it.' : '');
    lines.push(describeFirstLoss(text) ?? '');
    if (text.totalRuns > text.runs.length) lines.push(`The first ${formatCount(text.runs.length)} changes are drawn.`);
  }
  return lines.filter((line) => line !== '').join('\n');
}
