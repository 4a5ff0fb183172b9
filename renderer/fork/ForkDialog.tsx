import './fork.css';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { Modal, ModalCancel } from '../ui/Modal.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { describeFork, type ForkSide, forkIndex, forkPlace } from './forkPlace.ts';
import { useOwnText } from './useOwnText.ts';

/** Makes a what-if: the messages up to here, and a user's message that never was. */
export function ForkDialog({ onClose }: { readonly onClose: () => void }) {
  const { store, engine, actions } = useApp();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const [{ id, index }] = useState(() => {
    const { session, selection } = store.getState();
    return { id: session.id ?? '', index: forkIndex(selection) };
  });
  const [chosen, setChosen] = useState<ForkSide | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isMaking, setMaking] = useState(false);
  const own = useOwnText(index);
  const side = chosen ?? (own.isUsers ? 'instead' : 'after');
  // A message that is replaced is the one that is edited, until something else is typed.
  const text = typed ?? (side === 'instead' ? own.text : '');
  const at = forkPlace(index, side, messages);
  const make = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '' || isMaking) return;
    setMaking(true);
    const opening = actions.opensLater();
    try {
      const fork = await engine.call('transcript.fork', { id, at, text });
      onClose();
      // The list must know it to show it under its parent.
      await actions.refresh();
      await opening.open(fork.id, { at: null, selection: { kind: 'message', index: at, part: 0 } });
      actions.toast({ tone: 'ok', text: 'What-if made. The transcript it was forked from is as it was.' });
    } catch (thrown) {
      setError(toProtocolError(thrown).message);
      setMaking(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <Modal
      title={index === null ? 'What if: continue after the last message' : `What if: fork at #${index}`}
      onClose={onClose}
      width={600}
      testId="fork-dialog"
      unsaved={typed !== null && typed.trim() !== '' && typed !== own.text ? 'The text is not kept.' : null}
      footer={
        <>
          <span className="grow mute">Nothing is sent to a model.</span>
          <ModalCancel />
          <button
            type="submit"
            form="fork"
            className="button button-primary"
            disabled={text.trim() === '' || isMaking}
            data-testid="fork-make"
          >
            Fork
          </button>
        </>
      }
    >
      <form id="fork" className="fork" onSubmit={(event) => void make(event)}>
        {index !== null && (
          <Segmented
            label="Where"
            value={side}
            options={[
              { value: 'instead', title: `In place of #${index}` },
              { value: 'after', title: `After #${index}` },
            ]}
            onChange={setChosen}
          />
        )}
        <label className="fork-label" htmlFor="fork-text">
          What the user says
        </label>
        <textarea
          id="fork-text"
          className="field fork-text"
          value={text}
          rows={7}
          dir="auto"
          data-autofocus
          placeholder="What would you ask instead?"
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
          data-testid="fork-text"
        />
        <p className="mute num" data-testid="fork-words">
          {describeFork(at, messages)}
        </p>
        {error !== null && <p className="fork-error">{error}</p>}
      </form>
    </Modal>
  );
}
