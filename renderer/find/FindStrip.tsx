import './find.css';
import { useAppState } from '../state/context.tsx';
import { lazily } from '../ui/lazily.tsx';

const StateStrip = lazily(() => import('./StateStrip.tsx').then((file) => file.StateStrip));

const NO_POINTS: readonly never[] = [];

/** Under the chart: what became of the text in the find bar at each request. */
export function FindStrip() {
  const isShown = useAppState(({ find }) => find.isOpen && find.text.trim() !== '');
  const points = useAppState(({ find }) => find.trace?.points ?? NO_POINTS);
  const isLoading = useAppState(({ find }) => find.isLoading);
  if (!isShown) return null;
  return <StateStrip label="find" about="The text" points={points} isLoading={isLoading} testId="find-strip" />;
}
