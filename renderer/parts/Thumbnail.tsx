import { useMemo, useState } from 'react';
import type { Row } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { Drawn } from './Drawn.tsx';
import { isAnimated, SMALL, whyNotDrawn } from './drawable.ts';
import { inlineImage } from './inlineImage.ts';

/** Rows that pass while one scrolls ask for nothing. Unit: ms. */
const RESTS = 160;
/** Of a message that holds an image itself, so many characters are asked for: larger images are assets. */
const MOST_JSON = 100_000;

/** The image of a row, as soon as the row has come to rest; what may not be decoded is not drawn. */
export function Thumbnail({ row }: { readonly row: Row }) {
  const projectionId = useAppState((state) => state.projection.pages.projectionId);
  const asked = projectionId === null ? null : { projectionId, index: row.index, limit: MOST_JSON };
  const { value: detail } = useAnswer('projection.detail', asked, { about: row.key, wait: RESTS });
  const part = detail?.parts.find((one) => one.part === row.part);
  const [assetId] = part?.assetIds ?? [];
  const inline = useMemo(
    () => (detail === null || part === undefined || assetId !== undefined ? null : inlineImage(detail, part.part)),
    [detail, part, assetId],
  );
  if (assetId !== undefined) return <AssetThumbnail assetId={assetId} />;
  return inline && <Small {...inline} />;
}

function AssetThumbnail({ assetId }: { readonly assetId: string }) {
  const { value } = useAnswer('asset.get', { assetId });
  return value && <Small mime={value.mime} base64={value.base64} />;
}

function Small({ mime, base64 }: { readonly mime: string; readonly base64: string }) {
  const [isBroken, setBroken] = useState(false);
  const isDrawn = useMemo(() => whyNotDrawn(mime, base64, SMALL) === null, [mime, base64]);
  if (!isDrawn || isBroken) return null;
  // The row's own words say what it is; nothing moves in a list.
  const shown = { src: `data:${mime};base64,${base64}`, alt: '', onError: () => setBroken(true) };
  return <Drawn {...shown} isStill={isAnimated(base64)} />;
}
