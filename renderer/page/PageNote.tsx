import type { PageAbout } from '../../core/page/types.ts';
import { Seen } from '../ui/Seen.tsx';

/** What whoever reports it expected, and what happened. */
export function PageNote({ about: { note } }: { readonly about: PageAbout }) {
  if (note === undefined) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled with keys too
    <section className="page-note" aria-label="Report" data-testid="page-note" tabIndex={0}>
      {note.expected !== '' && <NoteLine name="Expected" text={note.expected} />}
      {note.happened !== '' && <NoteLine name="Happened" text={note.happened} />}
    </section>
  );
}

function NoteLine({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <p>
      <b>{name}</b>{' '}
      <span className="page-note-text">
        <Seen text={text} />
      </span>
    </p>
  );
}
