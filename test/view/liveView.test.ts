// A live view against a plain list of items, under random changes.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { cellsOf, LiveView } from '../../core/view/liveView.ts';
import { Overlay } from '../../core/view/overlay.ts';
import type { ViewItem } from '../../core/view/types.ts';
import { WholeView } from '../../core/view/wholeView.ts';

const MESSAGES = 12;

function randomCell(rng: Rng, cell: number): readonly ViewItem[] {
  const items: ViewItem[] = [];
  if (rng.chance(0.2)) {
    items.push({ kind: 'synthetic', text: `"${rng.below(3)}"`, covers: { from: cell, to: cell }, stage: 0 });
  }
  if (cell < MESSAGES && rng.chance(0.6)) items.push({ kind: 'source', index: cell });
  return items;
}

describe('a live view', () => {
  it('is the list of its cells, by position, and knows what it was', () => {
    const rng = seededRng(4);
    const view = new LiveView(MESSAGES);
    const plain: (readonly ViewItem[])[] = Array.from({ length: view.cells }, () => []);
    for (let step = 0; step < 80; step++) {
      const before = [...plain];
      for (let change = rng.below(6); change > 0; change--) {
        const cell = rng.below(view.cells);
        plain[cell] = randomCell(rng, cell);
        view.set(cell, plain[cell]);
      }
      const items = plain.flat();
      const label = `replay: step ${step}`;
      expect(view.toView().items, label).toEqual(items);
      expect(view.length, label).toBe(items.length);
      for (const [position, item] of items.entries()) expect(view.item(position), label).toEqual(item);
      for (let cell = 0; cell < view.cells; cell++) {
        expect(view.atBefore(cell), label).toEqual(before[cell]);
        expect(view.changed.has(cell), label).toBe(JSON.stringify(before[cell]) !== JSON.stringify(plain[cell]));
        expect(view.before(cell), label).toBe(plain.slice(0, cell).flat().length);
        const next = plain.findIndex((each, at) => at >= cell && each.length > 0);
        expect(view.nextCell(cell), label).toBe(next < 0 ? view.cells : next);
        expect(view.itemBefore(cell), label).toEqual(plain.slice(0, cell).flat().at(-1) ?? null);
      }
      view.settle();
    }
  });

  it('puts the items of a view into cells that give the view again', () => {
    const rng = seededRng(9);
    for (let run = 0; run < 40; run++) {
      const items = Array.from({ length: MESSAGES }, (_, cell) => randomCell(rng, cell)).flat();
      const view = new LiveView(MESSAGES);
      for (const [cell, own] of cellsOf({ items })) view.set(cell, own);
      expect(view.toView().items, `replay: run ${run}`).toEqual(items);
    }
  });
});

describe('an overlay', () => {
  const source = memorySource([
    '{"role":"user","content":"a"}',
    '{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"}]}',
    '{"role":"user","content":"b"}',
  ]);
  const shown = (view: LiveView) => view.toView().items.flatMap((item) => (item.kind === 'source' ? [item.index] : []));

  it('takes everything back while a signed message would be touched', () => {
    const overlay = new Overlay(source, true);
    const [input, output] = [new LiveView(3), new LiveView(3)];
    for (let index = 0; index < 3; index++) input.set(index, [{ kind: 'source', index }]);
    overlay.replace(0, []);
    overlay.fate(0, 'dropped');
    overlay.flush(input, output);
    expect([shown(output), overlay.blocked, overlay.kind(0)]).toEqual([[1, 2], false, 'dropped']);
    overlay.replace(1, []);
    overlay.fate(1, 'dropped');
    expect([...overlay.flush(input, output)].sort()).toEqual([0, 1]);
    expect([shown(output), overlay.blockedBy, overlay.kind(0)]).toEqual([[0, 1, 2], 1, null]);
    overlay.pass(1);
    overlay.fate(1, null);
    overlay.flush(input, output);
    expect([shown(output), overlay.blocked, overlay.kind(0)]).toEqual([[1, 2], false, 'dropped']);
  });
});

describe('a whole view', () => {
  it('says of every cell what a view filled cell by cell says', () => {
    const rng = seededRng(4);
    for (let run = 0; run < 200; run++) {
      const items = randomItems(rng);
      const whole = new WholeView({ items }, MESSAGES);
      const filled = new LiveView(MESSAGES);
      for (const [cell, held] of cellsOf({ items })) filled.set(cell, held);
      expect(whole.length).toBe(filled.length);
      expect([...whole.changed.keys()].sort((a, b) => a - b)).toEqual([...filled.changed.keys()].sort((a, b) => a - b));
      for (let cell = 0; cell <= MESSAGES; cell++) {
        expect(whole.at(cell), `run ${run}, cell ${cell}`).toEqual(filled.at(cell));
        expect([whole.before(cell), whole.nextCell(cell)]).toEqual([filled.before(cell), filled.nextCell(cell)]);
        expect(whole.itemBefore(cell)).toEqual(filled.itemBefore(cell));
      }
      for (let position = 0; position <= items.length; position++) {
        expect(whole.place(position), `run ${run}, position ${position}`).toEqual(filled.place(position));
      }
    }
  });
});

// Some messages, with some that nobody wrote between them.
function randomItems(rng: Rng): ViewItem[] {
  return Array.from({ length: MESSAGES }, (_, index): ViewItem[] => [
    ...(rng.chance(0.2) ? [made(index)] : []),
    ...(rng.chance(0.7) ? [{ kind: 'source', index } as const] : []),
    ...(rng.chance(0.1) ? [made(index + 1)] : []),
  ]).flat();
}

function made(at: number): ViewItem {
  return { kind: 'synthetic', text: `{"role":"user","content":"${at}"}`, covers: { from: at, to: at }, stage: 0 };
}
