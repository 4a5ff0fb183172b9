import type { LibraryHit, PlacePresence, SearchGroup, TextState } from '../../core/protocol/types.ts';
import { PresenceMark } from '../find/PresenceMark.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { Marked } from '../ui/Marked.tsx';
import { Seen } from '../ui/Seen.tsx';

/** The head of a transcript's hits. */
export function SearchGroupLine({ group }: { readonly group: SearchGroup }) {
  const { title, project, format, hits, exact, endedAt, startedAt } = group;
  const day = (endedAt ?? startedAt)?.slice(0, 10);
  return (
    <div
      className="search-group"
      title={[title, project, format].filter(Boolean).join('\n')}
      data-testid="search-group"
    >
      <b className="ellipsis" dir="auto">
        <Seen text={title} />
      </b>
      <span className="chip mute">{format}</span>
      {project !== null && (
        <span className="faint ellipsis search-project">
          <Seen text={project} />
        </span>
      )}
      <span className="grow" />
      {day !== undefined && <span className="faint num nowrap">{day}</span>}
      <span className="num mute nowrap">
        {exact ? '' : '≥ '}
        {plural(hits, 'message')}
      </span>
    </div>
  );
}

interface HitProps {
  readonly hit: LibraryHit;
  readonly number: number;
  readonly count: number;
  readonly isSelected: boolean;
  /** Whether its words are in the request on screen; undefined = not known. */
  readonly presence: PlacePresence | undefined;
  readonly onOpen: () => void;
}

const PRESENCE: Readonly<Record<PlacePresence, { readonly state: TextState; readonly words: string }>> = {
  here: { state: 'original', words: 'In the request' },
  elsewhere: { state: 'elsewhere', words: 'In the request, in another place' },
  gone: { state: 'gone', words: 'Not in the request' },
  after: { state: 'not_yet', words: 'Said after the call point' },
};

/** One message that was found: where, what it is, and the words around. */
export function SearchHitLine({ hit, number, count, isSelected, presence, onOpen }: HitProps) {
  const { snippet } = hit;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys of its active option
    // biome-ignore lint/a11y/useFocusableInteractive: the search field keeps the focus
    <div
      id={`search-hit-${number}`}
      className="search-hit"
      role="option"
      aria-selected={isSelected}
      aria-posinset={number + 1}
      aria-setsize={count}
      onClick={onOpen}
      data-testid="search-hit"
      data-index={hit.index}
      data-part={hit.part}
      data-transcript={hit.transcriptId}
      data-presence={presence}
    >
      <span className="search-hit-presence" title={presence && PRESENCE[presence].words}>
        {presence && <PresenceMark state={PRESENCE[presence].state} label={PRESENCE[presence].words} />}
      </span>
      <span className="search-hit-index num faint">#{hit.index}</span>
      <span className="search-hit-label ellipsis" data-label={hit.label} title={hit.tool ?? hit.label}>
        {hit.tool ?? hit.label}
      </span>
      <span className="search-snippet" dir="auto">
        {hit.origin !== null && <span className="origin-tag">{hit.origin}</span>}
        {snippet.cutBefore && '…'}
        <Marked text={snippet.text} marks={snippet.marks} />
        {snippet.cutAfter && '…'}
        {snippet.text === '' && <i className="faint">no text</i>}
      </span>
      <span className="search-hit-facts">
        {hit.isError && <span className="chip part-error">error</span>}
        {hit.occurrences > 1 && (
          <span className="faint num" title={`${plural(hit.occurrences, 'place')} in this message`}>
            {formatCount(hit.occurrences)}×
          </span>
        )}
        {hit.timestamp !== null && <span className="faint num">{describeTime(hit.timestamp)}</span>}
      </span>
    </div>
  );
}

/** Day and minute where the person is. */
function describeTime(timestamp: string): string {
  const time = new Date(timestamp);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
