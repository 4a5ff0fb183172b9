import './events.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { EventInfo } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { clockTime, utcTime } from '../ui/time.ts';
import { DrawerNote } from './DrawerNote.tsx';
import { prettyJson } from './prettyJson.ts';
import { useEvents } from './useEvents.ts';

const ROW = 24;

/** Everything that happened, messages or not, in the order of the file. */
export function EventsTab() {
  const id = useAppState((state) => state.session.id);
  // A list of another transcript begins anew.
  return <Events key={id} />;
}

function Events() {
  const { total, eventAt, ensure, error } = useEvents();
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
  if (total === 0) return <DrawerNote>The file holds no events besides its messages.</DrawerNote>;
  const shown = chosen === null ? null : eventAt(chosen);
  return (
    <div className="events">
      <div ref={scroller} className="events-list" data-testid="events">
        <ul style={{ height: list.getTotalSize() }} aria-label="Events">
          {items.map((item) => (
            <li key={item.key} style={{ transform: `translateY(${item.start}px)` }}>
              <EventRow
                event={eventAt(item.index)}
                isChosen={item.index === chosen}
                onChoose={(event) => {
                  setChosen(item.index);
                  void goToMessage(event.at);
                }}
              />
            </li>
          ))}
        </ul>
      </div>
      <pre className="mono event-json">{shown ? prettyJson(shown.json) : 'Choose an event to see its record.'}</pre>
    </div>
  );
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
      <span className="event-kind ellipsis">{event.kind}</span>
      <span className="ellipsis grow">{event.text}</span>
      <span className="num faint">#{event.at}</span>
      <span className="num faint event-time" title={utcTime(event.timestamp ?? null)}>
        {clockTime(event.timestamp ?? null)}
      </span>
    </button>
  );
}
