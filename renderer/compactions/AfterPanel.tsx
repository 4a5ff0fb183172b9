import { CATEGORY_LABEL } from '../../core/model/category.ts';
import type { CompactionInfo } from '../../core/protocol/autopsyTypes.ts';
import type { Provenance } from '../../core/protocol/types.ts';
import { formatCount, formatShare, formatTokens } from '../ui/format.ts';

interface Props {
  readonly info: CompactionInfo;
  readonly provenance: Provenance;
}

/** What the window filled with again, and when the compaction came. */
export function AfterPanel({ info, provenance }: Props) {
  const { refill, refillTokens, calls } = info.after;
  return (
    <>
      <section aria-label="What filled the window again" data-testid="refill">
        <h3>
          What filled the window again{' '}
          <span className="mute compactions-how">{formatTokens(refillTokens, provenance)} tok</span>
        </h3>
        {refill.length === 0 && <p className="mute compactions-none">Nothing came after it.</p>}
        {refill.map(({ kind, tokens }) => (
          <div key={kind} className="refill-line" data-kind={kind}>
            <span>{CATEGORY_LABEL[kind]}</span>
            <svg className="survival-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect className="bar-ground" width={100} height={8} />
              <rect
                width={(100 * tokens) / Math.max(1, refillTokens)}
                height={8}
                fill={`var(--cat-${kind.replace('_', '-')})`}
              />
            </svg>
            <span className="num mute">{formatTokens(tokens, provenance)}</span>
            <b className="num">{formatShare(tokens, Math.max(1, refillTokens))}</b>
          </div>
        ))}
        {calls > 0 && refillTokens > 0 && (
          <p className="mute compactions-none num">
            {formatTokens(Math.round(refillTokens / calls), provenance)} tok a call, over {formatCount(calls)} calls
          </p>
        )}
      </section>
      <Trigger info={info} />
    </>
  );
}

function Trigger({ info: { tokensBefore, tokensAfter, window, stage } }: { readonly info: CompactionInfo }) {
  const full = tokensBefore === null || window === null ? null : Math.round((100 * tokensBefore) / window);
  return (
    <section aria-label="Trigger" data-testid="trigger">
      <h3>
        Trigger{' '}
        <span className="mute compactions-how">
          {stage === null ? 'tokens as recorded' : 'by the policy, not recorded'}
        </span>
      </h3>
      <dl className="compactions-facts num">
        <dt className="mute">Before</dt>
        <dd>{tokensBefore === null ? 'not recorded' : formatCount(tokensBefore)}</dd>
        <dt className="mute">After</dt>
        <dd>{tokensAfter === null ? 'not recorded' : formatCount(tokensAfter)}</dd>
        <dt className="mute">Window</dt>
        <dd>
          {window === null ? 'not known' : formatCount(window)}
          {full !== null && (
            <span className="mute">
              {' '}
              · {full}% full{full < 70 ? ': not forced by the window' : ''}
            </span>
          )}
        </dd>
      </dl>
    </section>
  );
}
