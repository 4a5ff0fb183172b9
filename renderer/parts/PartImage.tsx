import { useState } from 'react';
import { useAnswer } from '../state/useAnswer.ts';
import { formatBytes } from '../ui/format.ts';

/** An asset of the transcript, shown if it is an image. */
export function PartImage({ assetId }: { readonly assetId: string }) {
  const { value, error } = useAnswer('asset.get', { assetId });
  if (error) return <p className="drawer-error">The image could not be read: {error.message}</p>;
  if (value === null) return <p className="faint">Reading the image…</p>;
  return <Picture mime={value.mime} base64={value.base64} bytes={value.bytes} />;
}

interface PictureProps {
  readonly mime: string;
  readonly base64: string;
  readonly bytes: number;
}

/** An image with what it is; what cannot be drawn is named and not drawn. */
export function Picture({ mime, base64, bytes }: PictureProps) {
  const [isBroken, setBroken] = useState(false);
  const words = `${mime}, ${formatBytes(bytes)}`;
  // SVG could carry its own scripts and links; it is named, not drawn.
  const isImage = /^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(mime);
  return (
    <figure className="part-image">
      {isImage && !isBroken && (
        <img
          src={`data:${mime};base64,${base64}`}
          alt={`In the transcript, ${words}`}
          onError={() => setBroken(true)}
        />
      )}
      <figcaption className="mute">
        {words}
        {isBroken && '; its bytes are not an image that can be drawn'}
      </figcaption>
    </figure>
  );
}
