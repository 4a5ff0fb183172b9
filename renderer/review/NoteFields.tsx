/** What a person says of a bug. */
export interface Note {
  readonly expected: string;
  readonly happened: string;
}

export const NO_NOTE: Note = { expected: '', happened: '' };

/** What was expected and what happened: the beginning of the text for an issue. */
export function NoteFields({ note, onChange }: { readonly note: Note; readonly onChange: (note: Note) => void }) {
  return (
    <>
      <label className="review-note">
        <h3>What I expected</h3>
        <textarea
          className="field"
          rows={3}
          data-testid="review-expected"
          value={note.expected}
          onChange={(event) => onChange({ ...note, expected: event.target.value })}
        />
      </label>
      <label className="review-note">
        <h3>What happened</h3>
        <textarea
          className="field"
          rows={3}
          data-testid="review-happened"
          value={note.happened}
          onChange={(event) => onChange({ ...note, happened: event.target.value })}
        />
      </label>
    </>
  );
}
