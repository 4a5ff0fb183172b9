import type { Command, CommandContext } from '../state/command.ts';
import { toProtocolError } from '../state/engine.ts';

export const wireCommands: readonly Command[] = [
  {
    id: 'wire',
    title: 'Request on the wire…',
    group: 'Transcript',
    keys: ['mod+shift+e'],
    inFields: true,
    also: 'export body json api anthropic openai responses gemini curl request',
    isEnabled: (state) => state.session.id !== null,
    run: ({ app }) => app.actions.openDialog({ kind: 'wire' }),
  },
  {
    id: 'acp',
    title: 'Copy the projection as an ACP session update',
    group: 'Transcript',
    also: 'export host agent client protocol transcript_projected harn json',
    isEnabled: (state) => state.session.id !== null && state.projection.info !== null,
    run: (context) => void copyAcp(context),
  },
];

/** What a host of the agent is sent of the projection on screen. */
async function copyAcp({ app }: CommandContext): Promise<void> {
  const { info } = app.store.getState().projection;
  if (info === null) return;
  try {
    const { text } = await app.engine.call('export.acp', { id: info.transcriptId, spec: info.spec, at: info.at });
    await navigator.clipboard.writeText(text);
    app.actions.toast({ tone: 'ok', text: 'ACP session update copied.' });
  } catch (thrown) {
    app.actions.toast({
      tone: 'error',
      text: 'The ACP session update was not copied.',
      detail: toProtocolError(thrown).message,
    });
  }
}
