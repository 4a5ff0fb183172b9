import { useAppState } from '../state/context.tsx';
import { useSentWords } from '../state/useSentWords.ts';
import { describeMoney } from './money.ts';

/** What the whole session's input costs: as recorded, and under the policy. Says nothing until all requests are known. */
export function SessionMoney() {
  const series = useAppState((state) => (state.session.id === null ? null : state.series.series));
  const computing = useAppState((state) => state.series.computing);
  const under = useSentWords()?.under ?? '';
  if (series === null || series.price === null) return null;
  const words = series.complete && !computing ? describeMoney(series.cost, series.provenance, under) : null;
  return (
    <p className="budget-sum" data-testid="session-money" title={TITLE}>
      <span>Whole session, input</span>
      <span className="num">{words ?? '–'}</span>
    </p>
  );
}

const TITLE =
  'What the input of all requests costs by the price list, cache reads and writes included. Answers are the same under any policy, and are not counted.';
