import type { App } from '../state/app.ts';
import { openField } from '../ui/openField.ts';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';

export const FILTER_FIELD_ID = 'filter-field';

/** Opens the filter field, which has the focus then; with a piece, which has to hold too. */
export function startFilter({ actions }: Pick<App, 'actions'>, piece?: string): void {
  openField(() => actions.openFilter(piece), FILTER_FIELD_ID);
}

/** Closes it: all rows are shown, and the list has the focus. */
export function endFilter({ actions }: Pick<App, 'actions'>): void {
  actions.closeFilter();
  document.getElementById(TIMELINE_ID)?.focus();
}
