import './filter.css';
import type { MouseEvent, ReactNode } from 'react';
import { valueFilter } from '../../core/filter/pieces.ts';
import { useApp, useAppState, useCommands } from '../state/context.tsx';
import { startFilter } from './startFilter.ts';

interface Props {
  readonly field: 'stage' | 'rule' | 'used';
  readonly value: string;
  /** What it is a filter of, in words in front of the offer. */
  readonly title?: string;
  readonly className?: string;
  /** In rows the list has the focus; the row's menu offers the same. */
  readonly isInRow?: boolean;
  readonly testId?: string;
  readonly children: ReactNode;
}

/** A value that a click adds to the filter. Where rows cannot be filtered, as on a page, it is only its words. */
export function FilterValue({ field, value, title, className = 'filter-value', isInRow, testId, children }: Props) {
  const app = useApp();
  const canFilter = useCommands().some(({ id }) => id === 'filter');
  const piece = valueFilter(field, value);
  const words = `Click: only rows with ${piece}`;
  if (!canFilter) return children;
  return (
    <button
      type="button"
      className={className}
      tabIndex={isInRow ? -1 : undefined}
      title={title === undefined ? words : `${title}\n${words}`}
      data-filter={piece}
      data-testid={testId}
      onClick={(event: MouseEvent) => {
        event.stopPropagation();
        startFilter(app, piece);
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {children}
    </button>
  );
}

/** A stage of the policy on screen, by its number; without one, or if it is not known here, only the words. */
export function StageValue({ stage, children }: { readonly stage: number | null; readonly children: ReactNode }) {
  const kind = useAppState(({ projection }) =>
    stage === null ? null : (projection.info?.spec.stages[stage]?.kind ?? null),
  );
  if (kind === null) return children;
  return (
    <FilterValue field="stage" value={kind}>
      {children}
    </FilterValue>
  );
}
