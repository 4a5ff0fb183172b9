import { nothingCovered } from '../../core/model/coveredWords.ts';
import type { CompactionInfo } from '../../core/protocol/autopsyTypes.ts';
import type { Provenance } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { figureSign, formatCost, formatCount, formatTokens, plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';

interface Props {
  readonly info: CompactionInfo;
  readonly provenance: Provenance;
}

/** Calls made again behind the compaction, what that fetched again, and how long until the next edit. */
export function RepeatedWork({ info: { after, recordedAt, covered }, provenance }: Props) {
  const isUnknown = nothingCovered(recordedAt, covered.messages) !== null;
  const { again, rereads, rereadTokens, rereadCost, repeatedFailures, changedRereads, filesReadAgain } = after;
  return (
    <section aria-label="Repeated work" data-testid="repeated-work">
      <h3>
        Repeated work after it <span className="mute num">{plural(rereads + repeatedFailures, 'call')}</span>
      </h3>
      {again.length > 0 && <Calls again={again} provenance={provenance} />}
      <p className="mute compactions-none">
        {again.length === 0 &&
          isUnknown &&
          'What it covered is not here: whether a call of it was made again is not known. '}
        {again.length === 0 && !isUnknown && 'No call of the covered span was made again with the same result. '}
        {rereads > 0 &&
          `Fetched again: ${formatTokens(rereadTokens, provenance)} tok${rereadCost === null ? '' : `, ${figureSign(provenance)}${formatCost(rereadCost)}`}. `}
        {rereads + repeatedFailures > again.length &&
          `${formatCount(rereads + repeatedFailures - again.length)} more calls. `}
        {changedRereads > 0 && `${plural(changedRereads, 'more call')} had another result: not counted. `}
        {filesReadAgain > 0 && `${plural(filesReadAgain, 'file')} read again, by whatever call.`}
      </p>
      <EditLine after={after} />
    </section>
  );
}

function Calls({
  again,
  provenance,
}: {
  readonly again: CompactionInfo['after']['again'];
  readonly provenance: Provenance;
}) {
  const { goToMessage } = useActions();
  return (
    <table className="compactions-table compactions-again chosen-rows">
      <thead>
        <tr>
          <th scope="col" className="num">
            Call
          </th>
          <th scope="col">What</th>
          <th scope="col">Against before</th>
          <th scope="col" className="num">
            Fetched again
          </th>
          <th scope="col" className="num">
            Cost
          </th>
        </tr>
      </thead>
      <tbody>
        {again.map(({ at, evidence, sources, tokens, cost, ignored, kind }) => (
          <tr key={`${kind} ${at} ${evidence}`} data-testid="repeated-call" data-at={at}>
            <td className="num">
              <button type="button" className="link num" onClick={() => void goToMessage(at)}>
                #{at}
              </button>
            </td>
            <td className="mono compactions-what" title={evidence}>
              <Seen text={evidence.replace(/\s+/g, ' ')} />
            </td>
            <td className="mute">
              {kind === 'reread' ? 'same result as' : 'failed again as'} #{sources.at(-1) ?? '?'}
              {ignored && ', which was still there'}
            </td>
            <td className="num">{kind === 'reread' ? formatTokens(tokens, provenance) : '–'}</td>
            <td className="num">
              {cost === null || kind !== 'reread' ? '–' : `${figureSign(provenance)}${formatCost(cost)}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function EditLine({ after: { calls, callsToFirstEdit, firstEditAt } }: Pick<CompactionInfo, 'after'>) {
  const { goToMessage } = useActions();
  return (
    <>
      <h3>First edit after it</h3>
      <p className="compactions-none">
        {firstEditAt === null || callsToFirstEdit === null ? (
          <>No file was edited after it.</>
        ) : (
          <>
            First edit at{' '}
            <button type="button" className="link num" onClick={() => void goToMessage(firstEditAt)}>
              #{firstEditAt}
            </button>
            , {plural(callsToFirstEdit, 'call')} in
          </>
        )}
        <span className="mute"> · {plural(calls, 'call')} until the next compaction or the end</span>
      </p>
    </>
  );
}
