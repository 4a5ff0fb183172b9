import { useAppState } from '../state/context.tsx';
import { useSentWords } from '../state/useSentWords.ts';
import { describeMoney } from './money.ts';

/** What the whole session costs: as recorded, and under the policy. Says nothing until all requests are known. */
export function SessionMoney() {
  const series = useAppState((state) => (state.session.id === null ? null : state.series.series));
  const computing = useAppState((state) => state.series.computing);
  const under = useSentWords()?.under ?? '';
  if (series === null || series.models.every(({ price }) => price === null)) return null;
  const words = series.complete && !computing ? describeMoney(series.cost, series.provenance, under) : null;
  return (
    <p className="budget-sum" data-testid="session-money" title={TITLE}>
      <span>Whole session</span>
      <span className="num">{words ?? '–'}</span>
    </p>
  );
}

const TITLE =
  'What all requests cost by the price list: their input, cache reads and writes included, and the answers that are recorded. Answers are the same under any policy.';
