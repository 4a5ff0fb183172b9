/** A row that is on its way: keeps its line, says nothing. */
export function RowPlaceholder({ top }: { readonly top: number }) {
  return (
    <div className="row row-empty" style={{ transform: `translateY(${top}px)` }} aria-hidden="true">
      <span className="row-shimmer" />
    </div>
  );
}
