import { useEffect, useState } from 'react';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { readSaved, renamed, SAVED_KEY, type SavedPolicy, withoutPolicy, withPolicy } from './savedPolicies.ts';

export interface Policies {
  /** null = not loaded. */
  readonly saved: readonly SavedPolicy[] | null;
  save(name: string, spec: ProjectionSpec): void;
  rename(from: string, to: string): void;
  remove(name: string): void;
}

/** The named policies of the library; changes are shown at once and written to the settings. */
export function usePolicies(): Policies {
  const { engine, actions } = useApp();
  const [saved, setSaved] = useState<readonly SavedPolicy[] | null>(null);
  useEffect(() => {
    let isWanted = true;
    engine.call('settings.get', {}).then(
      ({ values }) => isWanted && setSaved(readSaved(values[SAVED_KEY])),
      (thrown: unknown) =>
        actions.toast({
          tone: 'error',
          text: 'Saved policies could not be read.',
          detail: toProtocolError(thrown).message,
        }),
    );
    return () => {
      isWanted = false;
    };
  }, [engine, actions]);

  // Without the list that is stored, a write would lose it.
  const write = (next: readonly SavedPolicy[]) => {
    if (saved === null) return;
    setSaved(next);
    engine.call('settings.set', { key: SAVED_KEY, value: next }).catch((thrown: unknown) => {
      // Only what is still as this left it: something may have been saved since.
      setSaved((now) => (now === next ? saved : now));
      actions.toast({ tone: 'error', text: 'The policy was not saved.', detail: toProtocolError(thrown).message });
    });
  };
  return {
    saved,
    save(name, spec) {
      write(withPolicy(saved ?? [], name, spec));
      actions.setSpec({ ...spec, name }, 'replace');
    },
    rename: (from, to) => write(renamed(saved ?? [], from, to)),
    remove: (name) => write(withoutPolicy(saved ?? [], name)),
  };
}
