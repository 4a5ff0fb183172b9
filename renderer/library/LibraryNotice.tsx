import { NO_FACETS } from '../../core/library/query.ts';
import { useActions, useAppState } from '../state/context.tsx';

/** Why the list is empty: not read yet, could not be read, nothing imported, nothing found. */
export function LibraryNotice({ isFilteredEmpty }: { readonly isFilteredEmpty: boolean }) {
  const { transcripts, error, filter } = useAppState((state) => state.library);
  const { refresh, setFilter, setFacets } = useActions();
  if (error) {
    return (
      <div className="library-notice library-notice-error" role="alert">
        The library could not be read: {error.message}
        <button type="button" className="button" onClick={() => void refresh()}>
          Try again
        </button>
      </div>
    );
  }
  if (transcripts === null) return <p className="library-notice">Reading the library…</p>;
  if (transcripts.length === 0)
    return <p className="library-notice">No transcripts yet. Drop files anywhere in this window.</p>;
  if (isFilteredEmpty) {
    return (
      <div className="library-notice">
        {filter.trim() === '' ? 'No transcript matches these filters.' : `Nothing matches “${filter}”.`}
        <button
          type="button"
          className="button"
          onClick={() => {
            setFilter('');
            setFacets(NO_FACETS);
          }}
        >
          Show all
        </button>
      </div>
    );
  }
  return null;
}
