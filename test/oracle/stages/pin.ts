// The stage pin read from its description alone: the whole view at once, every exchange of the history, nothing kept.

import { decodedFields } from '../../../core/model/decode.ts';
import { findExchanges } from '../../../core/model/exchanges.ts';
import { pin as definition } from '../../../core/stages/pin/index.ts';
import { instructionParts } from '../../../core/stages/pin/instructionFile.ts';
import type { PinParams } from '../../../core/stages/pin/params.ts';
import { replaceAt, valueTextAt } from '../../../core/util/json/index.ts';
import { removeParts } from '../../../core/view/editMessage.ts';
import { countFates, keptBecause } from '../../../core/view/fates.ts';
import { editWithout, originOf } from '../../../core/view/origins.ts';
import { itemFacts } from '../../../core/view/reader.ts';
import type { Fate, SourceItem, StageContext, StageReport, View, ViewItem } from '../../../core/view/types.ts';
import type { PlainStage } from './plain.ts';

interface Wish {
  readonly pinned: Set<number>;
  readonly paired: Map<number, number>;
  words: string | null;
}

const { incremental: _incremental, ...identity } = definition;

/** Pin in its plain form. */
export const pin: PlainStage<PinParams> = {
  ...identity,
  *run(view, params, context) {
    const wishes = wishesOf(params, context);
    const fates = new Map<number, Fate>();
    const items = [...view.items];
    for (const [index, wish] of [...wishes].sort(([a], [b]) => a - b)) {
      const made = standing(index, wish, view, context);
      if (made === null) continue;
      put(made.item, items);
      fates.set(index, fateOf(index, made, wish, context));
    }
    return {
      view: fates.size === 0 ? view : { items },
      fates,
      report: reportOf(fates, params, context),
      explain(position) {
        const item = view.items[position];
        const words = item?.kind === 'source' ? (wishes.get(item.index)?.words ?? null) : null;
        return words === null
          ? keptBecause(context.stage, 'not_concerned', 'kept: it is not pinned')
          : keptBecause(context.stage, 'pinned', `kept: pinned (${words}), and no earlier stage took it`);
      },
    };
  },
};

function wishesOf(params: PinParams, { source, at }: StageContext): Map<number, Wish> {
  const wishes = new Map<number, Wish>();
  const open = (index: number): Wish => {
    const wish = wishes.get(index) ?? { pinned: new Set(), paired: new Map(), words: null };
    wishes.set(index, wish);
    return wish;
  };
  const name = (index: number, parts: Iterable<number>, words: string): void => {
    const all = [...parts];
    if (all.length === 0) return;
    const wish = open(index);
    for (const part of all) wish.pinned.add(part);
    wish.words ??= words;
  };
  for (const index of params.messages) if (index < at) name(index, source.facts(index).parts.keys(), 'messages');
  const turns = Array.from({ length: at }, (_, index) => index).filter((index) => source.facts(index).beginsTurn);
  const byKind = new Map<number, string>();
  for (const index of turns) {
    const isFirst = index === turns[0] && params.kinds.has('first_user_message');
    if (isFirst) byKind.set(index, 'kinds: first user message');
    if (params.kinds.has('all_user_messages')) byKind.set(index, 'kinds: all user messages');
  }
  for (let index = 0; index < at; index++) {
    const { parts, role } = source.facts(index);
    const said = [...parts.keys()].filter((part) => parts[part]?.kind !== 'tool_result');
    const words = byKind.get(index);
    if (words !== undefined) name(index, said, words);
    if (!params.kinds.has('instruction_files') || role === 'assistant') continue;
    name(index, instructionParts(JSON.parse(source.text(index)), parts), 'kinds: instruction files');
  }
  for (const text of params.texts) nameText(text, at, source, name);
  pair(wishes, open, source, at);
  return wishes;
}

function nameText(
  text: string,
  at: number,
  source: StageContext['source'],
  name: (index: number, parts: Iterable<number>, words: string) => void,
): void {
  for (let index = 0; index < at; index++) {
    const message: unknown = JSON.parse(source.text(index));
    const part = source
      .facts(index)
      .parts.findIndex((each) =>
        decodedFields(message, each).some((field) => field.toLowerCase().includes(text.toLowerCase())),
      );
    if (part < 0) continue;
    name(index, [part], `texts: “${text}”`);
    return;
  }
}

function pair(
  wishes: ReadonlyMap<number, Wish>,
  open: (index: number) => Wish,
  source: StageContext['source'],
  at: number,
): void {
  const isPinned = (place: { message: number; part: number }) =>
    wishes.get(place.message)?.pinned.has(place.part) === true;
  const asked: { message: number; part: number; by: number }[] = [];
  for (const { calls } of findExchanges(at, (index) => source.facts(index))) {
    for (const call of calls) {
      if (isPinned(call)) for (const result of call.results) asked.push({ ...result, by: call.message });
      for (const result of call.results) {
        if (isPinned(result)) asked.push({ message: call.message, part: call.part, by: result.message });
      }
    }
  }
  asked.sort((a, b) => a.by - b.by);
  for (const { message, part, by } of asked) {
    const { paired } = open(message);
    if (!paired.has(part)) paired.set(part, by);
  }
}

