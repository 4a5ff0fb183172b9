import { TriangleAlert } from 'lucide-react';
import type { SweepInfo } from '../../core/protocol/tuneTypes.ts';
import { formatCount, plural } from '../ui/format.ts';
import { costText, pointTitle, tokensText } from './words.ts';

const AIM_WORD = { money: 'the cheapest', tokens: 'the fewest tokens', uses: 'the fewest uses gone' } as const;

/** The best point that the aim found, or that none meets the conditions; texts that nobody says. */
export function FoundCard({ info }: { readonly info: SweepInfo }) {
  const { asked, points, state, unsaid } = info;
  const best = points.find((point) => point.best);
  return (
    <>
      {unsaid.map((text) => (
        <p key={text} className="finding finding-warning">
          <TriangleAlert size={14} aria-hidden /> <span>Nothing says “{text}”.</span>
        </p>
      ))}
      {asked.aim !== null && state === 'done' && (
        <section className="tune-card" data-testid="tune-found">
          {best === undefined ? (
            <>
              <b>None of {plural(points.length, 'spec')} keeps all conditions.</b>
              <p className="mute">Closest: {closest(info)}</p>
            </>
          ) : (
            <>
              <div className="tune-line">
                <b>Found</b>
                <span className="faint">{best.proved ? 'proved by projection' : 'not proved'}</span>
              </div>
              <p>{pointTitle(info, best)}</p>
              <p className="mute">
                {AIM_WORD[asked.aim]} of {plural(points.length, 'spec')} that were tried and keep all conditions:{' '}
                {costText(best)}, peak {tokensText(best.tokens.peak, best)}, {formatCount(best.usesGone)} uses gone
              </p>
            </>
          )}
        </section>
      )}
    </>
  );
}

function closest({ points }: SweepInfo): string {
  const [least] = points.toSorted((a, b) => a.breaks.length - b.breaks.length || a.tokens.peak - b.tokens.peak);
  if (least === undefined) return 'nothing was tried.';
  return `peak ${tokensText(least.tokens.peak, least)}, ${formatCount(least.usesGone)} uses gone.`;
}
