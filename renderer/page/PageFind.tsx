import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { TextHit } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';
import { PAGE_FIND_ID } from './findField.ts';
import { describeHits } from './words.ts';

/** Places that can be stepped through. */
const MOST = 5_000;
const WAIT_MS = 150;

interface Found {
  readonly hits: readonly TextHit[];
  readonly total: number;
}

/** Finds a text in the messages as they were recorded, and leads from one place to the next. */
export function PageFind() {
  const app = useApp();
  const [text, setText] = useState('');
  const [shown, setShown] = useState<number | null>(null);
  const found = useHits(text);
  const change = (next: string) => {
    setText(next);
    setShown(null);
    // Rows and texts mark what is looked for.
    app.store.setState(({ find }) => ({ find: { ...find, isOpen: next.trim() !== '', text: next } }));
  };
  const step = (by: 1 | -1) => {
    const count = found?.hits.length ?? 0;
    if (count === 0) return;
    const next = shown === null ? (by === 1 ? 0 : count - 1) : (shown + by + count) % count;
    setShown(next);
    const hit = found?.hits[next];
    if (hit) void app.actions.goToMessage(hit.index, hit.part);
  };
  const end = () => {
    change('');
    document.getElementById(TIMELINE_ID)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') end();
    else return;
    event.preventDefault();
  };
  return (
    <search className="page-find" aria-label="Find in this page">
      <div className="page-find-field">
        <Search size={13} aria-hidden />
        <input
          id={PAGE_FIND_ID}
          aria-label="Find in this page"
          placeholder="Find in this page"
          spellCheck={false}
          autoComplete="off"
          value={text}
          data-testid="page-find"
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {text === '' && <kbd>/</kbd>}
      </div>
      {text.trim() !== '' && (
        <>
          <span className="num mute nowrap" role="status" data-testid="page-found">
            {found ? describeHits(found.total, shown) : 'Searching…'}
          </span>
          <IconButton label="Previous place" keys="Shift+Enter" onClick={() => step(-1)}>
            <ChevronUp size={14} />
          </IconButton>
          <IconButton label="Next place" keys="Enter" onClick={() => step(1)}>
            <ChevronDown size={14} />
          </IconButton>
          <IconButton label="End the search" keys="Esc" onClick={end}>
            <X size={14} />
          </IconButton>
        </>
      )}
    </search>
  );
}

/** The places of a text; null while it is looked for. */
function useHits(text: string): Found | null {
  const { engine } = useApp();
  const projectionId = useAppState((state) => state.projection.info?.projectionId ?? null);
  const [found, setFound] = useState<{ readonly of: string; readonly answer: Found } | null>(null);
  useEffect(() => {
    if (projectionId === null || text.trim() === '') return;
    let isWanted = true;
    const timer = setTimeout(() => {
      engine.call('search.text', { projectionId, text, limit: MOST }).then(
        (answer) => isWanted && setFound({ of: text, answer }),
        () => isWanted && setFound({ of: text, answer: { hits: [], total: 0 } }),
      );
    }, WAIT_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [engine, projectionId, text]);
  return found?.of === text ? found.answer : null;
}
