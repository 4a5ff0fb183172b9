import { useMemo } from 'react';
import type { AttachedKind } from '../../core/model/provenance.ts';
import { attachedText, isMarkdownFile } from '../../core/reading/attachedText.ts';
import type { FileView } from '../../core/reading/types.ts';
import { FileHead, FileLines, Note } from './FileViews.tsx';
import { Markdown } from './Markdown.tsx';

interface Props {
  readonly text: string;
  readonly attached: AttachedKind | null;
  /** It is only the beginning of the text. */
  readonly isCut: boolean;
}

/** A text as Markdown; what is a file in it by its lines, in the colours of its language. */
export function TextWithFiles({ text, attached, isCut }: Props) {
  const pieces = useMemo(() => attachedText(text, attached, isCut), [text, attached, isCut]);
  return pieces.map((piece, at) =>
    piece.kind === 'prose' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved
      <Markdown key={at} text={piece.text} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved
      <File key={at} file={piece.file} />
    ),
  );
}

/** A file of Markdown is read as that. */
function File({ file }: { readonly file: FileView }) {
  const isNumbered = file.lines.some(({ number }) => number !== null);
  if (!isMarkdownFile(file.path) || isNumbered || file.place !== undefined) return <FileLines view={file} />;
  return (
    <div className="tool-card">
      <FileHead view={file} />
      <Note text={file.head} />
      {file.lines.length > 0 && (
        <div className="tool-body">
          <Markdown text={file.lines.map(({ text }) => text).join('\n')} />
        </div>
      )}
      <Note text={file.tail} />
    </div>
  );
}
