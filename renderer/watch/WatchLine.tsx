import { useAppState } from '../state/context.tsx';
import { lazily } from '../ui/lazily.tsx';

const WatchStrips = lazily(() => import('./WatchStrips.tsx').then((file) => file.WatchStrips));

/** The strips of watched texts, loaded for a transcript that has some. */
export function WatchLine() {
  const isShown = useAppState(({ watch }) => (watch.list?.length ?? 0) > 0 || watch.error !== null);
  return isShown ? <WatchStrips /> : null;
}
