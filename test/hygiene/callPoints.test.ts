// Hygiene along the call points is hygiene run anew at each: on random broken histories of all shapes, under all profiles
// and options, behind stages that change what came before.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { naiveStages } from '../../core/projection/allCallPoints.ts';
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import { registered } from '../../core/projection/registry.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { UNTOUCHED } from '../../core/view/fates.ts';
import type { Fate, StageContext, View, ViewItem } from '../../core/view/types.ts';
import { type WholeOutput, WholeRun } from '../../core/view/wholeRun.ts';
import { compareFollowed } from '../oracle/followedStage.ts';
import { cases } from '../support/cases.ts';
import { hygieneCase, imageHost } from '../support/hygieneCases.ts';
import { stagesOf } from '../support/projecting.ts';

/** More of them by hand: `PARALLAX_HYGIENE_CASES=5000`. */
const CASES = Number(process.env.PARALLAX_HYGIENE_CASES ?? cases(250, 100));

function compare(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  replay: string,
  points: readonly number[],
): void {
  compareFollowed({ source, stages, host: imageHost }, points, (found, expected) => {
    expect(found, `replay: ${replay}, at ${found.at}`).toEqual(expected);
  });
}

/** A stage that takes messages away, edits them and puts some in, other ones at each call point. */
function flickering(seed: number, position: number): ResolvedStage {
  return deciding(`flickering ${seed}`, position, (view, { at, stage, source }) => {
    const fates = new Map<number, Fate>();
    const items = view().items.flatMap((item): ViewItem[] => {
      if (item.kind !== 'source') return [item];
      const { index } = item;
      // A message stays as it is for a few call points.
      const rng = seededRng(seed * 7919 + index * 31 + Math.floor((at + (index % 3)) / 5) * 104_729);
      const given = rng.chance(0.08) ? [inserted(index, stage, rng)] : [];
      const chance = rng.next();
      if (chance < 0.15) fates.set(index, gone(stage));
      if (chance < 0.15) return given;
      if (chance < 0.8) return [...given, item];
      fates.set(index, { kind: 'rewritten', stage, rule: null, reason: 'edited' });
      const text = source.text(index).replace(/^\{/, `{"edited":${rng.below(3)},`);
      return [...given, { ...item, text }];
    });
    return { items, fates, explain: () => UNTOUCHED, report: () => ({ summary: '' }) };
  });
}

/** A stage that takes a beginning away at some call points, as a summary does that applies at one and not at the next. */
function beginningGone(name: string, position: number, endAt: (at: number) => number): ResolvedStage {
  return deciding(name, position, (view, { at, stage }) => {
    const end = endAt(at);
    const { items } = view();
    const isGone = (item: ViewItem): boolean => item.kind === 'source' && item.index < end;
    const fates = new Map<number, Fate>();
    for (const item of items) if (item.kind === 'source' && isGone(item)) fates.set(item.index, gone(stage));
    const stay = items.filter((item) => !isGone(item));
    return { items: stay, fates, explain: () => UNTOUCHED, report: () => ({ summary: '' }) };
  });
}

/**
 * The same of a span anywhere, in place of which something may stand. A few messages, in it or not, are edited or gone for six
 * places at a time: so some come back as something else, and some do not.
 */
function spanGone(seed: number, position: number, spanAt: (at: number) => Span): ResolvedStage {
  return deciding(`span ${seed}`, position, (view, { at, stage, source }) => {
    const { from, to, isFilled } = spanAt(at);
    const fates = new Map<number, Fate>();
    const items = view().items.flatMap((item): ViewItem[] => {
      if (item.kind !== 'source') return [item];
      const { index } = item;
      const rng = seededRng(seed * 7919 + index * 31 + Math.floor(at / 6) * 104_729);
      const given = isFilled && index === from ? [inserted(index, stage, rng)] : [];
      const chance = rng.next();
      const isGone = (index >= from && index < to) || chance < 0.03;
      if (isGone) fates.set(index, gone(stage));
      if (isGone) return given;
      if (chance < 0.95) return [...given, item];
      fates.set(index, { kind: 'rewritten', stage, rule: null, reason: 'edited' });
      return [...given, { ...item, text: source.text(index).replace(/^\{/, '{"edited":1,') }];
    });
    return { items, fates, explain: () => UNTOUCHED, report: () => ({ summary: '' }) };
  });
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly isFilled: boolean;
}

function gone(stage: number): Fate {
  return { kind: 'dropped', stage, rule: null, reason: 'gone' };
}

function deciding(
  key: string,
  position: number,
  decide: (view: () => View, context: StageContext) => WholeOutput,
): ResolvedStage {
  const stage = registered({
    kind: 'deciding',
    aliases: [],
    family: 'harn',
    title: 'Deciding',
    help: '',
    params: [],
    parse: () => ({ params: {}, problems: [] }),
    incremental: (_params, context) => new WholeRun(context, decide),
  });
  const { bound } = stage.bind({});
  if (bound === null) throw new Error('it has no options');
  return { ...stage, position, enabled: true, key, bound };
}

function inserted(index: number, stage: number, rng: Rng): ViewItem {
  const message = rng.pick([
    { role: 'user', content: 'put in' },
    { role: 'system', content: 'put in' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read0', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'put in' }] },
  ]);
  return { kind: 'synthetic', text: JSON.stringify(message), covers: { from: index, to: index }, stage };
}

/** Every place, not only those before an answer. */
function anyPlaces(rng: Rng, source: TranscriptSource): readonly number[] {
  const every = 1 + rng.below(3);
  return Array.from({ length: source.length + 1 }, (_, at) => at).filter((at) => at % every === 0);
}

describe('hygiene along the call points', () => {
  it('is followed', () => {
    expect(naiveStages(stagesOf({ version: 1, stages: ['hygiene'] }))).toEqual([]);
  });

  it('random histories under random options, behind random stages', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const { rng, source, spec, replay } = hygieneCase(seed);
      const points = rng.chance(0.5) ? callPoints(source) : anyPlaces(rng, source);
      compare(source, stagesOf(spec), replay, points);
    }
  });

  it('random histories of which anything may come and go', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const { rng, source, spec, replay } = hygieneCase(seed);
      const [hygiene] = stagesOf(spec).slice(-1);
      const stages = [flickering(seed, 0), ...(hygiene === undefined ? [] : [{ ...hygiene, position: 1 }])];
      compare(source, stages, `flickering ${replay}`, anyPlaces(rng, source));
    }
  });

  it('random histories of which a beginning goes and comes back as it was', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const { rng, source, spec, replay } = hygieneCase(seed);
      const [hygiene] = stagesOf(spec).slice(-1);
      // Of a few lengths, so that the same pieces come back behind other ones.
      const ends = [0, rng.below(source.length + 1), rng.below(source.length + 1)];
      const stages = [
        beginningGone(`beginning ${seed}`, 0, (at) => ends[seededRng(seed * 31 + at).below(3)] ?? 0),
        ...(hygiene === undefined ? [] : [{ ...hygiene, position: 1 }]),
      ];
      compare(source, stages, `beginning ${replay}`, anyPlaces(rng, source));
    }
  });

  it('random histories of which spans go, and come back whole, in part, or as something else', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const { rng, source, spec, replay } = hygieneCase(seed);
      const [hygiene] = stagesOf(spec).slice(-1);
      const spans = Array.from({ length: 4 }, (): Span => {
        const from = rng.below(source.length);
        return { from, to: from + rng.below(source.length - from + 1), isFilled: rng.chance(0.3) };
      });
      const none = { from: 0, to: 0, isFilled: false };
      const stages = [
        spanGone(seed, 0, (at) => spans[seededRng(seed * 31 + at).below(6)] ?? none),
        ...(hygiene === undefined ? [] : [{ ...hygiene, position: 1 }]),
      ];
      compare(source, stages, `spans ${replay}`, anyPlaces(rng, source));
    }
  });

  it('a beginning of more pieces than are kept, which comes back', () => {
    const [hygiene] = stagesOf({ version: 1, stages: [{ kind: 'hygiene', options: { profile: 'mistral' } }] });
    if (hygiene === undefined) throw new Error('the spec has one stage');
    const source = memorySource(longHistory(9_000));
    const { length } = source;
    const stages = [beginningGone('long', 0, (at) => (at % 2 === 0 ? length - 200 : 0)), { ...hygiene, position: 1 }];
    compare(source, stages, 'long', [length - 5, length - 4, length - 3, length - 2]);
  });
});

/** Calls of which some have the id of an earlier one, each with its result. */
function longHistory(messages: number): readonly string[] {
  const rng = seededRng(messages);
  const texts: unknown[] = [];
  while (texts.length < messages) {
    const id = `call_${rng.below(messages)}`;
    const name = 'read';
    texts.push({ role: 'assistant', content: [{ type: 'tool_use', id, name, input: {} }] });
    texts.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'here' }] });
  }
  return texts.map((text) => JSON.stringify(text));
}
