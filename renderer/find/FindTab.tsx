import './find.css';
import type { TextTrace } from '../../core/protocol/types.ts';
import { printed } from '../keys/keys.ts';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';
import { plural } from '../ui/format.ts';
import { FindAnswer } from './FindAnswer.tsx';
import { Anchors, InItsPlace } from './InItsPlace.tsx';
import { Places } from './Places.tsx';
import { startFind } from './startFind.ts';

/** The answer to the text in the find bar: its places, what became of it, and what replaced it. */
export function FindTab() {
  const { isOpen, text, trace, isLoading, error } = useAppState((state) => state.find);
  if (!isOpen || text.trim() === '') return <FindIntro isOpen={isOpen} />;
  if (error !== null)
    return <p className="drawer-note drawer-error">The text could not be followed: {error.message}</p>;
  if (trace === null) {
    return (
      <p className="drawer-note" role="status">
        {isLoading ? 'Searching all requests…' : ''}
      </p>
    );
  }
  if (trace.totalPlaces === 0 && trace.now.state !== 'partly' && trace.now.total === 0)
    return <Nowhere trace={trace} />;
  return (
    <div className="find" data-testid="find" data-state={trace.now.state} aria-busy={isLoading}>
      <Places trace={trace} />
      <FindAnswer trace={trace} />
      <div className="find-stead">
        <Anchors trace={trace} />
        <InItsPlace trace={trace} />
      </div>
    </div>
  );
}

/** Nothing typed yet: what the bar is for. */
function FindIntro({ isOpen }: { readonly isOpen: boolean }) {
  const app = useApp();
  const platform = usePlatform();
  return (
    <div className="find-intro" data-testid="find-intro">
      <p>
        <b>Why is it gone?</b> Paste a sentence, a path or a word: you see whether it was in each request, what took it
        out, and what replaced it.
      </p>
      {!isOpen && (
        <button type="button" className="button" onClick={() => startFind(app)}>
          Find a text <kbd>{printed('mod+f', platform)}</kbd>
        </button>
      )}
    </div>
  );
}

/** No place says it whole: what was searched, which of its key words are in the request, and how to search wider. */
function Nowhere({ trace }: { readonly trace: TextTrace }) {
  const { matchCase, wholeWord } = useAppState((state) => state.find);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const text = useAppState((state) => state.find.text);
  const { setFindOption, setSearchQuery, openSearch } = useActions();
  const searchAll = () => {
    setSearchQuery(`"${text.trim().replaceAll('"', ' ')}"`);
    openSearch();
  };
  return (
    <div className="find-intro" data-testid="find-nowhere" role="status">
      <p>
        <b>Nowhere in this transcript.</b>{' '}
        <span className="mute">{plural(messages, 'message')} and the events searched, as they read; spaces alike.</span>
      </p>
      <p className="find-wider">
        {matchCase && (
          <button type="button" className="link" onClick={() => setFindOption({ matchCase: false })}>
            Ignore case
          </button>
        )}
        {wholeWord && (
          <button type="button" className="link" onClick={() => setFindOption({ wholeWord: false })}>
            Not whole word
          </button>
        )}
        <button type="button" className="link" onClick={searchAll}>
          Search all transcripts
        </button>
      </p>
      <Anchors trace={trace} />
    </div>
  );
}
