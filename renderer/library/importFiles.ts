import type { GivenFile } from '../../core/protocol/files.ts';
import type { HostBridge } from '../host/types.ts';
import type { App } from '../state/app.ts';
import { toProtocolError } from '../state/engine.ts';

interface Context {
  readonly app: App;
  readonly host: HostBridge | null;
}

/** Asks for files and imports them. */
export async function importFiles(context: Context): Promise<void> {
  const { app, host } = context;
  if (!host) {
    app.actions.toast({ tone: 'info', text: 'Sample data: there is no host to pick files from.' });
    return;
  }
  await importFrom(context, host.pickFiles());
}

/** Imports what a dialog or a drop gives; its failure is said in words. */
export async function importFrom({ app }: Context, files: Promise<readonly GivenFile[]>): Promise<void> {
  try {
    const inputs = await files;
    await app.actions.importPaths(inputs.map(({ handle }) => handle));
  } catch (thrown) {
    app.actions.toast({ tone: 'error', text: 'The files could not be read.', detail: toProtocolError(thrown).message });
  }
}
