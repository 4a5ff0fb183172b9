// Rules and what they found, which outlive the screen of the mode Checks. The screen asks the engine itself.
import { type Core, patch } from './core.ts';
import type { ChecksOrder, ChecksState } from './types.ts';

export interface CheckActions {
  setChecks(change: Partial<ChecksState>): void;
  /** Shows the mode Checks, which does what is asked for. */
  orderChecks(what: ChecksOrder['what']): void;
}

export function checkActions(core: Core): CheckActions {
  const setChecks = (change: Partial<ChecksState>): void =>
    core.store.setState(({ checks }) => ({ checks: { ...checks, ...change } }));
  return {
    setChecks,
    orderChecks(what) {
      setChecks({ order: { seq: core.store.getState().checks.order.seq + 1, what } });
      patch(core, 'ui', { mode: 'checks', libraryWide: false });
    },
  };
}
