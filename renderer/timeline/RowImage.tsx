import type { Row } from '../../core/protocol/types.ts';
import { lazily } from '../ui/lazily.tsx';

const Thumbnail = lazily(() => import('../parts/Thumbnail.tsx').then((file) => file.Thumbnail));

/** In front of a row's text the image that it holds, small; its place is there from the first. */
export function RowImage({ row }: { readonly row: Row }) {
  return (
    <span className="row-image" data-testid="row-image">
      <Thumbnail row={row} />
    </span>
  );
}
