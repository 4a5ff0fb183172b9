import { useState } from 'react';
import type { Params, ResultOf } from '../../core/protocol/methods.ts';
import type { HostBridge } from '../host/types.ts';
import { useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import type { WrittenReport } from './WrittenBundle.tsx';

export type WriteState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'writing' }
  | { readonly kind: 'written'; readonly written: WrittenReport }
  | { readonly kind: 'failed'; readonly text: string };

/** Writes a reviewed file to where the person says, or hands it to the browser. */
export function useWriting(host: HostBridge | null) {
  const { engine } = useApp();
  const [state, setState] = useState<WriteState>({ kind: 'ready' });
  const write = async (subject: Omit<Params<'export.write'>, 'path'>, name: string) => {
    setState({ kind: 'writing' });
    let written: ResultOf<'export.write'> | null = null;
    const make = async (path: string | null) => {
      written = await engine.call('export.write', { ...subject, path });
      return written;
    };
    try {
      const place = host ? await host.saveExport(make, name) : (await make(null)).path;
      const answer = written as ResultOf<'export.write'> | null;
      setState(
        place === null || answer === null ? { kind: 'ready' } : { kind: 'written', written: { ...answer, place } },
      );
    } catch (thrown) {
      setState({ kind: 'failed', text: toProtocolError(thrown).message });
    }
  };
  return { state, write };
}
