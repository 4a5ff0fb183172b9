import { Fragment, type ReactNode, useEffect, useState } from 'react';

interface Props {
  readonly count: number;
  readonly draw: (at: number) => ReactNode;
}

/** Pieces of a long text, the first at once and one more after each frame: reading can begin before all is drawn. */
export function Growing({ count, draw }: Props) {
  const [drawn, setDrawn] = useState(1);
  useEffect(() => {
    if (drawn >= count) return;
    const timer = setTimeout(() => setDrawn(drawn + 1), 0);
    return () => clearTimeout(timer);
  }, [drawn, count]);
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved
  return Array.from({ length: Math.min(drawn, count) }, (_, at) => <Fragment key={at}>{draw(at)}</Fragment>);
}
