import type { TextTrace } from '../../core/protocol/types.ts';
import { Anchors, InItsPlace } from './InItsPlace.tsx';
import { LossLine } from './LossLine.tsx';
import { Sentence } from './Sentence.tsx';
import { StateCounts } from './StateCounts.tsx';
import { requestWords } from './words.ts';

/** What became of the text: the sentence, in how many requests it is, where it was first lost, and what stands there now. */
export function FindAnswer({ trace }: { readonly trace: TextTrace }) {
  const { now, firstLoss } = trace;
  const loss = now.loss ?? null;
  return (
    <section className="find-answer" aria-label="Answer" data-testid="find-answer">
      <Sentence sentence={trace.sentence} state={now.state} />
      <StateCounts trace={trace} />
      <p className="mute num" data-testid="find-requests">
        {requestWords(trace)}
        {trace.sampled && ' (samples of the requests)'}
      </p>
      {firstLoss !== null && <LossLine loss={firstLoss} title="First lost at" />}
      {loss !== null && loss.at !== firstLoss?.at && <LossLine loss={loss} title="Not there now since" />}
      <InItsPlace trace={trace} />
      <Anchors trace={trace} />
    </section>
  );
}
