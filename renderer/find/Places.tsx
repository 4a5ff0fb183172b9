import { Fragment, useEffect, useRef } from 'react';
import type { RawTextPlace, TextTrace } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { formatCount } from '../ui/format.ts';
import { leadFrom } from '../ui/lead.ts';
import { moveFocus } from '../ui/moveFocus.ts';
import { Seen } from '../ui/Seen.tsx';
import { PresenceMark } from './PresenceMark.tsx';
import { placeName, placeState, writtenPlaces } from './words.ts';

/** Characters kept before the text: the list is narrow. */
const BEFORE = 8;

/** Every place of the text, marked present or absent; a line divides what was said after the call point. */
export function Places({ trace }: { readonly trace: TextTrace }) {
  const chosen = useAppState((state) => state.find.chosen);
  const { choosePlace } = useActions();
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place was chosen
  useEffect(() => {
    list.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const { places, totalPlaces, now } = trace;
  const before = places.filter(({ after }) => !after);
  const present = before.filter((place) => place.present).length;
  const firstAfter = places.findIndex(({ after }) => after);
  return (
    <section className="find-places" aria-label="Places">
      <h3>
        Places
        <span className="find-how num">
          {formatCount(present)} of {formatCount(before.length)} in this request
        </span>
      </h3>
      <ul ref={list} onKeyDown={moveFocus('.find-place')}>
        {writtenPlaces(trace).map((label) => (
          <li key={label} className="find-place find-written" data-testid="find-written">
            <PresenceMark state="elsewhere" label="in this request" />
            <span className="ellipsis" title={`In this request: ${label}`}>
              {label}
            </span>
          </li>
        ))}
        {places.map((place, number) => (
          <Fragment key={`${place.where} ${place.index} ${place.part} ${place.from}`}>
            {number === firstAfter && (
              <li className="find-divider num" data-testid="find-divider">
                call #{now.at} · said after it
              </li>
            )}
            <li>
              <PlaceLine
                place={place}
                isChosen={number === chosen}
                isStop={number === (chosen ?? 0)}
                onChoose={() => void choosePlace(number)}
              />
            </li>
          </Fragment>
        ))}
      </ul>
      {totalPlaces > places.length && (
        <p className="find-more faint num">+ {formatCount(totalPlaces - places.length)} more</p>
      )}
    </section>
  );
}

interface PlaceProps {
  readonly place: RawTextPlace;
  readonly isChosen: boolean;
  /** The list is one stop of the Tab key: this is it. */
  readonly isStop: boolean;
  readonly onChoose: () => void;
}

function PlaceLine({ place, isChosen, isStop, onChoose }: PlaceProps) {
  const { context, start, length, present, after } = place;
  const from = leadFrom(context, start, BEFORE);
  const { number, kind } = placeName(place);
  const mark = after ? 'said after this request' : present ? 'in this request' : 'not in this request';
  return (
    <button
      type="button"
      className="find-place"
      data-testid="find-place"
      data-index={place.index ?? undefined}
      data-where={place.where}
      data-present={present}
      data-after={after}
      aria-pressed={isChosen}
      tabIndex={isStop ? 0 : -1}
      title={`${place.label}, ${mark}`}
      onClick={onChoose}
    >
      <PresenceMark state={placeState(place)} label={mark} />
      <span className="num find-place-number">{number}</span>
      <span className="mute ellipsis">
        <Seen text={kind} />
      </span>
      <span className="mono ellipsis" dir="auto">
        {from > 0 && '…'}
        {context.slice(from, start)}
        <mark className="found">{context.slice(start, start + length)}</mark>
        {context.slice(start + length)}
      </span>
    </button>
  );
}
