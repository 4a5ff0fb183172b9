import { type KeyboardEvent, useMemo, useState } from 'react';
import type { Completion } from '../../core/filter/completeIn.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { Offers } from '../ui/Offers.tsx';
import { clockNow } from './clockNow.ts';
import { type FilterLanguage, useFilterLanguage } from './useFilterLanguage.ts';
import { useFilterOffers } from './useFilterOffers.ts';

/** The field that narrows the list while one types: words, and fields with their values, as in search and rows. */
export function FilterField({ id = 'library-filter' }: { readonly id?: string }) {
  const filter = useAppState((state) => state.library.filter);
  const { setFilter } = useActions();
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState(-1);
  const language = useFilterLanguage(caret !== null || filter !== '');
  const offered = useFilterOffers(language, filter, caret);
  const take = ({ text, from, to }: Completion): void => {
    const isWhole = !/[:>]$/.test(text);
    setFilter(`${filter.slice(0, from)}${text}${isWhole && to >= filter.length ? ' ' : ''}${filter.slice(to)}`);
    setChosen(-1);
    setCaret(isWhole ? null : from + text.length);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (offered.length === 0) return;
    const one = offered[chosen] ?? (event.key === 'Tab' ? offered[0] : undefined);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    // Among values arrows choose; where only a field's name is offered they stay with the list.
    if (step !== 0 && isTypingValue(filter, caret)) {
      setChosen((chosen + step + offered.length + (chosen < 0 && step < 0 ? 1 : 0)) % offered.length);
    } else if ((event.key === 'Tab' || event.key === 'Enter') && one !== undefined) take(one);
    else if (event.key === 'Escape') setCaret(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="library-filter">
      <input
        id={id}
        type="search"
        role="combobox"
        data-escape={offered.length > 0 ? 'own' : undefined}
        placeholder="Filter transcripts"
        aria-label="Filter transcripts by words or fields, for example project:name finding:cache_lost"
        aria-controls={offered.length > 0 ? `${id}-offers` : 'library-list'}
        aria-expanded={offered.length > 0}
        aria-autocomplete="list"
        aria-activedescendant={chosen >= 0 ? `${id}-offer-${chosen}` : undefined}
        title="Words of title, project, file, #tag or note; or fields: project:name model:opus finding:any tokens>100k after:7d"
        spellCheck={false}
        autoComplete="off"
        value={filter}
        onKeyDown={onKeyDown}
        onBlur={() => setCaret(null)}
        onChange={({ target }) => {
          setFilter(target.value);
          setCaret(target.selectionStart ?? target.value.length);
          setChosen(-1);
        }}
      />
      <kbd>/</kbd>
      {offered.length > 0 && (
        <Offers
          id={id}
          className="library-offers"
          testId="library-offers"
          offered={offered}
          chosen={chosen}
          onTake={take}
        />
      )}
      {language !== null && offered.length === 0 && <FilterProblem language={language} />}
    </div>
  );
}

function isTypingValue(filter: string, caret: number | null): boolean {
  return /[a-z]+[:=][^\s]*$/i.test(filter.slice(0, caret ?? 0));
}

/** What is wrong with the filter, with what was probably meant. The list is whole then. */
function FilterProblem({ language }: { readonly language: FilterLanguage }) {
  const filter = useAppState((state) => state.library.filter);
  const { setFilter } = useActions();
  const problem = useMemo(() => language.parseLibraryFilter(filter, clockNow()).problems[0], [filter, language]);
  if (problem === undefined) return null;
  const { text, instead, from, to } = problem;
  return (
    <p className="library-problem" role="status" data-testid="library-filter-problem">
      {text}{' '}
      {instead !== undefined && (
        <button
          type="button"
          className="link"
          onClick={() => setFilter(filter.slice(0, from) + instead + filter.slice(to))}
        >
          {instead}
        </button>
      )}
    </p>
  );
}
