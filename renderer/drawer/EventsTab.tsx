import './events.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { EventInfo } from '../../core/protocol/types.ts';
import { AssetView, OpenTranscript } from '../parts/AssetView.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { DrawerNote } from '../ui/DrawerNote.tsx';
import { prettyJson } from '../ui/prettyJson.ts';
import { Seen } from '../ui/Seen.tsx';
import { clockTime, utcTime } from '../ui/time.ts';
import { EventKinds } from './EventKinds.tsx';
import { TranscriptRecord } from './TranscriptRecord.tsx';
import { useEvents } from './useEvents.ts';
import { useFacts } from './useFacts.ts';

const ROW = 24;

/** Everything that happened, messages or not, in the order of the file; or what is of one kind. */
export function EventsTab() {
  const id = useAppState((state) => state.session.id);
  const [kind, setKind] = useState<{ readonly of: string | null; readonly name: string } | null>(null);
  const chosen = kind?.of === id ? kind.name : null;
  // A list of another transcript, or of other events, begins again.
  return (
    <Events key={`${id} ${chosen}`} kind={chosen} onKind={(name) => setKind(name === null ? null : { of: id, name })} />
  );
}

interface EventsProps {
  readonly kind: string | null;
  readonly onKind: (kind: string | null) => void;
}

function Events({ kind, onKind }: EventsProps) {
  const { total, eventAt, ensure, error, kinds } = useEvents(kind);
  const [chosen, setChosen] = useState<number | null>(null);
  const { goToMessage } = useActions();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: total ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const items = list.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? 0) + 1;
  useEffect(() => ensure(from, to), [ensure, from, to]);
  if (error !== null) return <p className="drawer-note drawer-error">The events could not be read: {error}</p>;
  const shown = chosen === null ? null : eventAt(chosen);
  const choose = (position: number, event: EventInfo) => {
    setChosen(position === chosen ? null : position);
    void goToMessage(event.at);
  };
  return (
    <div className="events">
      <div className="events-side">
        <EventKinds kinds={kinds} chosen={kind} onChoose={onKind} />
        {total === 0 && <DrawerNote>The file has no events besides its messages.</DrawerNote>}
        <div ref={scroller} className="events-list" data-testid="events">
          <ul style={{ height: list.getTotalSize() }} aria-label="Events">
            {items.map((item) => (
              <li key={item.key} style={{ transform: `translateY(${item.start}px)` }}>
                <EventRow
                  event={eventAt(item.index)}
                  isChosen={item.index === chosen}
                  onChoose={(event) => choose(item.index, event)}
                />
              </li>
            ))}
          </ul>
        </div>
      </div>
      <div className="event-record">{shown ? <EventRecord event={shown} /> : <TranscriptRecord />}</div>
    </div>
  );
}

function EventRecord({ event }: { readonly event: EventInfo }) {
  const { kind, words, visibility, assetId, json } = event;
  return (
    <>
      <p className="event-words">
        {words !== '' && <span>{words}</span>}
        <span className="chip" title="Who may see this event, as recorded">
          {visibility}
        </span>
      </p>
      {kind === 'compaction' && assetId !== null && <OpenTranscript assetId={assetId} />}
      {kind === 'asset' && assetId !== null && <AssetOf id={assetId} />}
      <pre className="mono event-json">{prettyJson(json)}</pre>
    </>
  );
}

/** An asset by its id, as the transcript describes it. */
function AssetOf({ id }: { readonly id: string }) {
  const { facts } = useFacts();
  const asset = facts?.assets.find((one) => one.id === id);
  return asset === undefined ? null : <AssetView asset={asset} />;
}

interface RowProps {
  readonly event: EventInfo | null;
  readonly isChosen: boolean;
  readonly onChoose: (event: EventInfo) => void;
}

function EventRow({ event, isChosen, onChoose }: RowProps) {
  if (!event) return <div className="event-row faint">…</div>;
  return (
    <button type="button" className="event-row" aria-pressed={isChosen} onClick={() => onChoose(event)}>
      <span className="num faint event-line">{event.line}</span>
      <span className="event-kind ellipsis" title={event.kind}>
        <Seen text={event.kind} />
      </span>
      <span className="ellipsis grow">
        <Seen text={event.words || event.text} />
      </span>
      {event.visibility === 'private' && <span className="faint">private</span>}
      <span className="num faint">#{event.at}</span>
      <span className="num faint event-time" title={utcTime(event.timestamp ?? null)}>
        {clockTime(event.timestamp ?? null)}
      </span>
    </button>
  );
}
