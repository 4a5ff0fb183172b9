import { useState } from 'react';
import type { FacetCounts, FacetValue } from '../../core/library/filter.ts';
import { FLAG_FACETS, toggleFlag, toggleValue, VALUE_FACETS, type ValueFacet } from '../../core/library/query.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { Seen } from '../ui/Seen.tsx';
import { groupName } from './groups.ts';
import { TagDot } from './TagDot.tsx';
import { FACET_WORDS, FLAG_WORDS, findingFacet } from './words.ts';

const SHOWN = 8;

/** All facets with their counts, as boxes to tick. */
export function FacetLists({ counts }: { readonly counts: FacetCounts }) {
  const facets = useAppState((state) => state.library.facets);
  const { setFacets } = useActions();
  return (
    <div className="facets-lists">
      <fieldset>
        <legend>Has</legend>
        {FLAG_FACETS.map((flag) => (
          <FacetLine
            key={flag}
            name={FLAG_WORDS[flag]}
            count={counts.flags[flag]}
            chosen={facets.flags.includes(flag)}
            onChange={() => setFacets(toggleFlag(facets, flag))}
          />
        ))}
      </fieldset>
      {VALUE_FACETS.map((facet) => (
        <ValueList
          key={facet}
          facet={facet}
          values={counts.values[facet]}
          onToggle={(value) => setFacets(toggleValue(facets, facet, value))}
        />
      ))}
    </div>
  );
}

interface ListProps {
  readonly facet: ValueFacet;
  readonly values: readonly FacetValue[];
  readonly onToggle: (value: string) => void;
}

function ValueList({ facet, values, onToggle }: ListProps) {
  const [isWhole, setWhole] = useState(false);
  const tags = useAppState((state) => state.library.tags);
  if (values.length === 0) return null;
  const shown = isWhole ? values : values.filter(({ chosen }, at) => at < SHOWN || chosen);
  return (
    <fieldset>
      <legend>{FACET_WORDS[facet]}</legend>
      {shown.map(({ value, count, chosen }) => (
        <FacetLine
          key={value}
          name={facetName(facet, value)}
          title={value}
          color={facet === 'tag' ? (tags.find((one) => one.name === value)?.color ?? 0) : null}
          count={count}
          chosen={chosen}
          onChange={() => onToggle(value)}
        />
      ))}
      {shown.length < values.length && (
        <button type="button" className="facet-more" onClick={() => setWhole(true)}>
          {values.length - shown.length} more…
        </button>
      )}
    </fieldset>
  );
}

function facetName(facet: ValueFacet, value: string): string {
  if (facet === 'tag') return value;
  return facet === 'finding' ? findingFacet(value) : groupName(value, facet);
}

interface LineProps {
  readonly name: string;
  readonly title?: string;
  readonly color?: number | null;
  readonly count: number;
  readonly chosen: boolean;
  readonly onChange: () => void;
}

function FacetLine({ name, title = name, color = null, count, chosen, onChange }: LineProps) {
  return (
    <label className={`facet-line${count === 0 && !chosen ? ' facet-line-none' : ''}`} title={title}>
      <input type="checkbox" checked={chosen} onChange={onChange} data-facet={name} />
      {color !== null && <TagDot color={color} />}
      <span className="ellipsis grow">
        <Seen text={name} />
      </span>
      <span className="num faint">{count}</span>
    </label>
  );
}
