import './find.css';
import { useAppState } from '../state/context.tsx';
import { StateStrip } from './StateStrip.tsx';

const NO_POINTS: readonly never[] = [];

/** Under the chart: what became of the text in the find bar at each request. */
export function FindStrip() {
  const isShown = useAppState(({ find }) => find.isOpen && find.text.trim() !== '');
  const points = useAppState(({ find }) => find.trace?.points ?? NO_POINTS);
  const isLoading = useAppState(({ find }) => find.isLoading);
  if (!isShown) return <div />;
  return <StateStrip label="find" about="The text" points={points} isLoading={isLoading} testId="find-strip" />;
}
