import './follow.css';
import { FolderClosed } from 'lucide-react';
import type { DiscoveredPlace, Named } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { placeText } from './followText.ts';
import { SourcePath } from './SourcePath.tsx';

/** Where tools of this machine keep sessions. Nothing in there is opened before somebody asks for it. */
export function PlaceRows({ now }: { readonly now: number }) {
  const places = useAppState((state) => state.sources.places);
  const error = useAppState((state) => state.sources.error);
  if (error !== null) return <p className="source-note tone-bad">{error.message}</p>;
  if (places === null) return <p className="source-note mute">Looking…</p>;
  if (places.length === 0) {
    return <p className="source-note mute">No sessions of a known tool were found in their usual places.</p>;
  }
  return places.map((place) => <PlaceRow key={place.path} place={place} now={now} />);
}

function PlaceRow({ place, now }: { readonly place: Named<DiscoveredPlace>; readonly now: number }) {
  const { importPaths, startFollow } = useActions();
  const isFollowed = useAppState((state) => state.sources.follows.some(({ path }) => path === place.path));
  return (
    <div className="source-row" data-testid="place-row" data-tool={place.tool}>
      <FolderClosed size={15} className="faint" aria-hidden />
      <div className="source-row-text grow">
        <span>
          {place.tool} <span className="mute num">{placeText(place, now)}</span>
        </span>
        <SourcePath path={place.path} />
      </div>
      <button
        type="button"
        className="button"
        aria-label={`Import the sessions of ${place.tool}`}
        onClick={() => void importPaths([place.handle])}
      >
        Import
      </button>
      <button
        type="button"
        className="button"
        disabled={isFollowed}
        aria-label={`Import and follow the sessions of ${place.tool}`}
        onClick={() => void startFollow(place.handle)}
      >
        {isFollowed ? 'Followed' : 'Follow'}
      </button>
    </div>
  );
}
