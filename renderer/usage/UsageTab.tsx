import './usage.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { TriangleAlert, Unplug } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { RequestFigure, UsageInfo, UsageMark } from '../../core/protocol/types.ts';
import { SessionMoney } from '../budget/SessionMoney.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { useRequests, useUsage } from '../state/useUsage.ts';
import { DrawerNote } from '../ui/DrawerNote.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { cacheShare, describeFit, describeTotals, offBy } from './usageText.ts';

const ROW = 24;

/** Each request's recorded tokens beside what the history amounts to. */
export function UsageTab() {
  const id = useAppState((state) => state.session.id);
  const { info, error } = useUsage();
  if (error !== null) return <p className="drawer-note drawer-error">Recorded usage could not be checked: {error}</p>;
  if (info === null || info.state === 'counting')
    return <DrawerNote>Recorded usage is compared once all tokens are counted…</DrawerNote>;
  if (info.total === 0) return <DrawerNote>This transcript records no usage: there is nothing to compare.</DrawerNote>;
  // Another report, another list.
  return <Requests key={`${id} ${info.total} ${info.totals.input}`} info={info} />;
}

function Requests({ info }: { readonly info: UsageInfo }) {
  const requests = useRequests();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: info.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const items = list.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? 0) + 1;
  useEffect(() => requests.ensure(from, to), [requests.ensure, from, to]);
  if (requests.error !== null)
    return <p className="drawer-note drawer-error">The requests could not be read: {requests.error}</p>;
  return (
    <div className="usage" data-testid="usage">
      <UsageHead info={info} />
      <div className="usage-row usage-columns faint" aria-hidden="true">
        <span>Request</span>
        <span>Recorded input</span>
        <span>Expected</span>
        <span>Off by</span>
        <span>From cache</span>
        <span>Output</span>
        <span>Counted</span>
        <span />
      </div>
      <div ref={scroller} className="usage-list">
        <ul style={{ height: list.getTotalSize() }} aria-label="Requests and their recorded usage">
          {items.map((item) => (
            <li key={item.key} style={{ transform: `translateY(${item.start}px)` }}>
              <RequestRow request={requests.at(item.index)} marks={info.marks} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function UsageHead({ info }: { readonly info: UsageInfo }) {
  return (
    <div className="usage-head">
      <span>
        {plural(info.total, 'request')} recorded: {describeTotals(info.totals)}.
      </span>{' '}
      <SessionMoney />
      {info.fits.map((fit) => (
        <span key={fit.model ?? ''} className="faint num">
          {describeFit(fit)}
        </span>
      ))}
    </div>
  );
}

interface RowProps {
  readonly request: RequestFigure | null;
  readonly marks: readonly UsageMark[];
}

function RequestRow({ request, marks }: RowProps) {
  const { goToMessage } = useActions();
  const now = useAppState((state) => state.projection.info?.at ?? null);
  if (!request) return <div className="usage-row faint">…</div>;
  const mark = marks.find(({ at }) => at === request.at) ?? null;
  const { at, input, expected, output, answer } = request;
  return (
    <button
      type="button"
      className="usage-row num"
      data-testid="usage-request"
      data-at={at}
      aria-current={at === now}
      onClick={() => void goToMessage(at)}
    >
      <span>#{at}</span>
      <span>{formatCount(input)}</span>
      <span className="faint">{expected === null ? '–' : `≈${formatCount(expected)}`}</span>
      <span className={mark?.kind === 'drop' ? 'usage-off' : 'faint'}>{offBy(request) ?? '–'}</span>
      <span className={mark?.kind === 'cache_miss' ? 'usage-off' : ''}>{cacheShare(request) ?? '–'}</span>
      <span>{output === null ? '–' : formatCount(output)}</span>
      <span className="faint">{formatCount(answer)}</span>
      <MarkWords mark={mark} />
    </button>
  );
}

function MarkWords({ mark }: { readonly mark: UsageMark | null }) {
  if (mark === null) return <span />;
  const Icon = mark.kind === 'drop' ? TriangleAlert : Unplug;
  return (
    <span className="usage-mark ellipsis" title={mark.label}>
      <Icon size={13} aria-hidden /> {mark.label}
    </span>
  );
}
