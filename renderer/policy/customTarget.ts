import { createStore, useStore } from 'zustand';

interface CustomTarget {
  /** Position in the spec of the stage whose code the editor shows, and the option that holds it. */
  readonly stage: number;
  readonly option: string;
}

/** Which code the custom editor is for; null = the first stage that has code. */
const target = createStore<{ readonly target: CustomTarget | null }>(() => ({ target: null }));

export function setCustomTarget(next: CustomTarget | null): void {
  target.setState({ target: next });
}

export function useCustomTarget(): CustomTarget | null {
  return useStore(target, (state) => state.target);
}
