import { type ReactNode, useMemo } from 'react';
import { inlineImage, type MessageJson } from './inlineImage.ts';
import { Picture } from './PartImage.tsx';

interface Props {
  readonly detail: MessageJson;
  readonly part: number;
  /** What is shown where it holds none. */
  readonly otherwise: ReactNode;
}

/** The image that a message holds itself. */
export function MessageImage({ detail, part, otherwise }: Props) {
  const image = useMemo(() => inlineImage(detail, part), [detail, part]);
  if (image === null) return otherwise;
  return <Picture {...image} bytes={Math.floor((image.base64.replace(/=+$/, '').length * 3) / 4)} />;
}
