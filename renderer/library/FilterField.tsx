import { useActions, useAppState } from '../state/context.tsx';

/** The field that narrows the list while one types. */
export function FilterField() {
  const filter = useAppState((state) => state.library.filter);
  const { setFilter } = useActions();
  return (
    <div className="library-filter">
      <input
        id="library-filter"
        type="search"
        placeholder="Filter transcripts"
        aria-label="Filter transcripts by title, project, tool, model, file, #tag or note"
        aria-controls="library-list"
        title="By title, project, tool, model, file, #tag or note; or one of them: project:name, model:name, tag:name"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
      />
      <kbd>/</kbd>
    </div>
  );
}
