import { X } from 'lucide-react';
import { useActions, useApp } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import type { Range } from '../ui/look.ts';
import { showRowsOfArea } from './rowsOfArea.ts';

/** Under the chart, while an area is selected: how many calls it has, and what can be done with it. */
export function AreaLine({ area }: { readonly area: Range }) {
  const app = useApp();
  const { setArea, zoomToArea } = useActions();
  return (
    <section
      className="area-line"
      aria-label="Selected area"
      data-testid="area"
      data-from={area.from}
      data-to={area.to}
    >
      <div className="area-head">
        <b>Selected</b>
        <span className="mute">{plural(area.to - area.from, 'call')}</span>
      </div>
      <span className="area-space" />
      <button type="button" className="button" onClick={zoomToArea} data-testid="area-zoom">
        Zoom in <kbd>Z</kbd>
      </button>
      <button type="button" className="button" onClick={() => void showRowsOfArea(app)} data-testid="area-rows">
        Rows <kbd>Enter</kbd>
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label="Clear the selected area"
        onClick={() => setArea(null)}
        data-testid="area-clear"
      >
        <X size={14} aria-hidden />
      </button>
    </section>
  );
}
