import { nothingCovered } from '../../core/model/coveredWords.ts';
import type { CompactionInfo } from '../../core/protocol/autopsyTypes.ts';
import { formatCount } from '../ui/format.ts';
import type { LostFilter } from './useLost.ts';
import { CLASS_TITLE, CLASSES, survivedShare } from './words.ts';

interface Props {
  readonly info: CompactionInfo;
  readonly filter: LostFilter;
  readonly onFilter: (filter: LostFilter) => void;
}

/** What of each class is in the summary or in what was carried over; a click lists what is not. */
export function SurvivalBars({ info, filter, onFilter }: Props) {
  const { survival, summaryIndex, opaque } = info;
  const none = nothingCovered(info.recordedAt, info.covered.messages);
  const title = summaryIndex === null ? 'What survives' : `What survives in #${summaryIndex}`;
  return (
    <section aria-label="What survives" data-testid="survival">
      <h3>
        {title} <span className="mute compactions-how">word for word or by key words</span>
      </h3>
      {survival === null && (
        <p className="mute compactions-none">
          {opaque ? 'The summary is encrypted. ' : ''}What survives in it is not known; repeated work, refill and
          trigger are still shown.
        </p>
      )}
      {survival !== null && none !== null && <p className="mute compactions-none">{none}</p>}
      {survival !== null &&
        CLASSES.filter((name) => survival[name].total > 0).map((name) => {
          const { total, survived, lost } = survival[name];
          const share = survived / total;
          return (
            <button
              key={name}
              type="button"
              className="survival-line"
              aria-pressed={filter.class === name}
              title={`${CLASS_TITLE[name]}: ${formatCount(survived)} of ${formatCount(total)} survive; lists the ${formatCount(lost)} that do not`}
              data-testid={`survival-${name}`}
              onClick={() => onFilter({ class: filter.class === name ? null : name, used: filter.class === name })}
            >
              <span className="ellipsis">{CLASS_TITLE[name]}</span>
              <svg className="survival-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect className="survival-lost" width={100} height={8} />
                <rect className="survival-kept" width={100 * share} height={8} />
              </svg>
              <span className="num mute">
                {formatCount(survived)} of {formatCount(total)}
              </span>
              <b className="num">{survivedShare(survival[name])}</b>
            </button>
          );
        })}
    </section>
  );
}
