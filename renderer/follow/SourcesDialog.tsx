import './follow.css';
import { useEffect } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import { Modal } from '../ui/Modal.tsx';
import { FollowRow } from './FollowRow.tsx';
import { GivenRows } from './GivenRows.tsx';
import { OtherSource } from './OtherSource.tsx';
import { PlaceRows } from './PlaceRows.tsx';
import { useNow } from './useNow.ts';

/** Folders: what is followed, what the program was started with, where tools keep sessions here, and any other. */
export function SourcesDialog({ onClose }: { readonly onClose: () => void }) {
  const { loadSources } = useActions();
  const follows = useAppState((state) => state.sources.follows);
  const now = useNow(true);
  useEffect(() => void loadSources(), [loadSources]);
  return (
    <Modal
      title="Folders and followed files"
      description="Followed files and folders update live. Files are never modified."
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
        {follows.length === 0 && <p className="source-note mute">Not following anything yet.</p>}
        {follows.map((follow) => (
          <FollowRow key={follow.path} follow={follow} now={now} />
        ))}
      </section>
      <GivenRows />
      <section className="source-group" aria-labelledby="found">
        <h3 id="found">Found on this machine</h3>
        <PlaceRows now={now} />
      </section>
      <OtherSource onDone={onClose} />
    </Modal>
  );
}
