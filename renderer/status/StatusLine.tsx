import './status.css';
import { Copy, Lock } from 'lucide-react';
import type { ProjectionInfo } from '../../core/protocol/types.ts';
import { rawOverhead, wholeRequest } from '../budget/gauge.ts';
import { HeadlineFigure } from '../budget/HeadlineFigure.tsx';
import { useHeadline } from '../budget/useHeadline.ts';
import { CacheStatus } from '../cache/CacheStatus.tsx';
import { FollowStatus } from '../follow/FollowStatus.tsx';
import { useActions, useAppState, useStateNow } from '../state/context.tsx';
import { useSentWords } from '../state/useSentWords.ts';
import { formatChange, formatCount, formatMs, formatTokens, shortHash } from '../ui/format.ts';
import { activityText } from './activityText.ts';
import { provenanceText } from './provenanceText.ts';

/** The bottom line: what the projection is, what it cost, what the engine does. */
export function StatusLine() {
  const info = useAppState((state) => (state.session.id === null ? null : state.projection.info));
  const tokenizer = useAppState((state) => state.session.info?.tokenizerLabel ?? null);
  const unsaved = useAppState((state) => state.unsaved);
  return (
    <footer className="status num" data-testid="status" data-saved={!unsaved}>
      {info &&
        (info.prefixHash === null ? <span className="mute">hashing…</span> : <PrefixHash hash={info.prefixHash} />)}
      {info && <Sent />}
      {info && <Tokens info={info} tokenizer={tokenizer} />}
      {info && <CacheStatus />}
      {info && info.problems.length > 0 && <Problems count={info.problems.length} />}
      <Unwritable />
      <span className="grow" />
      <FollowStatus />
      {info && (
        <span className="status-took" title="Measured by the engine's clock">
          projected in {formatMs(info.ms)}
        </span>
      )}
      <Activity />
    </footer>
  );
}

/** The library can only be read: nothing that is changed here is kept. */
function Unwritable() {
  const why = useAppState((state) => state.unwritable);
  if (why === null) return null;
  return (
    <span className="status-unwritable" role="status" title={`${why} Changes are not saved.`}>
      <Lock size={11} /> Library is read-only
    </span>
  );
}

/** What the figures are of: a request that was made, or one that would be. */
function Sent() {
  const sent = useSentWords();
  if (!sent) return null;
  return (
    <span className="status-sent ellipsis" title={sent.title}>
      {sent.title}
    </span>
  );
}

function PrefixHash({ hash }: { readonly hash: string }) {
  const { toast } = useActions();
  const copy = () => {
    navigator.clipboard.writeText(hash).then(
      () => toast({ tone: 'ok', text: 'Prefix hash copied.', detail: hash }),
      () => toast({ tone: 'error', text: 'The browser did not allow copying.', detail: hash }),
    );
  };
  return (
    <button
      type="button"
      className="status-button mono"
      title={`Prefix hash ${hash}: copy`}
      onClick={copy}
      data-testid="status-hash"
      data-hash={hash}
    >
      {shortHash(hash)} <Copy size={11} aria-label="copy" />
    </button>
  );
}

function Tokens({ info, tokenizer }: { readonly info: ProjectionInfo; readonly tokenizer: string | null }) {
  const headline = useHeadline();
  if (headline === null) return null;
  const raw = wholeRequest(info.raw, rawOverhead(info.beside));
  // Figures of different provenance are shown, never compared.
  const isComparable = raw.provenance === headline.provenance;
  const change = isComparable ? formatChange(raw.total, headline.tokens) : null;
  // A count beside what was recorded of the same messages would read as if they had changed.
  const isSameRequest = !isComparable && info.raw.total === info.projected.total;
  return (
    <span data-testid="status-tokens" title={headline.title}>
      {!isSameRequest && `${formatTokens(raw.total, raw.provenance)} → `}
      <HeadlineFigure headline={headline} testId="status-figure" /> tok
      {change && ` (${change})`}
      <span className="status-provenance">
        {' '}
        {provenanceText(isSameRequest ? headline.provenance : raw.provenance, headline.provenance, tokenizer)}
      </span>
    </span>
  );
}

function Problems({ count }: { readonly count: number }) {
  const { showDrawer } = useActions();
  return (
    <button type="button" className="status-button status-problems" onClick={() => showDrawer('problems')}>
      {formatCount(count)} {count === 1 ? 'problem' : 'problems'}
    </button>
  );
}

/** What the engine is busy with, in one phrase. */
function Activity() {
  const text = useStateNow(({ jobs, library, projection, series, session, unwritable, work }) =>
    activityText({
      isStarting: library.transcripts === null && library.error === null,
      isOpening: session.opening,
      jobs: Object.values(jobs),
      isProjecting: projection.pending,
      isComputing: series.computing && session.id !== null,
      counted: session.info?.counted ?? 1,
      isReadOnly: unwritable !== null,
      work: Object.values(work),
    }),
  );
  return <span data-testid="status-activity">{text}</span>;
}
