import type { FileLook } from '../../core/model/mapping/preview.ts';
import { draftOf } from '../state/mappingDraft.ts';
import type { MappingState } from './useMapping.ts';

/** Where the fields come from: a saved mapping that fits, a guess with its reasons, or nowhere. */
export function GuessLine({ mapping, look }: { readonly mapping: MappingState; readonly look: FileLook }) {
  const { guess, fitting, format } = look;
  const { saved, draft, setDraft } = mapping;
  const [best] = fitting;
  const take = (name: string) => {
    const chosen = name === '' ? guess.mapping : saved.find((one) => one.name === name)?.mapping;
    if (chosen) setDraft(draftOf(chosen));
  };
  return (
    <div className="mapping-guess">
      {format !== null && <p className="mute">This file is known ({format}): it opens without a mapping too.</p>}
      {best !== undefined && <p>The saved mapping “{best}” fits this file.</p>}
      {best === undefined && guess.mapping !== null && (
        <details>
          <summary data-testid="mapping-confidence">
            Detected automatically ({Math.round(guess.confidence * 100)}% confidence). Check the preview.
          </summary>
          <ul className="mute">
            {guess.why.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </details>
      )}
      {best === undefined && guess.mapping === null && <p className="mapping-refusal">{guess.why.join(' ')}</p>}
      {saved.length > 0 && (
        <label className="path-field">
          <span>Begin with</span>
          <select
            value={saved.some(({ name }) => name === draft.name) ? draft.name : ''}
            onChange={(event) => take(event.target.value)}
          >
            <option value="">{guess.mapping === null ? 'custom fields' : 'the guess'}</option>
            {saved.map(({ name }) => (
              <option key={name} value={name}>
                {name}
                {fitting.includes(name) ? '' : ' (does not fit)'}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
