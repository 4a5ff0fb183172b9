import { createStore, useStore } from 'zustand';

// Outlives the tab, so that a look at another tab does not lose the search.
const store = createStore<{ readonly text: string }>(() => ({ text: '' }));

export function useTraceText(): string {
  return useStore(store, (state) => state.text);
}

/** Sets the text to trace, from the field or from anywhere else. */
export function setTraceText(text: string): void {
  store.setState({ text });
}
