import type { TextState } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { Seen } from '../ui/Seen.tsx';
import { PresenceMark } from './PresenceMark.tsx';
import { type SentencePiece, sentencePieces, splitSentence } from './words.ts';

/** The answer in one sentence, its first clause bold; messages and call points in it are links. */
export function Sentence({ sentence, state }: { readonly sentence: string; readonly state: TextState }) {
  const [first, rest] = splitSentence(sentence);
  return (
    <p className="find-sentence" data-testid="find-sentence">
      <PresenceMark state={state} />{' '}
      <b>
        <Linked text={first} />
      </b>
      <span className="mute">
        <Linked text={rest} />
      </span>
    </p>
  );
}

function Linked({ text }: { readonly text: string }) {
  const { goToMessage, setAt } = useActions();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const go = ({ kind, index }: NonNullable<SentencePiece['to']>) => {
    if (kind === 'message') void goToMessage(index);
    else setAt(index >= messages ? null : index);
  };
  return sentencePieces(text).map(({ text: piece, to }, number) =>
    to === null ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name than their place
      <Seen key={number} text={piece} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name than their place
      <button key={number} type="button" className="link" onClick={() => go(to)}>
        {piece}
      </button>
    ),
  );
}
