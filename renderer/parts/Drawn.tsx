import { useEffect, useRef } from 'react';

interface Props {
  readonly src: string;
  /** '' = the words beside it say what it is. */
  readonly alt: string;
  readonly onError: () => void;
}

/** An image; `isStill` = the first picture of one that moves. */
export function Drawn({ isStill, ...image }: Props & { readonly isStill: boolean }) {
  if (isStill) return <Still {...image} />;
  return <img src={image.src} alt={image.alt} decoding="async" onError={image.onError} />;
}

function Still({ src, alt, onError }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const failed = useRef(onError);
  failed.current = onError;
  useEffect(() => {
    const image = new Image();
    image.onload = () => {
      const into = canvas.current;
      if (into === null) return;
      into.width = image.naturalWidth;
      into.height = image.naturalHeight;
      into.getContext('2d')?.drawImage(image, 0, 0);
    };
    image.onerror = () => failed.current();
    image.src = src;
    return () => {
      image.onload = null;
      image.onerror = null;
    };
  }, [src]);
  const named = alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt };
  return <canvas ref={canvas} {...named} />;
}
