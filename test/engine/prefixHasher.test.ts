// The fast prefix hash (blocks, checkpoints) against the plain one of core/projection.
import { describe, expect, it } from 'vitest';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { EditReader } from '../../core/engine/session/edits.ts';
import { type BulkSource, type EditedItem, PrefixHasher } from '../../core/engine/session/prefixHasher.ts';
import { createSlicer, type Slicer } from '../../core/engine/slicer.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { prefixHash } from '../../core/projection/prefixHash.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import type { View, ViewItem } from '../../core/view/types.ts';

const LENGTH = 5000;

function bulkSource(): BulkSource {
  const texts = Array.from({ length: LENGTH }, (_, i) =>
    i % 3 === 0
      ? `{"role": "user", "content": "número ${i} 😀", "z": 1.0, "a": ${i}e3}`
      : `{"role":"assistant","content":[{"type":"text","text":"line ${i}\\n\\u0041"}]}`,
  );
  const source = memorySource(texts, null);
  return Object.assign(Object.create(source), { texts: (from: number, to: number) => texts.slice(from, to) });
}

/** A view like those stages make: messages left out, edited, a summary somewhere. Close to `like`, as sliders give it. */
function randomView(rng: Rng, like: View | null): View {
  const at = rng.chance(0.3) ? rng.below(LENGTH) : LENGTH;
  const items: ViewItem[] = [];
  const change = rng.chance() ? rng.below(LENGTH) : 0;
  for (let index = 0; index < at; index++) {
    const before = like?.items[index];
    const fate = rng.next();
    if (index < change && before?.kind === 'source' && before.index === index) items.push(before);
    else if (fate < 0.05) continue;
    else if (fate < 0.1) items.push({ kind: 'source', index, text: `{"edited": ${index}, "b": "ü"}` });
    else items.push({ kind: 'source', index });
  }
  if (rng.chance()) {
    const covers = { from: 0, to: 9 };
    items.splice(rng.below(items.length + 1), rng.below(20), {
      kind: 'synthetic',
      text: '{"b":1,"a":2}',
      covers,
      stage: 0,
    });
  }
  return { items };
}

/** A slicer that ends the work at the given border. */
function endingAfter(borders: number): Slicer {
  let left = borders;
  return {
    pause() {
      if (left-- === 0) throw new Error('ended');
      return null;
    },
  };
}

describe('PrefixHasher', () => {
  it('goes on behind what it had hashed when it was ended, to the same hash', async () => {
    const source = bulkSource();
    const edits = new EditReader(source);
    const hasher = new PrefixHasher(source);
    const canonical = (item: EditedItem) => edits.canonical(item);
    for (let seed = 1; seed <= 8; seed++) {
      const view = randomView(seededRng(seed), null);
      for (const borders of [0, 1, 5]) {
        await expect(hasher.hash(view, canonical, endingAfter(borders))).rejects.toThrow('ended');
      }
      expect(await hasher.hash(view, canonical, createSlicer()), `seed ${seed}`).toBe(
        prefixHash(source, view, nodeSha256),
      );
    }
  });

  it.each([
    ['everything kept', 1e9],
    ['hardly anything kept', 100_000],
    ['nothing kept', 0],
  ])('agrees with the plain hash, %s', async (_name, limit) => {
    const source = bulkSource();
    const edits = new EditReader(source);
    const hasher = new PrefixHasher(source, limit);
    let last: View | null = null;
    for (let seed = 1; seed <= 12; seed++) {
      const view: View = randomView(seededRng(seed), last);
      last = view;
      // In a pause everything that can be made again is let go.
      if (seed % 3 === 0) {
        hasher.dropText();
        edits.dropCanonical();
      }
      const fast = await hasher.hash(view, (item) => edits.canonical(item), createSlicer());
      expect(`seed ${seed} ${fast}`).toBe(`seed ${seed} ${prefixHash(source, view, nodeSha256)}`);
    }
    const empty = await hasher.hash({ items: [] }, (item) => edits.canonical(item), createSlicer());
    expect(empty).toBe('sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945');
  });

  it('agrees while two views are hashed at once', async () => {
    const source = bulkSource();
    const edits = new EditReader(source);
    const hasher = new PrefixHasher(source);
    const views = [1, 2, 3, 4].map((seed) => randomView(seededRng(seed), null));
    const hashes = await Promise.all(
      views.map((view) => hasher.hash(view, (item) => edits.canonical(item), createSlicer())),
    );
    expect(hashes).toEqual(views.map((view) => prefixHash(source, view, nodeSha256)));
  });
});
