import { Fragment } from 'react';

/** A long name that may continue in the next line behind each `after`, so that no single letter is left over there. */
export function Breakable({ text, after }: { readonly text: string; readonly after: '.' | '_' }) {
  return text.split(after).map((step, number) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: steps of one name
    <Fragment key={number}>
      {number > 0 && (
        <>
          {after}
          <wbr />
        </>
      )}
      {step}
    </Fragment>
  ));
}
