import type { CommandContext } from '../state/command.ts';
import { toProtocolError } from '../state/engine.ts';

/** Asks for a file and opens the dialog that maps its fields. */
export async function mapAFile({ app, host }: CommandContext): Promise<void> {
  if (!host) {
    app.actions.toast({ tone: 'info', text: 'Sample data: there is no host to pick files from.' });
    return;
  }
  try {
    const [file] = await host.pickFiles();
    if (file) app.actions.mapFields(file);
  } catch (thrown) {
    app.actions.toast({ tone: 'error', text: 'The file could not be read.', detail: toProtocolError(thrown).message });
  }
}
