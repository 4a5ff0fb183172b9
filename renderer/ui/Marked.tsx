import { Fragment } from 'react';
import { Seen } from './Seen.tsx';

interface Props {
  readonly text: string;
  /** Stretches in order that do not overlap. */
  readonly marks: readonly { readonly start: number; readonly end: number }[];
}

/** A text with what was found in it marked. */
export function Marked({ text, marks }: Props) {
  if (marks.length === 0) return <Seen text={text} />;
  return (
    <>
      {marks.map(({ start, end }, number) => (
        <Fragment key={start}>
          <Seen text={text.slice(marks[number - 1]?.end ?? 0, start)} />
          <mark className="found">
            <Seen text={text.slice(start, end)} />
          </mark>
        </Fragment>
      ))}
      <Seen text={text.slice(marks.at(-1)?.end ?? 0)} />
    </>
  );
}
