import { useMemo, useState } from 'react';
import { useAnswer } from '../state/useAnswer.ts';
import { formatBytes } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { WHOLE, whyNotDrawn } from './drawable.ts';

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

/** An image with what it is; what cannot be drawn, or must not be decoded, is named and not drawn. */
export function Picture({ mime, base64, bytes }: PictureProps) {
  const [isBroken, setBroken] = useState(false);
  const why = useMemo(() => whyNotDrawn(mime, base64, WHOLE), [mime, base64]);
  const words = `${mime}, ${formatBytes(bytes)}`;
  return (
    <figure className="part-image">
      {why === null && !isBroken && (
        <img
          src={`data:${mime};base64,${base64}`}
          alt={`In the transcript, ${words}`}
          decoding="async"
          onError={() => setBroken(true)}
        />
      )}
      <figcaption className="mute">
        <Seen text={words} />
        {why === null ? isBroken && '; its bytes are not an image that can be drawn' : `; ${why}`}
      </figcaption>
    </figure>
  );
}
