import { TextSearch } from 'lucide-react';
import { chosenText, endFind, startFind } from '../find/startFind.ts';
import { printed } from '../keys/keys.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';

/** The first of the three jobs, in sight: opens and closes the find bar. */
export function FindButton() {
  const app = useApp();
  const platform = usePlatform();
  const isOpen = useAppState((state) => state.find.isOpen);
  const key = printed('mod+f', platform);
  return (
    <button
      type="button"
      className="header-find"
      aria-pressed={isOpen}
      // The words in sight, in narrow windows too, where they are not.
      aria-label={`Why is it gone? ${key}`}
      title={`Find a text: why is it gone? (${key})`}
      data-testid="header-find"
      // A text chosen on the page stays chosen.
      onPointerDown={(event) => chosenText() !== null && event.preventDefault()}
      onClick={() => (isOpen ? endFind(app) : startFind(app))}
    >
      <TextSearch size={14} aria-hidden />
      <span className="header-find-words">Why is it gone?</span>
      <kbd className="header-find-words">{key}</kbd>
    </button>
  );
}
