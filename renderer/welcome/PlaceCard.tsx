import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { DiscoveredPlace, Named } from '../../core/protocol/types.ts';
import { agoText } from '../follow/followText.ts';
import { SourcePath } from '../follow/SourcePath.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { formatBytes, plural } from '../ui/format.ts';
import { importedIn } from './imported.ts';
import { LookInside } from './LookInside.tsx';

/** A place where a tool keeps sessions: how many, how new, and what can be done with them. */
export function PlaceCard({ place, now }: { readonly place: Named<DiscoveredPlace>; readonly now: number }) {
  const { tool, path, handle, files, bytes, newestAt } = place;
  const { importPaths, startFollow } = useActions();
  const [isOpen, setOpen] = useState(false);
  const transcripts = useAppState((state) => state.library.transcripts);
  const isWatched = useAppState((state) => state.sources.follows.some((one) => one.path === path));
  const imported = Math.min(files, importedIn(transcripts ?? [], path));
  const isAll = imported >= files;
  return (
    <div className="place-card" data-testid="place-row" data-tool={tool}>
      <div className="found-row">
        {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        <b className="place-tool ellipsis">{tool}</b>
        <span className="mute num place-count">{plural(files, 'session')}</span>
        <span className="mute num place-about">
          {formatBytes(bytes)} · last written {agoText(newestAt, now)}
          <SourcePath path={path} />
        </span>
        <button
          type="button"
          className="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          data-testid="look-inside"
        >
          {isOpen ? 'Hide' : 'Look inside'}
        </button>
        <button
          type="button"
          className="button"
          disabled={isWatched}
          aria-label={`Import and follow the sessions of ${tool}`}
          onClick={() => void startFollow(handle)}
        >
          {isWatched ? 'Watched' : 'Watch'}
        </button>
        {isAll ? (
          <span className="place-all mute num">All {files} imported</span>
        ) : (
          <button
            type="button"
            className="button"
            aria-label={`Import the sessions of ${tool}`}
            onClick={() => void importPaths([handle])}
          >
            Import all
          </button>
        )}
      </div>
      {isOpen && <LookInside place={place} />}
    </div>
  );
}
