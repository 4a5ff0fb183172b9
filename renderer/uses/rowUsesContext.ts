import { createContext } from 'react';
import type { UsedRow } from '../../core/protocol/types.ts';

/** What uses say of the rows in sight. `state`: rows that are not in `rows` have no use only if it is `known`; `absent` = a page has none. */
export interface RowsUsed {
  /** By `index.part`; null = nothing is known. */
  readonly rows: ReadonlyMap<string, UsedRow> | null;
  readonly state: 'known' | 'pending' | 'failed' | 'absent';
  readonly error: string | null;
}

export const RowUsesContext = createContext<RowsUsed>({ rows: null, state: 'pending', error: null });
