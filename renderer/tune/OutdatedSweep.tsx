/** In place of a sweep that another version made: what it found may mean something else by now. */
export function OutdatedSweep({ onAgain }: { readonly onAgain: () => void }) {
  return (
    <section className="mode-first" data-testid="tune-outdated">
      <h2>Made by another version: run again.</h2>
      <p className="mute">What it found may mean something else now, so it is not shown.</p>
      <button type="button" className="button button-primary" onClick={onAgain}>
        Run again
      </button>
    </section>
  );
}
