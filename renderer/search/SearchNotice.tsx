import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { FILTERS } from '../../core/search/filters.ts';
import type { QueryProblem } from '../../core/search/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { describeCoverage, isBegun } from './words.ts';

/** What is to be said next to the hits: what is wrong with the query, what is not searchable yet, what to try. */
export function SearchNotice() {
  const { query, result, error, isLoading, hits } = useAppState((state) => state.search);
  if (query.trim() === '') return <SearchHelp />;
  if (error !== null) {
    return (
      <p className="search-note search-error" role="alert">
        <CircleAlert size={14} aria-hidden /> The search failed: {error.message}
      </p>
    );
  }
  if (result === null) return null;
  const coverage = describeCoverage(result.coverage);
  const failed = result.problems.some((one) => one.severity === 'error');
  return (
    <>
      {result.problems.map((problem) =>
        isBegun(query, problem) ? (
          <p key={problem.text} className="search-note mute" role="status" data-testid="search-hint">
            <Info size={14} aria-hidden /> {problem.text}
          </p>
        ) : (
          <Problem key={`${problem.from} ${problem.text}`} query={query} problem={problem} />
        ),
      )}
      {coverage !== null && (
        <p className="search-note mute" role="status" data-testid="search-coverage">
          {coverage}
        </p>
      )}
      {!isLoading && !failed && hits.length === 0 && <NothingFound />}
    </>
  );
}

function Problem({ query, problem }: { readonly query: string; readonly problem: QueryProblem }) {
  const isError = problem.severity === 'error';
  return (
    <p
      className={`search-note ${isError ? 'search-error' : 'search-warning'}`}
      role={isError ? 'alert' : 'status'}
      data-testid="search-problem"
    >
      <TriangleAlert size={14} aria-hidden />
      <span>
        {problem.text} <Place query={query} from={problem.from} to={problem.to} />
      </span>
    </p>
  );
}

/** The part of the query a problem is about. */
function Place({ query, from, to }: { readonly query: string; readonly from: number; readonly to: number }) {
  if (to <= from || (from === 0 && to >= query.length)) return null;
  return (
    <code className="search-place">
      {from > 0 && '…'}
      <u>{query.slice(from, to)}</u>
      {to < query.length && '…'}
    </code>
  );
}

function NothingFound() {
  const query = useAppState((state) => state.search.query);
  const { setSearchQuery } = useActions();
  const words = query.split(/\s+/).filter((word) => /^[\p{L}\p{N}_.-]{3,}$/u.test(word));
  const either = words.length > 1 ? words.join(' OR ') : null;
  const begin = words.length === 1 && !query.includes('*') ? `${query.trim()}*` : null;
  const wider = either ?? begin;
  return (
    <div className="search-empty" data-testid="search-empty">
      <p>No message fits this query.</p>
      <ul className="mute">
        {wider !== null && (
          <li>
            Try{' '}
            <button type="button" className="link" onClick={() => setSearchQuery(wider)}>
              {wider}
            </button>
          </li>
        )}
        <li>Whole words only; use cach* for prefixes.</li>
        <li>All words must be in one message; use OR for alternatives.</li>
        <li>Images and encrypted reasoning have no text to search.</li>
      </ul>
    </div>
  );
}

function SearchHelp() {
  return (
    <div className="search-empty" data-testid="search-help">
      <dl className="search-help">
        <dt>cache miss</dt>
        <dd>both words in one message</dd>
        <dt>"cache miss"</dt>
        <dd>side by side; src/cache.ts:42 is such a phrase too</dd>
        <dt>cach*</dt>
        <dd>words that begin so</dd>
        <dt>cache -miss</dt>
        <dd>without a word</dd>
        <dt>cache OR store</dt>
        <dd>either of them</dd>
        {FILTERS.map(({ name, example, help }) => (
          <HelpLine key={name} example={example} help={help} />
        ))}
      </dl>
    </div>
  );
}

function HelpLine({ example, help }: { readonly example: string; readonly help: string }) {
  return (
    <>
      <dt>{example}</dt>
      <dd>{help}</dd>
    </>
  );
}
