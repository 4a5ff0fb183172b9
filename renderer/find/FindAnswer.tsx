import type { TextTrace } from '../../core/protocol/types.ts';
import { KeepThis } from '../parts/KeepThis.tsx';
import { LossLine } from './LossLine.tsx';
import { Sentence } from './Sentence.tsx';
import { StateCounts } from './StateCounts.tsx';
import { describeRequest, saidIn } from './words.ts';

/** What became of the text: the sentence, in how many requests it is, where it was first lost, and by what. */
export function FindAnswer({ trace }: { readonly trace: TextTrace }) {
  const { now, firstLoss } = trace;
  const requests = describeRequest(trace);
  const isOtherLoss = now.loss !== null && now.loss.reason !== firstLoss?.reason;
  return (
    <section className="find-answer" aria-label="Answer" data-testid="find-answer">
      <Sentence sentence={trace.sentence} state={now.state} />
      <StateCounts trace={trace} />
      {(now.state === 'gone' || now.state === 'partly') && <KeepThis />}
      {requests !== null && (
        <p className="mute num" data-testid="find-requests">
          {requests}
          {trace.sampled && ' (samples of the requests)'}
        </p>
      )}
      {firstLoss !== null && <LossLine loss={firstLoss} title="First lost at" isSaid={saidIn(trace, firstLoss)} />}
      {now.loss !== null && isOtherLoss && (
        <LossLine loss={now.loss} title="Original" isSaid={saidIn(trace, now.loss)} />
      )}
    </section>
  );
}
