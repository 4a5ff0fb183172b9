import { type DragEvent, useMemo, useState } from 'react';

/** Moving a card by its number: what the dragged handle and the cards beneath it need. */
export interface StageDrag {
  readonly over: number | null;
  readonly side: 'before' | 'after';
  handle(at: number): { readonly onDragStart: (event: DragEvent) => void; readonly onDragEnd: () => void };
  target(at: number): {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

/** Where the card goes if it is dropped on that side of another: its position once it was taken out. */
export function dropPosition(from: number, over: number, side: 'before' | 'after'): number {
  const before = side === 'before' ? over : over + 1;
  return before > from ? before - 1 : before;
}

/** State of a drag within the list. Files dragged over the panel are none of its business. */
export function useStageDrag(move: (from: number, to: number) => void): StageDrag {
  const [from, setFrom] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [side, setSide] = useState<'before' | 'after'>('before');
  return useMemo((): StageDrag => {
    const end = () => {
      setFrom(null);
      setOver(null);
    };
    return {
      over: from === over ? null : over,
      side,
      handle: (at) => ({
        onDragStart(event) {
          event.dataTransfer.effectAllowed = 'move';
          event.dataTransfer.setData('text/plain', `stage ${at + 1}`);
          setFrom(at);
        },
        onDragEnd: end,
      }),
      target: (at) => ({
        onDragOver(event) {
          if (from === null) return;
          event.preventDefault();
          event.stopPropagation();
          const box = event.currentTarget.getBoundingClientRect();
          setOver(at);
          setSide(event.clientY < box.top + box.height / 2 ? 'before' : 'after');
        },
        onDrop(event) {
          if (from === null) return;
          event.preventDefault();
          event.stopPropagation();
          move(from, dropPosition(from, at, side));
          end();
        },
      }),
    };
  }, [from, over, side, move]);
}
