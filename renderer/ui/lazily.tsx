import { type ComponentType, type FunctionComponent, useEffect, useState } from 'react';

const loads = new Set<() => Promise<void>>();

/**
 * A component whose code is loaded when it is first drawn, or before by `loadAhead`. Loaded, it is drawn at once, where
 * React.lazy would show its fallback once more; a failed load is thrown to the boundary around, and tried again by its
 * "Try again", where React.lazy would remember the failure. `Before` is drawn until then.
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Before?: ComponentType<Props>,
): FunctionComponent<Props> {
  let loaded: ComponentType<Props> | null = null;
  const ask = async () => {
    loaded ??= await load();
  };
  loads.add(ask);
  return function Lazily(props: Props) {
    const [, draw] = useState(0);
    const [failure, setFailure] = useState<{ readonly thrown: unknown } | null>(null);
    useEffect(() => {
      if (loaded !== null) return;
      let isWanted = true;
      ask().then(
        () => isWanted && draw(1),
        (thrown: unknown) => isWanted && setFailure({ thrown }),
      );
      return () => {
        isWanted = false;
      };
    }, []);
    if (failure !== null) throw failure.thrown;
    const Loaded = loaded;
    if (Loaded !== null) return <Loaded {...props} />;
    return Before === undefined ? null : <Before {...props} />;
  };
}

/** Loads everything that waits, one after the other; what fails is asked for again when it is drawn, or the next time. */
export async function loadAhead(): Promise<void> {
  for (const ask of [...loads]) {
    await ask().then(
      () => loads.delete(ask),
      () => undefined,
    );
  }
}
