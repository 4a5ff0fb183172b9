import { useState } from 'react';
import { useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';

interface Known {
  readonly formats: readonly { readonly id: string; readonly title: string; readonly looksFor: string }[];
  readonly error: string | null;
}

/** The formats that are read, and by what each is recognised; asked for when it is opened. */
export function SupportedFormats() {
  const { engine } = useApp();
  const [known, setKnown] = useState<Known | null>(null);
  const load = () => {
    if (known !== null && known.error === null) return;
    engine.call('engine.info', {}).then(
      ({ formats }) => setKnown({ formats: formats.toSorted((a, b) => a.title.localeCompare(b.title)), error: null }),
      (thrown: unknown) => setKnown({ formats: [], error: toProtocolError(thrown).message }),
    );
  };
  return (
    <details className="supported-formats" onToggle={(event) => event.currentTarget.open && load()}>
      <summary>Supported formats</summary>
      {known === null && <p className="mute">Loading…</p>}
      {known?.error && <p className="mute">{known.error}</p>}
      <dl>
        {known?.formats.map(({ id, title, looksFor }) => (
          <div key={id}>
            <dt>{title}</dt>
            <dd className="mute">{looksFor}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
