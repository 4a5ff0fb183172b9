import { useState } from 'react';
import type { DiscoveredPlace, FoundSession, Named, TranscriptSummary } from '../../core/protocol/types.ts';
import { projectName } from '../library/groups.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { formatBytes, plural } from '../ui/format.ts';
import { Time } from '../ui/Time.tsx';
import { shortTime } from '../ui/time.ts';
import { tickedFirst, transcriptOf } from './imported.ts';

/** The sessions of a place, newest first, each with a tick; those that are in the library already say so. */
export function LookInside({ place }: { readonly place: Named<DiscoveredPlace> }) {
  const { value: inside, error } = useAnswer('discover.look', { path: place.handle });
  const transcripts = useAppState((state) => state.library.transcripts) ?? [];
  const { importPaths } = useActions();
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  if (error !== null) return <p className="inside tone-bad">{error.message}</p>;
  if (inside === null) return <p className="inside mute">Reading the beginnings…</p>;
  const { sessions, more } = inside;
  const ticked = chosen ?? tickedFirst(sessions, transcripts);
  const wanted = sessions.filter(({ path }) => ticked.has(path) && transcriptOf(transcripts, path) === null);
  const toggle = (path: string) => {
    const next = new Set(ticked);
    if (!next.delete(path)) next.add(path);
    setChosen(next);
  };
  return (
    <div className="inside" data-testid="inside">
      <table>
        <thead>
          <tr>
            <th aria-label="Chosen" />
            <th>Title</th>
            <th>Project</th>
            <th className="num">Last written</th>
            <th className="num">Size</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow
              key={session.path}
              session={session}
              known={transcriptOf(transcripts, session.path)}
              isTicked={ticked.has(session.path)}
              onToggle={() => toggle(session.path)}
            />
          ))}
        </tbody>
      </table>
      <footer className="found-row">
        <span className="grow mute num">
          {wanted.length} of {sessions.length} selected
          {wanted.length > 0 && ` · ${formatBytes(wanted.reduce((sum, { bytes }) => sum + bytes, 0))}`}
          {more > 0 && ` · ${plural(more, 'older session')} not listed`}
        </span>
        <button
          type="button"
          className="button button-primary"
          disabled={wanted.length === 0}
          onClick={() => void importPaths(wanted.map(({ handle }) => handle))}
          data-testid="import-chosen"
        >
          Import {plural(wanted.length, 'session')}
        </button>
      </footer>
    </div>
  );
}

interface RowProps {
  readonly session: FoundSession;
  readonly known: TranscriptSummary | null;
  readonly isTicked: boolean;
  readonly onToggle: () => void;
}

function SessionRow({ session, known, isTicked, onToggle }: RowProps) {
  const { open } = useActions();
  const { path, title, project, modifiedAt, bytes } = session;
  return (
    <tr data-testid="inside-row" data-known={known !== null}>
      <td>
        <input
          type="checkbox"
          aria-label={`Choose ${title}`}
          checked={known === null && isTicked}
          disabled={known !== null}
          onChange={onToggle}
        />
      </td>
      <td title={path}>
        <span className="ellipsis">{title}</span>
        {known !== null && (
          <button type="button" className="link" onClick={() => void open(known.id)}>
            imported
          </button>
        )}
      </td>
      <td className="mute ellipsis" title={project ?? undefined}>
        {project === null ? '' : projectName(project)}
      </td>
      <td className="num">
        <Time iso={modifiedAt} text={shortTime(modifiedAt, Date.now())} />
      </td>
      <td className="num">{formatBytes(bytes)}</td>
    </tr>
  );
}
