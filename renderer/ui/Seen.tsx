import { codeOf, seenPieces, unseenName } from '../../core/util/unseen.ts';

/** A text as it is: characters that cannot be seen, or would turn what follows, are there by their codes. */
export function Seen({ text }: { readonly text: string }) {
  const pieces = seenPieces(text);
  if (pieces.length === 1 && pieces[0]?.isUnseen === false) return text;
  return pieces.map((piece, at) =>
    piece.isUnseen ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, never moved
      <span key={at} className="unseen" title={[codeOf(piece.text), unseenName(piece.text)].join(' ').trim()}>
        {codeOf(piece.text)}
      </span>
    ) : (
      piece.text
    ),
  );
}
