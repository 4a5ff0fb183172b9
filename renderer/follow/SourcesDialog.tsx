import './follow.css';
import { FolderSearch } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { useActions, useAppState, useHost } from '../state/context.tsx';
import { Modal } from '../ui/Modal.tsx';
import { FollowRow } from './FollowRow.tsx';
import { PlaceRows } from './PlaceRows.tsx';
import { useNow } from './useNow.ts';

/** Folders: what is followed, where tools keep sessions here, and any other path. */
export function SourcesDialog({ onClose }: { readonly onClose: () => void }) {
  const { loadSources } = useActions();
  const follows = useAppState((state) => state.sources.follows);
  const now = useNow(true);
  useEffect(() => void loadSources(), [loadSources]);
  return (
    <Modal
      title="Folders and followed files"
      description="What is appended to a followed file appears by itself, and so do new files of a followed folder. The files are only read."
      testId="sources-dialog"
      width={620}
      onClose={onClose}
      footer={
        <>
          <span className="grow" />
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
        </>
      }
    >
      <section className="source-group" aria-labelledby="followed">
        <h3 id="followed">Followed</h3>
        {follows.length === 0 && <p className="source-note mute">Nothing is followed.</p>}
        {follows.map((follow) => (
          <FollowRow key={follow.path} follow={follow} now={now} />
        ))}
      </section>
      <section className="source-group" aria-labelledby="found">
        <h3 id="found">Found on this machine</h3>
        <PlaceRows now={now} />
      </section>
      <OtherPath onDone={onClose} />
    </Modal>
  );
}

/** Any path on the machine the engine runs on. */
function OtherPath({ onDone }: { readonly onDone: () => void }) {
  const { importPaths, startFollow } = useActions();
  const host = useHost();
  const [path, setPath] = useState('');
  const isEmpty = path.trim() === '';
  const importIt = () => {
    void importPaths([path.trim()]);
    onDone();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isEmpty) importIt();
  };
  const browse = async () => {
    const folder = await host?.pickFolder?.();
    if (folder != null) setPath(folder);
  };
  return (
    <section className="source-group" aria-labelledby="other">
      <h3 id="other">Another file or folder</h3>
      <form className="source-field" onSubmit={onSubmit}>
        <input
          className="field mono"
          aria-label="Path of a file or folder"
          placeholder="/path/of/a/file/or/folder"
          value={path}
          spellCheck={false}
          onChange={(event) => setPath(event.target.value)}
          data-testid="source-path"
        />
        {host?.pickFolder && (
          <button type="button" className="button" onClick={() => void browse()}>
            <FolderSearch size={14} aria-hidden /> Browse…
          </button>
        )}
        <button type="submit" className="button" disabled={isEmpty} data-testid="source-import">
          Import
        </button>
        <button
          type="button"
          className="button button-primary"
          disabled={isEmpty}
          onClick={() => {
            void startFollow(path.trim());
            onDone();
          }}
          data-testid="source-follow"
        >
          Import and follow
        </button>
      </form>
    </section>
  );
}
