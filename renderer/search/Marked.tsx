import { Fragment } from 'react';

interface Props {
  readonly text: string;
  /** Stretches in order that do not overlap. */
  readonly marks: readonly { readonly start: number; readonly end: number }[];
}

/** A text with what was found in it marked. */
export function Marked({ text, marks }: Props) {
  if (marks.length === 0) return text;
  return (
    <>
      {marks.map(({ start, end }, number) => (
        <Fragment key={start}>
          {text.slice(marks[number - 1]?.end ?? 0, start)}
          <mark className="found">{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </>
  );
}
