import './filter.css';
import { ListFilter, LoaderCircle, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { type Completion, completeFilter } from '../../core/filter/complete.ts';
import type { FilterInfo } from '../../core/protocol/types.ts';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Offers } from '../ui/Offers.tsx';
import { ColorChips } from './ColorChips.tsx';
import { endFilter, FILTER_FIELD_ID } from './startFilter.ts';
import { useFieldCounts } from './useFieldCounts.ts';

/** The filter of rows: the field with what may be typed next, how many rows fit, and the named colours. */
export function FilterField() {
  const app = useApp();
  const { text, others } = useAppState((state) => state.filter);
  const info = useAppState((state) => state.projection.info?.filter ?? null);
  const { setFilterText, setFilterOthers } = useActions();
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState(-1);
  const counts = useFieldCounts(text, caret);
  const offered = caret === null ? [] : completeFilter(text, caret, counts);
  const take = ({ text: piece, from, to }: Completion) => {
    const isWhole = !/[:>]$/.test(piece);
    const next = `${text.slice(0, from)}${piece}${isWhole && to >= text.length ? ' ' : ''}${text.slice(to)}`;
    setFilterText(next);
    setChosen(-1);
    setCaret(isWhole ? null : from + piece.length);
    document.getElementById(FILTER_FIELD_ID)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const one = offered[chosen];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const by = event.key === 'ArrowDown' ? 1 : -1;
      if (offered.length === 0) setCaret(text.length);
      else setChosen((chosen + by + offered.length + (chosen < 0 && by < 0 ? 1 : 0)) % offered.length);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && one !== undefined) take(one);
    else if (event.key === 'Escape' && caret !== null && offered.length > 0) setCaret(null);
    else if (event.key === 'Escape') endFilter(app);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="filter-bar" aria-label="Filter of rows" data-testid="filter-bar">
      <div className="filter-field" data-error={info?.rows?.problems.some(({ severity }) => severity === 'error')}>
        <ListFilter size={13} aria-hidden />
        <input
          id={FILTER_FIELD_ID}
          className="mono"
          role="combobox"
          aria-label="Filter rows"
          aria-expanded={offered.length > 0}
          aria-controls="filter-offers"
          aria-autocomplete="list"
          aria-activedescendant={chosen >= 0 ? `filter-offer-${chosen}` : undefined}
          placeholder="outcome:dropped used:later tokens>2000"
          spellCheck={false}
          autoComplete="off"
          data-testid="filter-input"
          value={text}
          onKeyDown={onKeyDown}
          onBlur={() => setCaret(null)}
          onChange={({ target }) => {
            setFilterText(target.value);
            setCaret(target.selectionStart ?? target.value.length);
            setChosen(-1);
          }}
        />
        {offered.length > 0 && (
          <Offers
            id="filter"
            className="filter-offers"
            testId="filter-offers"
            offered={offered}
            chosen={chosen}
            onTake={take}
          />
        )}
      </div>
      <FilterState text={text} info={info} isTyping={offered.length > 0} />
      <span className="grow" />
      <ColorChips />
      <button
        type="button"
        className="filter-others"
        aria-pressed={others === 'hide'}
        title="What becomes of rows that do not fit"
        onClick={() => setFilterOthers(others === 'hide' ? 'fold' : 'hide')}
        data-testid="filter-others"
      >
        {others === 'hide' ? 'Others hidden' : 'Others folded'}
      </button>
      <IconButton label="Close the filter" keys="Esc" testId="filter-close" onClick={() => endFilter(app)}>
        <X size={14} />
      </IconButton>
    </search>
  );
}

interface StateProps {
  readonly text: string;
  readonly info: FilterInfo | null;
  /** Something is offered: what is not finished yet is not said to be wrong. */
  readonly isTyping: boolean;
}

/** How many rows fit; or what is wrong with the filter, with what was probably meant. */
function FilterState({ text, info, isTyping }: StateProps) {
  const { setFilterText } = useActions();
  if (text.trim() === '' || info?.rows == null) return null;
  const { rows, isPending } = info;
  const [problem] = rows.problems;
  if (problem !== undefined && isTyping) return null;
  if (problem !== undefined) {
    const { instead, from, to, severity } = problem;
    return (
      <span className="filter-problem" role="status" data-severity={severity} data-testid="filter-problem">
        <span className="ellipsis" title={problem.text}>
          {problem.text}
        </span>
        {instead !== undefined && (
          <button
            type="button"
            className="link"
            onClick={() => setFilterText(text.slice(0, from) + instead + text.slice(to))}
          >
            {instead}
          </button>
        )}
      </span>
    );
  }
  const isLooking = rows.isStale === true || (rows.matched === null && isPending);
  return (
    <span className="filter-count num mute" role="status" data-testid="filter-count">
      {isLooking && (
        <>
          <LoaderCircle size={12} className="spin" aria-hidden />{' '}
        </>
      )}
      {rows.matched === null
        ? isLooking && 'Searching; all rows are shown until it is done'
        : `${rows.matched.toLocaleString('en')} of ${plural(rows.of, 'row')}`}
      {rows.isStale === true && ', by the uses under the policy before'}
    </span>
  );
}
