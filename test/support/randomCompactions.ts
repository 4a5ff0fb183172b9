// Recorded compactions of all kinds at random places of a random transcript.
import type { PlacedCompaction } from '../../core/model/transcript.ts';
import type { Rng } from '../../core/util/rng.ts';

/** Up to four compactions, ascending; some tell nothing, some tell twice. */
export function randomCompactions(rng: Rng, texts: readonly string[]): PlacedCompaction[] {
  const places = Array.from({ length: rng.below(5) }, () => 1 + rng.below(texts.length)).sort((a, b) => a - b);
  return places.map((at): PlacedCompaction => randomCompaction(rng, texts, at));
}

function randomCompaction(rng: Rng, texts: readonly string[], at: number): PlacedCompaction {
  const some = () => Array.from({ length: at }, (_, index) => index).filter(() => rng.chance(0.2));
  const kind = rng.pick(['summary', 'summary', 'left out', 'replacement', 'cleared', 'opaque', 'silent'] as const);
  switch (kind) {
    case 'summary': {
      const summary = at < texts.length ? { summaryIndex: at } : {};
      return { at, ...summary, ...(rng.chance(0.6) && { preserved: some() }) };
    }
    case 'left out':
      return { at, preserved: some() };
    case 'replacement': {
      const preserved = some();
      const known = preserved.map((index) => texts[index] ?? '');
      const fresh = Array.from({ length: rng.below(3) }, (_, i) =>
        JSON.stringify({ role: 'user', content: `new ${at} ${i}` }),
      );
      return { kind, at, preserved, replacement: rng.shuffle([...known, ...fresh]) };
    }
    case 'cleared':
      return { kind, at, clearedCallIds: callIds(texts.slice(0, at)).filter(() => rng.chance(0.3)) };
    case 'opaque':
      return { kind, at, opaqueChars: rng.below(1000) };
    case 'silent':
      return { at, trigger: 'auto' };
  }
}

function callIds(texts: readonly string[]): string[] {
  return [...new Set(texts.join('\n').match(/call_\d+/g) ?? [])];
}
