import './find.css';
import { Pin, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { printed } from '../keys/keys.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';
import { chosenText, startFind } from './startFind.ts';

/** Where messages are read: an opened row, and the drawer. */
const READ = '.row-detail, .drawer-content';
const SIZE = { width: 290, height: 30 };
const SHORTEST = 2;

interface Offer {
  readonly text: string;
  readonly left: number;
  readonly top: number;
}

/** Next to a text that was chosen in a message: why is it gone, and to watch it. Only once the pointer rests; keys do the same. */
export function SelectionAction() {
  const app = useApp();
  const platform = usePlatform();
  const isOpen = useAppState((state) => state.session.id !== null);
  const [offer, setOffer] = useState<Offer | null>(null);
  useEffect(() => {
    const show = () => setTimeout(() => setOffer(offerNow()), 0);
    const hide = () => {
      if (document.getSelection()?.isCollapsed !== false) setOffer(null);
    };
    const leave = () => setOffer(null);
    window.addEventListener('pointerup', show);
    window.addEventListener('scroll', leave, true);
    window.addEventListener('resize', leave);
    document.addEventListener('selectionchange', hide);
    return () => {
      window.removeEventListener('pointerup', show);
      window.removeEventListener('scroll', leave, true);
      window.removeEventListener('resize', leave);
      document.removeEventListener('selectionchange', hide);
    };
  }, []);
  if (!isOpen || offer === null) return null;
  return (
    <div
      className="selection-actions"
      style={{ left: offer.left, top: offer.top }}
      // The text stays chosen.
      onPointerDown={(event) => event.preventDefault()}
    >
      <button
        type="button"
        data-testid="selection-action"
        onClick={() => {
          setOffer(null);
          startFind(app, offer.text);
        }}
      >
        <Search size={12} aria-hidden /> Why is it gone? <kbd>{printed('mod+f', platform)}</kbd>
      </button>
      <button
        type="button"
        data-testid="selection-watch"
        onClick={() => {
          setOffer(null);
          void app.actions.watchText(offer.text);
        }}
      >
        <Pin size={12} aria-hidden /> Watch <kbd>{printed('w', platform)}</kbd>
      </button>
    </div>
  );
}

/** What is offered for the text that is chosen now: below its end, within the window. */
function offerNow(): Offer | null {
  const selection = document.getSelection();
  const text = chosenText();
  if (selection === null || text === null || text.length < SHORTEST || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const within = range.commonAncestorContainer;
  const element = within instanceof Element ? within : within.parentElement;
  if (element === null || element.closest(READ) === null || element.closest('.monaco-editor') !== null) return null;
  const box = range.getBoundingClientRect();
  const below = box.bottom + 4;
  return {
    text,
    left: Math.max(4, Math.min(window.innerWidth - SIZE.width, box.right - 20)),
    top: below + SIZE.height > window.innerHeight ? Math.max(4, box.top - SIZE.height) : below,
  };
}
