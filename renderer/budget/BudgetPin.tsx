import { useEffect, useState } from 'react';
import { useAppState } from '../state/context.tsx';
import { formatShort } from '../ui/format.ts';
import { BudgetBar } from './BudgetBar.tsx';
import { HeadlineFigure } from './HeadlineFigure.tsx';
import { headlineState } from './headline.ts';
import { useHeadline } from './useHeadline.ts';

/** The budget in two lines above the stages, while its card is out of sight: it is what stages are tuned for. */
export function BudgetPin() {
  const info = useAppState((state) => state.projection.info);
  const headline = useHeadline();
  const isAway = useIsAway();
  if (!isAway || !info || !headline) return null;
  const { tone, text } = headlineState(info, headline);
  return (
    <button
      type="button"
      className="budget-pin"
      data-testid="budget-pin"
      title="Show the budget"
      onClick={() => document.querySelector('.policy-scroll > .budget')?.scrollIntoView({ block: 'nearest' })}
    >
      <span className="budget-pin-head">
        <HeadlineFigure headline={headline} testId="budget-pin-total" />
        {info.window !== null && <span className="faint num">/ {formatShort(info.window)}</span>}
        <span className={`budget-pin-state ellipsis tone-${tone}`}>{text}</span>
      </span>
      <BudgetBar figure={info.projected} beside={info.beside} budget={info.budget} />
    </button>
  );
}

/** Whether the head of the budget's card is scrolled out of the panel. */
function useIsAway(): boolean {
  const [isAway, setAway] = useState(false);
  const hasInfo = useAppState((state) => state.projection.info !== null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first figures bring another card
  useEffect(() => {
    const head = document.querySelector('.policy-scroll > .budget > :first-child');
    if (head === null) return;
    const observer = new IntersectionObserver(([entry]) => setAway(entry?.isIntersecting === false), {
      root: head.closest('.policy-scroll'),
    });
    observer.observe(head);
    return () => observer.disconnect();
  }, [hasInfo]);
  return isAway;
}
