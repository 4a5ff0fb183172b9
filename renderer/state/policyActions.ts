// The policies that a person named. The library's settings keep them; a change is shown at once and written then.

import { type NamedSpec, sameStages } from '../../core/projection/policyName.ts';
import { allPresets, presetsFor } from '../../core/projection/presets.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { type Core, patch, toast } from './core.ts';
import { toProtocolError } from './engine.ts';
import type { ProjectionActions } from './projectionActions.ts';
import { readSaved, renamed, SAVED_KEY, type SavedPolicy, withoutPolicy, withPolicy } from './savedPolicies.ts';
import type { AppState } from './types.ts';

export interface PolicyActions {
  loadPolicies(): Promise<void>;
  /** Saves a policy under a name, in place of one of that name; it is the one in use from then on. */
  savePolicy(name: string, spec: ProjectionSpec): void;
  renamePolicy(from: string, to: string): void;
  removePolicy(name: string): void;
  /** Presets on what recorded compactions kept, or on the raw history. A preset in use goes along, as one step of undo. */
  setAfterRecorded(after: boolean): void;
}

export function policyActions(core: Core, { setSpec, setPolicy }: ProjectionActions): PolicyActions {
  const get = () => core.store.getState();
  // Without the list that is stored, a write would lose it.
  const write = (change: (saved: readonly SavedPolicy[]) => readonly SavedPolicy[]) => {
    const before = get().savedPolicies;
    if (before === null) return;
    const next = change(before);
    core.store.setState({ savedPolicies: next });
    core.engine.call('settings.set', { key: SAVED_KEY, value: next }).catch((thrown: unknown) => {
      // Only what is still as this left it: something may have been saved since.
      if (get().savedPolicies === next) core.store.setState({ savedPolicies: before });
      toast(core, { tone: 'error', text: 'The policy was not saved.', detail: toProtocolError(thrown).message });
    });
  };
  return {
    async loadPolicies() {
      try {
        const { values } = await core.engine.call('settings.get', {});
        // What was saved meanwhile is newer.
        if (get().savedPolicies === null) core.store.setState({ savedPolicies: readSaved(values[SAVED_KEY]) });
      } catch (thrown) {
        const detail = toProtocolError(thrown).message;
        toast(core, { tone: 'error', text: 'Saved policies could not be read.', detail });
      }
    },
    savePolicy(name, spec) {
      write((saved) => withPolicy(saved, name, spec));
      setSpec({ ...spec, name }, 'replace');
    },
    renamePolicy: (from, to) => write((saved) => renamed(saved, from, to)),
    removePolicy: (name) => write((saved) => withoutPolicy(saved, name)),
    setAfterRecorded(after) {
      const { ui, projection, describe } = get();
      if (ui.afterRecorded === after) return;
      patch(core, 'ui', { afterRecorded: after });
      const [from, to] = [!after, after].map((side) => presetsFor(describe?.presets ?? [], true, side));
      const at = from?.findIndex(({ spec }) => sameStages(spec, projection.spec)) ?? -1;
      const counterpart = to?.[at];
      if (counterpart && !sameStages(counterpart.spec, projection.spec)) setPolicy(counterpart.spec);
    },
  };
}

/** Every policy that has a name: those of the person first, then presets, plain and after recorded compaction. */
export function namedPolicies({ savedPolicies, describe }: Pick<AppState, 'savedPolicies' | 'describe'>) {
  const saved: readonly NamedSpec[] = (savedPolicies ?? []).map((one) => ({ ...one, title: one.name }));
  return { saved, all: [...saved, ...allPresets(describe?.presets ?? [])] };
}
