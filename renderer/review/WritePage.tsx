import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import type { Params } from '../../core/protocol/methods.ts';
import type { HostBridge } from '../host/types.ts';
import { useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { formatBytes } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';

/** Which reviewed file a page is made of, and the name it is saved under. */
export type PageSubject = Omit<Params<'export.page'>, 'path'> & { readonly name: string };

interface Props {
  readonly subject: PageSubject;
  readonly host: HostBridge | null;
}

type State =
  | { readonly kind: 'ready' }
  | { readonly kind: 'writing' }
  | { readonly kind: 'written'; readonly place: string; readonly bytes: number }
  | { readonly kind: 'failed'; readonly text: string };

const LABEL: Readonly<Record<State['kind'], string>> = {
  ready: 'Write the page…',
  writing: 'Writing…',
  written: 'Write it again…',
  failed: 'Write the page…',
};

/** The same file as a page, for whoever has no Parallax. */
export function WritePage({ subject, host }: Props) {
  const { engine } = useApp();
  const [state, setState] = useState<State>({ kind: 'ready' });
  const write = async () => {
    setState({ kind: 'writing' });
    const { name, ...of } = subject;
    let bytes = 0;
    const make = async (path: string | null) => {
      const written = await engine.call('export.page', { ...of, path });
      ({ bytes } = written);
      return written;
    };
    try {
      const place = host ? await host.saveExport(make, name) : (await make(null)).path;
      setState(place === null ? { kind: 'ready' } : { kind: 'written', place, bytes });
    } catch (thrown) {
      setState({ kind: 'failed', text: toProtocolError(thrown).message });
    }
  };
  return (
    <section className="page-choice" aria-label="A page anyone can open">
      <div className="page-words">
        <b>A page anyone can open</b>
        <PageLine state={state} isWeb={host?.kind === 'web'} />
      </div>
      {/* It stays as it is: with it the focus would go. */}
      <button
        type="button"
        className="button"
        data-testid="write-page"
        aria-disabled={state.kind === 'writing'}
        onClick={() => {
          if (state.kind !== 'writing') void write();
        }}
      >
        {state.kind === 'writing' && <LoaderCircle size={13} className="spin" aria-hidden />}
        {LABEL[state.kind]}
      </button>
    </section>
  );
}

function PageLine({ state, isWeb }: { readonly state: State; readonly isWeb: boolean }) {
  switch (state.kind) {
    case 'written':
      return (
        <p role="status" data-testid="page-done">
          <CircleCheck size={14} className="tone-good" aria-hidden /> {isWeb ? 'Downloaded' : 'Written'},{' '}
          {formatBytes(state.bytes)}: <span className="mono export-value">{state.place}</span>
        </p>
      );
    case 'failed':
      return (
        <p role="alert" className="finding-error">
          <CircleAlert size={14} aria-hidden /> <Seen text={state.text} />
        </p>
      );
    case 'ready':
    case 'writing':
      return (
        <p className="mute">
          One HTML file with both panes, outcomes, chart and search. It opens in any browser and connects to nothing.
        </p>
      );
  }
}
