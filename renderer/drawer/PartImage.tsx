import { useEffect, useState } from 'react';
import { useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { formatBytes } from '../ui/format.ts';

type Loaded =
  | { readonly state: 'loading' }
  | { readonly state: 'error'; readonly text: string }
  | { readonly state: 'ready'; readonly url: string | null; readonly words: string };

/** An asset of the transcript, shown if it is an image. */
export function PartImage({ assetId }: { readonly assetId: string }) {
  const { engine } = useApp();
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading' });
  useEffect(() => {
    let isWanted = true;
    engine.call('asset.get', { assetId }).then(
      ({ mime, base64, bytes }) => {
        // SVG could carry scripts and links of its own; it is named, not drawn.
        const isImage = /^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(mime);
        const url = isImage ? `data:${mime};base64,${base64}` : null;
        if (isWanted) setLoaded({ state: 'ready', url, words: `${mime}, ${formatBytes(bytes)}` });
      },
      (thrown: unknown) => isWanted && setLoaded({ state: 'error', text: toProtocolError(thrown).message }),
    );
    return () => {
      isWanted = false;
    };
  }, [engine, assetId]);
  if (loaded.state === 'loading') return <p className="faint">Reading the image…</p>;
  if (loaded.state === 'error') return <p className="drawer-error">The image could not be read: {loaded.text}</p>;
  return (
    <figure className="part-image">
      {loaded.url !== null && <img src={loaded.url} alt={`In the transcript, ${loaded.words}`} />}
      <figcaption className="mute">{loaded.words}</figcaption>
    </figure>
  );
}
