import type { MessageDetail } from '../../core/protocol/types.ts';
import { InItsPlace } from '../find/InItsPlace.tsx';
import { LossLine } from '../find/LossLine.tsx';
import { Sentence } from '../find/Sentence.tsx';
import { LONGEST, startFind } from '../find/startFind.ts';
import { saidIn, withoutReason } from '../find/words.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { whyText } from '../state/whyText.ts';
import { LifeStrip } from './LifeStrip.tsx';
import { TraceLossLines } from './TraceLossLines.tsx';
import { useTextTrace } from './useTextTrace.ts';
import { useTrace } from './useTrace.ts';

/**
 * What became of what the selected part says: asked of its text, so that the answer finds words that a summary quotes, or that
 * were merged or moved. For a part without a text, such as a picture, the message is followed.
 */
export function WhyAnswer({ detail }: { readonly detail: MessageDetail }) {
  const selected = useAppState(({ selection }) => (selection?.kind === 'message' ? selection.part : 0));
  const text = whyText(detail.parts.find(({ part }) => part === selected) ?? detail.parts[0]);
  const { trace, isLoading, error } = useTextTrace(text);
  // A result with pictures in it reads as no text of the transcript does.
  const isNowhere = trace !== null && trace.totalPlaces === 0;
  if (error) return <p className="drawer-error">The text could not be followed: {error.message}</p>;
  if (text === null || isNowhere) return <MessageAnswer detail={detail} />;
  if (trace === null)
    return isLoading ? <div className="strip strip-loading" role="status" aria-label="Following the text" /> : null;
  const { firstLoss } = trace;
  const isSaid = firstLoss !== null && saidIn({ sentence: detail.fate.reason }, firstLoss);
  return (
    <>
      <Sentence sentence={withoutReason(trace.sentence, detail.fate.reason)} state={trace.now.state} />
      <LifeStrip points={trace.points} isSampled={trace.sampled} />
      {firstLoss !== null && !(isSaid && trace.sentence.includes(`#${firstLoss.at}`)) && (
        <LossLine loss={firstLoss} title="First lost at" isSaid={isSaid} />
      )}
      <InItsPlace trace={trace} />
      <FindText text={text} />
    </>
  );
}

/** Leads to all places of the text, and its key words. */
function FindText({ text }: { readonly text: string }) {
  const app = useApp();
  const wanted = text.trim();
  if (wanted.length > LONGEST) return null;
  return (
    <p>
      <button type="button" className="link" data-testid="why-find" onClick={() => startFind(app, wanted)}>
        Find this text in all requests
      </button>
    </p>
  );
}

function MessageAnswer({ detail }: { readonly detail: MessageDetail }) {
  const { trace, isLoading, error } = useTrace(detail.index, null);
  if (error) return <p className="drawer-error">The message could not be followed: {error.message}</p>;
  if (trace === null)
    return isLoading ? <div className="strip strip-loading" role="status" aria-label="Following the message" /> : null;
  return (
    <>
      <LifeStrip points={trace.points} isSampled={trace.sampled} />
      <TraceLossLines trace={trace} saidReason={detail.fate.reason} />
    </>
  );
}
