import { useEffect, useState } from 'react';

type Module = typeof import('./monaco.ts');
export type Monaco = Module['monaco'];

let loading: Promise<Module> | null = null;

/** Loads the editor once. A failed load is tried again the next time. */
export function loadMonaco(): Promise<Module> {
  loading ??= import('./monaco.ts');
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

export interface MonacoState {
  readonly monaco: Monaco | null;
  readonly error: string | null;
}

/** The editor's library, null while it is on its way. */
export function useMonaco(): MonacoState {
  const [state, setState] = useState<MonacoState>({ monaco: null, error: null });
  useEffect(() => {
    let isWanted = true;
    loadMonaco().then(
      ({ monaco }) => isWanted && setState({ monaco, error: null }),
      (thrown: unknown) =>
        isWanted && setState({ monaco: null, error: thrown instanceof Error ? thrown.message : String(thrown) }),
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return state;
}
