import { Upload } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ResultOf } from '../../core/protocol/methods.ts';
import { printed } from '../keys/keys.ts';
import { importFiles } from '../library/importFiles.ts';
import { useApp, useHost } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { usePlatform } from '../state/usePlatform.ts';
import { plural } from '../ui/format.ts';

/** Says that the whole window takes files; the formats are there for who asks. */
export function DropPlace() {
  const app = useApp();
  const host = useHost();
  const platform = usePlatform();
  const formats = useFormats();
  const [isShown, setShown] = useState(false);
  return (
    <section className="drop-place" aria-label="Import">
      <div className="found-row">
        <Upload size={18} className="mute" aria-hidden />
        <div className="grow">
          <b>Drop files, folders or a bug report here</b>
          <div className="mute">
            {formats.length > 0 && `${plural(formats.length, 'format')}, recognised`} by content, not by name. Any other
            JSON can be mapped.{' '}
            <button
              type="button"
              className="link"
              aria-expanded={isShown}
              onClick={() => setShown(!isShown)}
              data-testid="show-formats"
            >
              Supported formats
            </button>
          </div>
        </div>
        <button type="button" className="button welcome-button" onClick={() => void importFiles({ app, host })}>
          Import transcripts… <kbd>{printed('mod+o', platform)}</kbd>
        </button>
      </div>
      {isShown && (
        <ul data-testid="formats">
          {formats.map(({ id, title, looksFor }) => (
            <li key={id} title={looksFor} className="ellipsis">
              {title}
            </li>
          ))}
        </ul>
      )}
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
function useFormats(): readonly Format[] {
  // Without an answer the line is lost, and the screen says so by itself.
  const { value } = useAnswer('engine.info', {});
  return useMemo(() => value?.formats.toSorted(byTitle) ?? [], [value]);
}
