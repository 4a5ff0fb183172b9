import { useMemo, useState } from 'react';
import { useAnswer } from '../state/useAnswer.ts';
import { Seen } from '../ui/Seen.tsx';
import { Drawn } from './Drawn.tsx';
import { imageWords, isAnimated, WHOLE, whyNotDrawn } from './drawable.ts';

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
  const [isPlaying, setPlaying] = useState(false);
  const { why, words, moves } = useMemo(() => {
    const reason = whyNotDrawn(mime, base64, WHOLE);
    return { why: reason, words: imageWords(mime, base64, bytes), moves: reason === null && isAnimated(base64) };
  }, [mime, base64, bytes]);
  const shown = {
    src: `data:${mime};base64,${base64}`,
    alt: `In the transcript, ${words}`,
    onError: () => setBroken(true),
  };
  return (
    <figure className="part-image">
      {why === null && !isBroken && <Drawn {...shown} isStill={moves && !isPlaying} />}
      <figcaption className="mute">
        <Seen text={words} />
        {moves && !isBroken && (
          <button type="button" className="text-button" aria-pressed={isPlaying} onClick={() => setPlaying(!isPlaying)}>
            Play
          </button>
        )}
        {why === null ? isBroken && '; its bytes are not an image that can be drawn' : `; ${why}`}
      </figcaption>
    </figure>
  );
}
