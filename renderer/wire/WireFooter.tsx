import { Copy, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { exportName } from '../../core/protocol/exportName.ts';
import { useActions, useApp, useAppState, useHost } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { formatBytes } from '../ui/format.ts';
import { CopyAs } from './CopyAs.tsx';
import type { WireState } from './useWire.ts';
import { curlLine } from './wireText.ts';

/** Copy, the command line that sends it, save. The whole request, not what is shown of it. */
export function WireFooter({ wire, onClose }: { readonly wire: WireState; readonly onClose: () => void }) {
  const { params, info } = wire;
  const { engine } = useApp();
  const host = useHost();
  const { toast } = useActions();
  const title = useAppState((state) => state.session.info?.title ?? '');
  const at = useAppState((state) => state.projection.info?.at ?? 0);
  const [saved, setSaved] = useState<{ readonly place: string; readonly bytes: number } | null>(null);
  const name = exportName(title, at, params?.target ?? 'anthropic');
  const failed = (thrown: unknown) => toast({ tone: 'error', text: toProtocolError(thrown).message });
  const copied = (text: string, what: string, detail?: string) =>
    navigator.clipboard.writeText(text).then(
      () => toast({ tone: 'info', text: `${what} copied.`, ...(detail === undefined ? {} : { detail }) }),
      () => toast({ tone: 'error', text: 'The clipboard is not available.' }),
    );
  const copy = () => {
    if (params) engine.call('wire.text', params).then(({ text }) => copied(text.trimEnd(), 'The request'), failed);
  };
  const save = async () => {
    if (!params) return;
    let bytes = 0;
    const make = async (path: string | null) => {
      const written = await engine.call('wire.write', { ...params, path });
      bytes = written.bytes;
      return written;
    };
    try {
      const place = host ? await host.saveExport(make, name) : (await make(null)).path;
      if (place !== null) setSaved({ place, bytes });
    } catch (thrown) {
      failed(thrown);
    }
  };
  const copyCommand = () => {
    const first = saved === null ? `It sends ${name}: save the request first.` : undefined;
    if (info) void copied(curlLine(info, saved?.place ?? name), 'The command', first);
  };
  const isReady = info !== null && !wire.isLoading;
  return (
    <>
      <span className="grow ellipsis mute" role="status" data-testid="wire-saved" title={saved?.place}>
        {saved && `Written, ${formatBytes(saved.bytes)}: ${saved.place}`}
      </span>
      <button
        type="button"
        className="button wire-action"
        disabled={!isReady}
        title="A command that sends the saved file; the key is taken from the environment"
        data-testid="wire-curl"
        onClick={copyCommand}
      >
        <SquareTerminal size={13} aria-hidden /> Copy as curl
      </button>
      <CopyAs params={params} isReady={isReady} />
      <button type="button" className="button wire-action" disabled={!isReady} data-testid="wire-copy" onClick={copy}>
        <Copy size={13} aria-hidden /> Copy
      </button>
      <button type="button" className="button" onClick={onClose}>
        Close
      </button>
      <button
        type="button"
        className="button button-primary"
        disabled={!isReady}
        data-testid="wire-save"
        onClick={() => void save()}
      >
        Save…
      </button>
    </>
  );
}
