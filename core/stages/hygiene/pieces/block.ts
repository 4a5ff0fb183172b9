// Pieces side by side that go, and mostly come back, as one: the beginning of a view that a summary stands for at one call
// point and not at the next. One by one they were a third of what hygiene did along the call points of such a session.
import type { LiveView } from '../../../view/liveView.ts';
import { type Chain, type ChainRun, LEAST_PIECES } from './chain.ts';
import type { Segment } from './segments.ts';

/**
 * Puts back what was taken out, where it holds something again, and takes out what holds nothing. `cells` = those that changed,
 * ascending.
 */
export function* turnBlock(input: LiveView, cells: readonly number[], chain: Chain): ChainRun {
  const { block } = chain.segments;
  const isBack =
    block !== null && cells.some((cell) => cell >= block.from && cell < block.to && input.at(cell).length > 0);
  const others = isBack ? yield* chain.putBack(input) : [];
  takeOutEmptied(input, cells, chain);
  for (const piece of others) if (piece.isThere) chain.touch(piece);
}

function takeOutEmptied(input: LiveView, cells: readonly number[], chain: Chain): void {
  for (let at = 0; at < cells.length; ) {
    const from = cells[at]!;
    if (input.at(from).length > 0) {
      at++;
      continue;
    }
    const to = input.nextCell(from);
    let end = at;
    while (end < cells.length && cells[end]! < to) end++;
    if (end - at >= LEAST_PIECES) takeOutWithin(from, to, input.cells, chain);
    at = end;
  }
}

// The first of all pieces stays, whatever it holds.
function takeOutWithin(from: number, to: number, cells: number, chain: Chain): void {
  const { segments } = chain;
  const holder = segments.holding(from);
  const first = holder?.start === from && holder.previous !== null ? holder : (holder?.next ?? null);
  const beyond = segments.holding(to - 1);
  const isWithin = (beyond?.next?.start ?? cells) <= to;
  const last = isWithin ? beyond : (beyond?.previous ?? null);
  if (first === null || last === null || !areMany(first, last)) return;
  chain.takeOut(first, last, last.next?.start ?? cells);
}

function areMany(first: Segment, last: Segment): boolean {
  let piece: Segment | null = first;
  for (let many = 1; many < LEAST_PIECES && piece !== null; many++) piece = piece.next;
  return piece !== null && piece.start <= last.start;
}
