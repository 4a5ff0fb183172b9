import { Search } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { matches } from '../keys/keys.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';
import { useCombobox } from '../ui/useCombobox.ts';
import { complete, completionAt, furtherFilters, type Suggestion } from './suggest.ts';
import { useSuggestions } from './useSuggestions.ts';

interface FieldProps {
  readonly onOpen: (number: number) => void;
  /** Opens a hit, and asks what became of its words. */
  readonly onWhy: (number: number) => void;
}

/** The query, and below it what could be written next: filters, and their values in this library. Tab takes the first. */
export function SearchField({ onOpen, onWhy }: FieldProps) {
  const platform = usePlatform();
  const { setSearchQuery, selectHit } = useActions();
  const query = useAppState((state) => state.search.query);
  const selected = useAppState((state) => state.search.selected);
  // Hits of the query before stay on screen until there are others, but Enter is not for them.
  const count = useAppState(({ search }) => (search.result === null ? 0 : search.hits.length));
  const hasError = useAppState(
    (state) => state.search.result?.problems.some((one) => one.severity === 'error') ?? false,
  );
  const input = useRef<HTMLInputElement>(null);
  const [caret, setCaret] = useState(query.length);
  const completion = completionAt(query, caret);
  const fitting = useSuggestions(completion);
  const further = fitting.length === 0 ? furtherFilters(query, caret) : null;
  const suggestions = further?.found ?? fitting;

  // With nothing typed yet, Tab continues to the next control.
  const isBegun = completion !== null && (completion.typed !== '' || completion.filter !== null);
  const first = isBegun ? fitting[0] : undefined;

  const take = (suggestion: Suggestion) => {
    const completed = further?.completion ?? completion;
    if (completed === null) return;
    const done = complete(query, completed, suggestion.text);
    // Drawn at once: what is typed next must not meet a caret that is still to be moved.
    flushSync(() => {
      setSearchQuery(done.query);
      setCaret(done.caret);
    });
    input.current?.focus();
    input.current?.setSelectionRange(done.caret, done.caret);
  };

  // The list is that of the hits, which SearchResults draws.
  const combobox = useCombobox({
    list: 'shown',
    isOpen: count > 0,
    count,
    active: count > 0 ? selected : null,
    alwaysActive: true,
    clears: false,
    text: query,
    listId: 'search-results',
    optionId: (at) => `search-hit-${at}`,
    onMove: (to) => to !== null && selectHit(to),
    onTake: onOpen,
  });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (matches('mod+f', event, platform) && count > 0) onWhy(selected);
    else if (event.key === 'Tab' && !event.shiftKey && first !== undefined) take(first);
    else return combobox.onKeyDown?.(event);
    event.preventDefault();
  };

  return (
    <div className="search-head">
      <div className="search-field">
        <Search size={15} aria-hidden />
        <input
          ref={input}
          type="search"
          {...combobox}
          aria-invalid={hasError}
          aria-label="Search all transcripts"
          placeholder='Words, "a phrase", begin*, -without, role:user, after:7d'
          data-testid="search-input"
          value={query}
          onChange={(event) => {
            setSearchQuery(event.target.value);
            setCaret(event.target.selectionStart ?? event.target.value.length);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? query.length)}
          onKeyDown={onKeyDown}
        />
      </div>
      <Suggestions suggestions={suggestions} hasTab={first !== undefined} onTake={take} />
    </div>
  );
}

function Suggestions({
  suggestions,
  hasTab,
  onTake,
}: {
  readonly suggestions: readonly Suggestion[];
  /** Tab takes the first. */
  readonly hasTab: boolean;
  readonly onTake: (suggestion: Suggestion) => void;
}) {
  return (
    <div className="search-suggestions" data-testid="search-suggestions">
      {suggestions.map((one, number) => (
        <button
          key={one.text}
          type="button"
          className="search-suggestion"
          title={one.help}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(one)}
        >
          <span className="ellipsis">{one.label}</span>
          {number === 0 && hasTab && <kbd>Tab</kbd>}
        </button>
      ))}
    </div>
  );
}
