import { ListFilter } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { FacetCounts } from '../../core/library/filter.ts';
import { NO_FACETS, VALUE_FACETS } from '../../core/library/query.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { FacetLists } from './FacetLists.tsx';

/** Narrows the list by tool, project, model, tag, and what transcripts have; says by how many of these. */
export function FacetButton({ counts }: { readonly counts: FacetCounts }) {
  const facets = useAppState((state) => state.library.facets);
  const { setFacets } = useActions();
  const chosen = facets.flags.length + VALUE_FACETS.reduce((sum, facet) => sum + facets.values[facet].length, 0);
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          className={`icon-button facet-button${chosen > 0 ? ' facet-button-on' : ''}`}
          aria-label={chosen > 0 ? `Filters: ${chosen} chosen` : 'Filters'}
          title="Filter by tool, project, model, tag, errors…"
          data-testid="facets"
        >
          <ListFilter size={14} aria-hidden />
          {chosen > 0 && <span className="num">{chosen}</span>}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover facets"
          aria-label="Filters"
          align="start"
          sideOffset={4}
          collisionPadding={8}
        >
          <FacetLists counts={counts} />
          <div className="facets-foot">
            <button
              type="button"
              className="button"
              disabled={chosen === 0}
              onClick={() => setFacets(NO_FACETS)}
              data-testid="facets-clear"
            >
              Show all
            </button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
