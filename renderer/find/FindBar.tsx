import './find.css';
import { ArrowDown, ArrowUp, CaseSensitive, Pin, Search, WholeWord, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { printed } from '../keys/keys.ts';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { PresenceMark } from './PresenceMark.tsx';
import { endFind, FIND_FIELD_ID } from './startFind.ts';
import { describeCount, NOW_WORDS } from './words.ts';

/** Find: why is it gone? The text, how it is compared, how many places say it, and the way from one to the next. */
export function FindBar() {
  const find = useAppState((state) => state.find);
  const app = useApp();
  const { setFindText, setFindOption, stepPlace } = useActions();
  const platform = usePlatform();
  if (!find.isOpen) return null;
  const { trace, isLoading, chosen, error } = find;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') endFind(app);
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void stepPlace(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="find-bar" aria-label="Find: why is it gone?" data-testid="find-bar" onKeyDown={onKeyDown}>
      <div className="find-field" data-error={error !== null}>
        <Search size={13} aria-hidden />
        <input
          id={FIND_FIELD_ID}
          className="mono"
          aria-label="Text to find in the requests"
          placeholder="Paste a sentence, a path or a word"
          spellCheck={false}
          autoComplete="off"
          data-testid="find-input"
          value={find.text}
          onChange={(event) => setFindText(event.target.value)}
        />
        <IconButton
          label="Match case"
          testId="find-case"
          isPressed={find.matchCase}
          onClick={() => setFindOption({ matchCase: !find.matchCase })}
        >
          <CaseSensitive size={15} />
        </IconButton>
        <IconButton
          label="Whole word"
          testId="find-word"
          isPressed={find.wholeWord}
          onClick={() => setFindOption({ wholeWord: !find.wholeWord })}
        >
          <WholeWord size={15} />
        </IconButton>
      </div>
      <span className="find-count num mute" role="status" data-testid="find-count">
        {error !== null ? 'Failed' : describeCount(trace, isLoading, chosen)}
      </span>
      <IconButton label="Previous place" keys={printed('shift+enter', platform)} onClick={() => void stepPlace(-1)}>
        <ArrowUp size={14} />
      </IconButton>
      <IconButton label="Next place" keys={printed('enter', platform)} onClick={() => void stepPlace(1)}>
        <ArrowDown size={14} />
      </IconButton>
      {trace !== null && trace.totalPlaces > 0 && (
        <span className="find-now" data-state={trace.now.state} data-testid="find-now">
          <PresenceMark state={trace.now.state} />
          <span className="ellipsis">{NOW_WORDS[trace.now.state]}</span>
        </span>
      )}
      <span className="grow" />
      <WatchButton />
      <IconButton label="Close the find bar" keys="Esc" testId="find-close" onClick={() => endFind(app)}>
        <X size={14} />
      </IconButton>
    </search>
  );
}

/** Watches the text of the bar, as it is compared there. */
function WatchButton() {
  const find = useAppState((state) => state.find);
  const { watchText } = useActions();
  return (
    <button
      type="button"
      className="button find-watch"
      disabled={find.text.trim() === ''}
      title="A strip under the chart that says at each request whether it was there"
      data-testid="find-watch"
      onClick={() => void watchText(find.text, { matchCase: find.matchCase, wholeWord: find.wholeWord })}
    >
      <Pin size={13} aria-hidden /> Watch
    </button>
  );
}
