// The incremental sums of a token table against sums made anew, while messages and counts keep coming.
import { describe, expect, it } from 'vitest';
import { type CountedSource, estimatePart, TokenTable } from '../../core/engine/session/tokenTable.ts';
import { CATEGORIES } from '../../core/model/category.ts';
import type { MessageFacts, Part } from '../../core/model/message.ts';
import { sizeOf } from '../../core/store/index.ts';
import { categoryIndex } from '../../core/tokens/categories.ts';
import { seededRng } from '../../core/util/rng.ts';

function part(chars: number, slot: number): Part {
  const category = CATEGORIES[slot % CATEGORIES.length]!;
  return { kind: category === 'image' ? 'image' : 'text', category, path: [], chars };
}

const parts = (messages: readonly MessageFacts[]) => messages.flatMap((facts) => facts.parts);

describe('a token table', () => {
  it('has the sums of its messages at every moment', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const rng = seededRng(seed);
      const messages: MessageFacts[] = [];
      const counts: Uint32Array[] = [];
      const source: CountedSource = {
        get length() {
          return messages.length;
        },
        facts: (index) => messages[index]!,
        partPrefix: () => Uint32Array.from([0, ...messages].keys(), (i) => parts(messages.slice(0, i)).length),
        digest: () => ({
          roles: new Uint8Array(messages.length),
          sizes: Uint32Array.from(parts(messages), ({ category, chars }) => sizeOf(categoryIndex(category), chars)),
          cacheMarks: new Map(),
        }),
        tokenCounts: (index) => counts[index] ?? null,
        refreshTokens: () => {},
      };
      const table = new TokenTable(source, 'o200k_base', 'anthropic');
      for (let step = 0; step < 12; step++) {
        for (let more = rng.below(8); more > 0; more--) {
          const parts = Array.from({ length: rng.below(4) }, () => part(rng.below(500), rng.below(7)));
          messages.push({ role: 'user', parts, signed: false, beginsTurn: true });
        }
        for (let more = rng.below(8); more > 0 && counts.length < messages.length; more--) {
          counts.push(Uint32Array.from(messages[counts.length]!.parts, () => rng.below(900)));
        }
        table.refresh();
        const from = rng.below(messages.length + 1);
        const to = from + rng.below(messages.length - from + 1);
        const sums = new Float64Array(CATEGORIES.length);
        table.addRange(sums, from, to);
        expect([seed, step, from, to, ...sums]).toEqual([seed, step, from, to, ...naiveSums(source, from, to)]);
        expect(table.complete).toBe(counts.length === messages.length);
      }
    }
  });
});

function naiveSums(source: CountedSource, from: number, to: number): number[] {
  const sums = CATEGORIES.map(() => 0);
  for (let i = from; i < to; i++) {
    for (const [at, each] of source.facts(i).parts.entries()) {
      const tokens = source.tokenCounts(i, 'o200k_base')?.[at] ?? estimatePart(each, 'anthropic');
      sums[categoryIndex(each.category)]! += tokens;
    }
  }
  return sums;
}
