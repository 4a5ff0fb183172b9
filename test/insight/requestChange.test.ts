// Why a request differs from the one before it: the causes are the difference, no more and no less, over random sessions
// and policies; and what each of them says is the stage's own word.
import { describe, expect, it } from 'vitest';
import { requestChange } from '../../core/insight/request/change.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { seededRng } from '../../core/util/rng.ts';
import { standsInView } from '../../core/view/fates.ts';
import { itemText } from '../../core/view/reader.ts';
import type { View, ViewItem } from '../../core/view/types.ts';
import { randomCompactions } from '../support/randomCompactions.ts';
import { randomBudget, randomSpec } from '../support/randomStages.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';

const KINDS = STAGES.stages.map(({ kind }) => kind).filter((kind) => kind !== 'custom');

function randomCase(seed: number) {
  const rng = seededRng(seed * 6151 + 3);
  const texts = randomTranscript({ seed, turns: 3 + rng.below(12), shape: rng.pick(SHAPES), broken: rng.chance(0.3) });
  const source = memorySource(texts, null, rng.chance(0.5) ? randomCompactions(seededRng(seed), texts) : []);
  const parsed = parseSpec(randomSpec(rng, KINDS), STAGES);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  const to = rng.below(source.length + 1);
  const from = rng.below(to + 1);
  const options = { budget: randomBudget(rng) };
  const at = (place: number) => project(source, parsed.value.stages, place, options);
  return { source, before: at(from), now: at(to), label: `seed ${seed}: #${from} → #${to}, ${parsed.value.spec.name}` };
}

describe('the causes of a change', () => {
  it.each([0, 100, 200, 300])('add up to the difference of the requests, from seed %i', (start) => {
    let causes = 0;
    for (let seed = start; seed < start + 100; seed++) {
      const { source, before, now, label } = randomCase(seed);
      const size = (item: ViewItem) => itemText(item, source).length;
      const total = ({ items }: View) => items.reduce((sum, item) => sum + size(item), 0);
      const found = requestChange(before, now, size);
      const sum = found.reduce((all, { tokens }) => all + tokens, 0);
      expect(sum, label).toBe(total(now.view) - total(before.view));
      // Each cause is the sum of its messages, and the largest comes first.
      for (const { tokens, differences } of found) {
        expect(
          differences.reduce((all, each) => all + each.tokens, 0),
          label,
        ).toBe(tokens);
      }
      const sizes = found.map(({ tokens }) => Math.abs(tokens));
      expect(sizes, label).toEqual(sizes.toSorted((a, b) => b - a));
      causes += found.length;
    }
    expect(causes).toBeGreaterThan(80);
  });

  it('rebuild the request: what was there, without what is gone, with what came', () => {
    for (let seed = 0; seed < 200; seed++) {
      const { source, before, now, label } = randomCase(seed);
      const found = requestChange(before, now, () => 1);
      const texts = ({ items }: View) => items.map((item) => `${keyOf(item)} ${itemText(item, source)}`);
      const left = new Map<string, number>();
      const bump = (key: string, by: number) => left.set(key, (left.get(key) ?? 0) + by);
      for (const key of texts(before.view)) bump(key, 1);
      for (const { differences } of found) {
        for (const { before: was, now: is } of differences) {
          if (was !== null) bump(`${keyOf(was)} ${itemText(was, source)}`, -1);
          if (is !== null) bump(`${keyOf(is)} ${itemText(is, source)}`, 1);
        }
      }
      for (const key of texts(now.view)) bump(key, -1);
      expect(
        [...left].filter(([, count]) => count !== 0),
        label,
      ).toEqual([]);
    }
  });

  it('name the stage whose fate the message has', () => {
    let decided = 0;
    for (let seed = 0; seed < 200; seed++) {
      const { before, now, label } = randomCase(seed);
      for (const cause of requestChange(before, now, () => 1)) {
        for (const { before: was, now: is } of cause.differences) {
          if (was?.kind !== 'source' || is !== null) continue;
          const fate = now.fates[was.index];
          expect(fate === undefined || standsInView(fate.kind), label).toBe(false);
          expect([cause.kind, cause.stage, cause.rule], label).toEqual([fate?.kind, fate?.stage, fate?.rule]);
          expect(cause.reason, label).not.toBe('');
          decided++;
        }
      }
    }
    expect(decided).toBeGreaterThan(50);
  });

  it('call what the request before could not hold new, whatever a stage made of it', () => {
    for (let seed = 0; seed < 100; seed++) {
      const { before, now, label } = randomCase(seed);
      for (const { kind, differences } of requestChange(before, now, () => 1)) {
        for (const { now: is } of differences) {
          if (is?.kind === 'source') expect(is.index >= before.at, label).toBe(kind === 'new');
        }
      }
    }
  });
});

const keyOf = (item: ViewItem) => (item.kind === 'source' ? `#${item.index}${item.unrendered === true}` : 'made');
