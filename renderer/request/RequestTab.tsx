import './request.css';
import { useState } from 'react';
import type { RequestChange } from '../../core/protocol/types.ts';
import { CacheBreak, CacheLoss } from '../cache/CacheBreak.tsx';
import { CacheRecorded } from '../cache/CacheRecorded.tsx';
import { cacheCells } from '../cache/cells.ts';
import { formatGap } from '../cache/words.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { useSentWords } from '../state/useSentWords.ts';
import { useUsage } from '../state/useUsage.ts';
import { DrawerNote } from '../ui/DrawerNote.tsx';
import { formatChange, formatCount, formatTokens } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { CauseList } from './CauseList.tsx';
import { DifferenceList } from './DifferenceList.tsx';
import { describeRequestChange, describeRest, formatDifference } from './words.ts';

/** How long a projection must rest before the one before it is projected too. */
const REST_MS = 150;

/** Why the request on screen differs from the one before it: causes by size, and the exact difference of each. */
export function RequestTab() {
  const id = useAppState((state) => state.session.id);
  const info = useAppState((state) => state.projection.info);
  const { value, error } = useAnswer('projection.change', info && { projectionId: info.projectionId }, {
    wait: REST_MS,
    about: id,
    again: [info?.final],
  });
  if (error !== null)
    return <p className="drawer-note drawer-error">The request could not be compared: {error.message}</p>;
  if (value === null || info === null) return <DrawerNote>The request is compared with the one before it…</DrawerNote>;
  return <Change key={value.at} change={value} projectionId={info.projectionId} />;
}

function Change({ change, projectionId }: { readonly change: RequestChange; readonly projectionId: string }) {
  const [chosen, choose] = useState(0);
  const messages = useAppState((state) => state.session.info?.messages ?? Number.POSITIVE_INFINITY);
  const cause = Math.min(chosen, change.causes.length - 1);
  return (
    <div className="request" data-testid="request">
      <div className="request-main">
        <Head change={change} />
        <CauseList causes={change.causes} provenance={change.tokens.provenance} chosen={cause} onChoose={choose} />
        <Unexplained change={change} />
        <Cache at={change.at} />
        <Thinking change={change} />
        <p className="faint request-rest">
          <Seen text={describeRest(change, formatGap, change.at >= messages)} />
        </p>
      </div>
      {cause >= 0 && (
        <DifferenceList
          key={cause}
          projectionId={projectionId}
          cause={cause}
          about={change.causes[cause]}
          provenance={change.tokens.provenance}
        />
      )}
    </div>
  );
}

function Head({ change }: { readonly change: RequestChange }) {
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const isSent = useSentWords()?.isSent === true;
  const { info } = useUsage();
  const isMissed = isSent && info?.misses.some((miss) => miss.at === change.at) === true;
  const { before, at, tokens } = change;
  const now = at >= messages ? 'next' : `#${at}`;
  return (
    <header className="request-head">
      <p className="request-sentence" data-testid="request-sentence">
        <Seen text={describeRequestChange(change, isMissed)} />
      </p>
      <p className="num request-sizes" data-testid="request-sizes">
        {before !== null && (
          <>
            <span className="mute">#{before}</span> {formatTokens(tokens.before, tokens.provenance)}
            <span className="mute"> → </span>
          </>
        )}
        <span className="mute">{now}</span> <b>{formatTokens(tokens.now, tokens.provenance)}</b> tok
        {before !== null && <span className="mute"> {sizeChange(change)}</span>}
      </p>
    </header>
  );
}

/** What was recorded of the requests that were made, and how much of the difference the causes leave open. */
function Unexplained({ change }: { readonly change: RequestChange }) {
  const isSent = useSentWords()?.isSent === true;
  const { recorded, tokens } = change;
  if (!isSent || recorded.before === null || recorded.now === null) return null;
  const open = recorded.now - recorded.before - (tokens.now - tokens.before);
  return (
    <p className="num request-recorded" data-testid="request-recorded">
      Recorded: {formatCount(recorded.before)} → {formatCount(recorded.now)} tok.{' '}
      <span className="mute">Not explained: {formatDifference(open, 'exact')}, recorded minus the causes above.</span>
    </p>
  );
}

function Cache({ at }: { readonly at: number }) {
  const series = useAppState((state) => state.series.series);
  const point = series?.points.find((each) => each.at === at);
  const [cell] = point === undefined ? [] : cacheCells([point], 1, series?.beside ?? 0);
  if (series === null || cell === undefined) return null;
  return (
    <>
      {cell.state === 'broken' && <CacheBreak cell={cell} series={series} />}
      <CacheLoss cell={cell} series={series} />
      <CacheRecorded point={cell.point} />
    </>
  );
}

function Thinking({ change }: { readonly change: RequestChange }) {
  const { before, now } = change.thinking;
  if (now === null) return null;
  const fewer = (before?.sent ?? 0) - now.sent;
  const gone = fewer > 0 ? `${formatCount(fewer)} signed blocks fewer than before; ` : '';
  const failing = now.failing === 0 ? 'none is invalid' : `${formatCount(now.failing)} no longer valid`;
  return (
    <p className="num" data-testid="request-thinking">
      Thinking: {gone}
      {formatCount(now.sent)} signed in this request, {failing}.
    </p>
  );
}

/** `−78%`; of less than a percent the tokens. */
function sizeChange({ tokens }: RequestChange): string {
  const share = formatChange(tokens.before, tokens.now);
  return share === null || /^.0%$/.test(share)
    ? formatDifference(tokens.now - tokens.before, tokens.provenance)
    : share;
}
