import './welcome.css';
import { FileDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ResultOf } from '../../core/protocol/methods.ts';
import { PlaceRows } from '../follow/PlaceRows.tsx';
import { useNow } from '../follow/useNow.ts';
import { printed } from '../keys/keys.ts';
import { importFiles } from '../library/importFiles.ts';
import { useApp, useAppState, useHost } from '../state/context.tsx';
import { usePlatform } from './useGlobalKeys.ts';

/** What can be done while no transcript is open. */
export function Welcome() {
  const app = useApp();
  const host = useHost();
  const platform = usePlatform();
  const transcripts = useAppState((state) => state.library.transcripts);
  // Until the library is read nobody knows which words are right.
  if (transcripts === null) return <main className="welcome" />;
  return (
    <main className="welcome">
      <div className="welcome-body">
        <FileDown size={28} strokeWidth={1.4} className="faint" />
        <h1>{transcripts.length === 0 ? 'Import a transcript to begin' : 'Choose a transcript, or import another'}</h1>
        <p className="mute">
          Drop files anywhere in this window. Every byte is kept; nothing leaves this machine. The format is found by
          content, not by name.
        </p>
        <button
          type="button"
          className="button button-primary welcome-button"
          onClick={() => void importFiles({ app, host })}
        >
          Import transcripts… <kbd>{printed('mod+o', platform)}</kbd>
        </button>
        <Places />
        <Formats />
      </div>
    </main>
  );
}

/** Where tools keep sessions here: offered, not opened. */
function Places() {
  const now = useNow(false);
  const { openDialog } = useApp().actions;
  return (
    <section className="welcome-formats" aria-labelledby="welcome-places" data-testid="places">
      <h2 id="welcome-places">Found on this machine</h2>
      <PlaceRows now={now} />
      <p>
        <button type="button" className="link" onClick={() => openDialog('sources')}>
          Another folder, or follow a file as it grows…
        </button>
      </p>
    </section>
  );
}

type Format = ResultOf<'engine.info'>['formats'][number];

/** What takes anything else comes last. */
function byTitle(a: Format, b: Format): number {
  const last = Number(a.id === 'generic-json') - Number(b.id === 'generic-json');
  return last === 0 ? a.title.localeCompare(b.title, 'en') : last;
}

/** What the engine says it reads: the list cannot promise more than the program keeps. */
function Formats() {
  const { engine } = useApp();
  const [formats, setFormats] = useState<readonly Format[]>([]);
  useEffect(() => {
    let isWanted = true;
    engine.call('engine.info', {}).then(
      (info) => isWanted && setFormats(info.formats.toSorted(byTitle)),
      // Without an answer the line is lost, and the screen says so by itself.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [engine]);
  if (formats.length === 0) return null;
  return (
    <section className="welcome-formats" aria-labelledby="welcome-formats" data-testid="formats">
      <h2 id="welcome-formats">What it reads</h2>
      <ul>
        {formats.map(({ id, title, looksFor }) => (
          <li key={id} title={looksFor} className="ellipsis">
            {title}
          </li>
        ))}
      </ul>
    </section>
  );
}
