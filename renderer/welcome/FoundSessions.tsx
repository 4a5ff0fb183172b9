import { FolderOpen, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { MissingPlace } from '../../core/protocol/types.ts';
import { useNow } from '../follow/useNow.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { PlaceCard } from './PlaceCard.tsx';

/** Where tools keep sessions here, and where none were found. Nothing is opened before somebody asks for it. */
export function FoundSessions() {
  const { places, missing, error } = useAppState((state) => state.sources);
  const { loadSources, openDialog } = useActions();
  const now = useNow(false);
  const tools = new Set([...(places ?? []), ...missing].map(({ tool }) => tool));
  return (
    <section className="found" aria-labelledby="found-title" data-testid="places">
      <header className="found-head">
        <h2 id="found-title" className="grow">
          Sessions found on this computer
        </h2>
        {places !== null && <span className="mute num">{plural(tools.size, 'tool')} looked for</span>}
        <button type="button" className="text-button" onClick={() => void loadSources()}>
          <RefreshCw size={12} aria-hidden /> Look again
        </button>
        <button
          type="button"
          className="button"
          onClick={() => openDialog({ kind: 'sources' })}
          data-testid="another-folder"
        >
          <FolderOpen size={13} aria-hidden /> Add a folder or watch a file…
        </button>
      </header>
      {error !== null && <p className="tone-bad found-note">{error.message}</p>}
      {error === null && places === null && <p className="mute found-note">Looking…</p>}
      {places !== null && (
        <div className="found-list">
          {places.map((place) => (
            <PlaceCard key={place.path} place={place} now={now} />
          ))}
          <Missing missing={missing} isAll={places.length === 0} />
        </div>
      )}
    </section>
  );
}

/** The tools without sessions: the folder of each, if one asks for it. */
function Missing({ missing, isAll }: { readonly missing: readonly MissingPlace[]; readonly isAll: boolean }) {
  const { openDialog } = useActions();
  const [isShown, setShown] = useState(false);
  if (missing.length === 0) return null;
  const names = [...new Set(missing.map(({ tool }) => tool))];
  return (
    <div className="found-missing" data-testid="missing">
      <div className="found-row">
        <span className="grow ellipsis">
          <b>{isAll ? 'No sessions of a known tool' : 'Not found'}</b> <span className="mute">{names.join(', ')}</span>
        </span>
        <button type="button" className="text-button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Where it looked'}
        </button>
        <button type="button" className="button" onClick={() => openDialog({ kind: 'sources' })}>
          Choose folder…
        </button>
      </div>
      {isShown && (
        <ul>
          {missing.map(({ tool, path }) => (
            <li key={path}>
              {tool}: looked in <span className="mono">{path}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