function standing(index: number, { pinned, paired }: Wish, view: View, { source, memo }: StageContext) {
  const own = view.items.find((item): item is SourceItem => item.kind === 'source' && item.index === index) ?? null;
  if (own !== null && own.text === undefined) return null;
  const facts = source.facts(index);
  const said = source.text(index);
  const places = new Map<number, number>();
  if (own !== null) {
    for (const at of itemFacts(own, source, memo).parts.keys()) {
      for (const origin of originOf(own, at)) if (origin.message === index) places.set(origin.part, at);
    }
  }
  const elsewhere = new Set(
    view.items
      .filter((item) => item !== own && item.origins !== undefined)
      .flatMap((item) => (item.origins ?? []).flat())
      .filter(({ message }) => message === index)
      .map(({ part }) => part),
  );
  const pathNow = (part: number) =>
    own === null ? [] : (itemFacts(own, source, memo).parts[places.get(part) ?? 0]?.path ?? []);
  const differs = (part: number) =>
    places.has(part) &&
    own?.text !== undefined &&
    valueTextAt(own.text, pathNow(part)) !== valueTextAt(said, facts.parts[part]?.path ?? []);
  const isGone = (part: number) => !places.has(part) && !elsewhere.has(part);
  const back = [...pinned].filter((part) => isGone(part) || differs(part));
  const wanted = new Set([...back, ...[...paired.keys()].filter(isGone)]);
  if (wanted.size === 0) return null;
  const raw: SourceItem = { kind: 'source', index };
  const about = { isPinned: back.length > 0, parts: [...wanted].sort((a, b) => a - b) };
  if (wanted.size === facts.parts.length) return { item: raw, ...about };
  if (own !== null && [...wanted].every((part) => places.has(part))) {
    let text = own.text ?? '';
    for (const part of wanted)
      text = replaceAt(text, pathNow(part), valueTextAt(said, facts.parts[part]?.path ?? []) ?? '');
    return { item: text === said ? raw : { ...own, text }, ...about };
  }
  const gone = new Set([...facts.parts.keys()].filter((part) => !wanted.has(part) && !places.has(part)));
  if (gone.size === 0) return { item: raw, ...about };
  return { item: editWithout(raw, removeParts(said, facts, gone), facts, gone), ...about };
}

// In place of what stands there of it, or between its neighbours: behind what stands for something before it.
function put(item: SourceItem, items: ViewItem[]): void {
  const own = items.findIndex((each) => each.kind === 'source' && each.index === item.index);
  if (own >= 0) {
    items[own] = item;
    return;
  }
  let at = items.findLastIndex((each) => each.kind === 'source' && each.index < item.index) + 1;
  for (; at < items.length; at++) {
    const each = items[at];
    if (each?.kind !== 'synthetic') break;
    if (each.covers.from >= item.index && each.covers.to > item.index) break;
  }
  items.splice(at, 0, item);
}

function fateOf(
  index: number,
  { item, isPinned, parts }: { item: SourceItem; isPinned: boolean; parts: readonly number[] },
  wish: Wish,
  { source, stage }: StageContext,
): Fate {
  const kind = item.text === undefined ? 'kept' : 'rewritten';
  const own =
    kind === 'kept' ? {} : { parts: parts.map((part) => ({ part, kind: 'kept' as const, reason: 'put back' })) };
  const by = { stage, rule: 'pinned', back: true } as const;
  if (isPinned) {
    const reason = `put back${kind === 'kept' ? '' : ' in part'}: it is pinned (${wish.words ?? 'messages'})`;
    return { kind, reason, chip: 'pinned', ...own, ...by };
  }
  const [because = index] = [...wish.paired.values()].sort((a, b) => a - b);
  const side =
    source.facts(index).role === 'assistant'
      ? 'a result is not sent without its call'
      : 'a call is not sent without its result';
  const reason = `put back with #${because}, which is pinned: ${side}`;
  return { kind, reason, chip: `with #${because}`, because, ...own, ...by };
}

function reportOf(fates: ReadonlyMap<number, Fate>, { messages }: PinParams, context: StageContext): StageReport {
  const { length } = context.source;
  const { size } = fates;
  return {
    stage: context.stage,
    kind: 'pin',
    title: 'Pin',
    enabled: true,
    summary: size === 0 ? 'nothing to put back' : `${size} ${size === 1 ? 'message' : 'messages'} put back`,
    reason: 'pin',
    counts: countFates(fates.values()),
    reclaimedChars: 0,
    reclaimedTokens: 0,
    rootsConsulted: [],
    blockedBy: null,
    problems: [...messages]
      .filter((index) => index >= length)
      .map((index) => ({
        code: 'pin.no_such_message',
        severity: 'warning' as const,
        text: `There is no message #${index} to pin: the transcript has ${length} ${length === 1 ? 'message' : 'messages'}.`,
        where: { path: 'messages' },
      })),
    meta: { put_back: size },
  };
}
