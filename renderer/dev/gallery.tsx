// Every kind of row and every state of the small pieces on one page, with sample data (development only: `?gallery`).
import './gallery.css';
import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';
import type { Root } from 'react-dom/client';
import type { Row } from '../../core/protocol/types.ts';
import { ScrubberChart } from '../scrubber/ScrubberChart.tsx';
import { createApp } from '../state/app.ts';
import { AppContext } from '../state/context.tsx';
import { RowLine } from '../timeline/RowLine.tsx';
import { RowPlaceholder } from '../timeline/RowPlaceholder.tsx';
import { layOut } from '../ui/chart.ts';
import { GALLERY_JOBS, GALLERY_PARTS } from './galleryParts.tsx';
import { GALLERY_ROWS, GALLERY_SERIES } from './gallerySamples.ts';
import { mockEngine } from './mockEngine.ts';

/** Shows the gallery in both themes, one below the other. */
export function showGallery(root: Root): void {
  const app = createApp(mockEngine(40));
  app.store.setState({ jobs: GALLERY_JOBS });
  root.render(
    <AppContext value={{ app, host: null, commands: [] }}>
      <Tooltip.Provider>
        <Gallery />
      </Tooltip.Provider>
    </AppContext>,
  );
}

/** Every piece, in both themes. */
export function Gallery() {
  return (
    <div className="gallery">
      {(['dark', 'light'] as const).map((theme) => (
        <section key={theme} data-theme={theme} className="gallery-theme">
          {GALLERY_ROWS.map(({ title, rows }) => (
            <Piece key={title} title={title}>
              <Rows rows={rows} />
            </Piece>
          ))}
          <Piece title="rows on their way">
            <div className="gallery-rows" style={{ height: 48 }}>
              <RowPlaceholder top={0} />
              <RowPlaceholder top={24} />
            </div>
          </Piece>
          <Piece title="scrubber">
            <div className="scrubber gallery-scrubber">
              <ScrubberChart
                chart={layOut(GALLERY_SERIES, 860, 60_000)}
                at={60}
                messages={96}
                window={60_000}
                hovered={20}
              />
            </div>
          </Piece>
          {GALLERY_PARTS.map(({ title, content }) => (
            <Piece key={title} title={title}>
              {content}
            </Piece>
          ))}
        </section>
      ))}
    </div>
  );
}

function Piece({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <article>
      <h2>{title}</h2>
      {children}
    </article>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <div className="gallery-rows" style={{ height: rows.length * 24 }}>
      {rows.map((row, number) => (
        <RowLine
          key={row.key}
          row={row}
          number={number}
          top={number * 24}
          layout="side"
          isSelected={row.key === 'selected'}
          isCursor={row.key === 'selected'}
          isCallPoint={row.key === 'call-point'}
          isOpen={false}
          isOnce
          isSent
        />
      ))}
    </div>
  );
}
