import type { Headline } from './headline.ts';

/** A request's tokens; dimmed, and with an ellipsis, while they are still being counted. */
export function HeadlineFigure({ headline, testId }: { readonly headline: Headline; readonly testId: string }) {
  const { text, title, provenance, isFinal } = headline;
  return (
    <b
      className={isFinal ? 'mono num' : 'mono num counting'}
      title={isFinal ? title : 'Still counting'}
      data-testid={testId}
      data-provenance={provenance}
      data-final={isFinal}
    >
      {text}
      {!isFinal && '…'}
    </b>
  );
}
