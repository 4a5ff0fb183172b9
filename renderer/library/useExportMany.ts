import { useState } from 'react';
import { askedSpec } from '../state/askedSpec.ts';
import { useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { plural } from '../ui/format.ts';

/** Writes a bundle of each transcript, as the policy that is shown projects it, into the library's export folder. */
export function useExportMany() {
  const { engine, store, actions } = useApp();
  const [isBusy, setBusy] = useState(false);
  const exportAll = async (ids: readonly string[]) => {
    setBusy(true);
    const spec = askedSpec(store.getState());
    const failed: string[] = [];
    let folder = '';
    for (const id of ids) {
      try {
        const { path } = await engine.call('export.write', { id, spec, at: null, path: null });
        folder = path.replace(/[\\/][^\\/]*$/, '');
      } catch (thrown) {
        failed.push(toProtocolError(thrown).message);
      }
    }
    setBusy(false);
    const done = ids.length - failed.length;
    if (done > 0) actions.toast({ tone: 'ok', text: `Exported ${plural(done, 'bundle')}`, detail: folder });
    if (failed.length > 0) {
      const detail = failed[0];
      const text = `${plural(failed.length, 'transcript')} could not be exported`;
      actions.toast({ tone: 'error', text, ...(detail === undefined ? {} : { detail }) });
    }
  };
  return { exportAll, isBusy };
}
