import { Pin } from 'lucide-react';
import { useActions } from '../state/context.tsx';

/** Watches the longest text of a message. */
export function WatchThis({ index }: { readonly index: number }) {
  const { watchMessage } = useActions();
  return (
    <p>
      <button type="button" className="button" data-testid="watch-this" onClick={() => void watchMessage(index, null)}>
        <Pin size={12} aria-hidden /> Watch this message
      </button>
    </p>
  );
}
