// The slow obvious way to the figures at all call points: project at each, compare the messages one by one.

import { CATEGORIES } from '../../core/model/category.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import type { CacheBreak } from '../../core/projection/cacheBreak.ts';
import {
  type CallPointFigures,
  type MarkFigures,
  MOST_MARKS,
  type TallyItem,
  talliedParts,
} from '../../core/projection/callPointSums.ts';
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import { type ProjectOptions, project, type StageStep } from '../../core/projection/project.ts';
import type { Projection } from '../../core/projection/types.ts';
import { countFates } from '../../core/view/fates.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemFacts } from '../../core/view/reader.ts';
import type { StageMemo, ViewItem } from '../../core/view/types.ts';

/** Tokens for tests: one for each four characters of a part, and one for the message. */
export function plainTally(source: TranscriptSource, memo: StageMemo): TallyItem {
  return (item, out) => {
    out[0]! += 1;
    const { parts } = itemFacts(item, source, memo);
    const tokens = parts.map((part) => Math.ceil(part.chars / 4));
    for (const [at, part] of parts.entries()) out[CATEGORIES.indexOf(part.category)]! += tokens[at] ?? 0;
    const { blocks, marks } = talliedParts(parts, tokens);
    return { blocks, marks: marks.map((mark) => ({ ...mark, tokens: mark.tokens + 1 })) };
  };
}

function countsIn({ thinking }: Projection): CallPointFigures['thinking'] {
  if (thinking === null) return null;
  const { onMismatch, sent, failing, foreign, dropped } = thinking;
  return { onMismatch, sent, failing, foreign, dropped };
}

interface Seen {
  readonly at: number;
  readonly items: readonly ViewItem[];
  readonly steps: readonly StageStep[];
}

/** As runCallPoints, by projecting anew at each call point. */
export function naiveCallPoints(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  points: readonly number[],
  options: ProjectOptions = {},
): readonly CallPointFigures[] {
  const memo = options.memo ?? createMemo();
  const tally = plainTally(source, memo);
  let last: Seen | null = null;
  return points.map((at) => {
    const steps: StageStep[] = [];
    const projection = project(source, stages, at, { ...options, memo, observe: (step) => steps.push(step) });
    const seen: Seen = { at, items: projection.view.items, steps };
    const byCategory = tokensOf(seen.items, tally);
    const figures: CallPointFigures = {
      at,
      items: seen.items.length,
      blocks: blocksOf(seen.items, tally),
      byCategory,
      counts: countFates(projection.fates),
      blocked: projection.providerSafetyBlocked,
      thinking: countsIn(projection),
      marks: marksOf(seen.items, last?.at ?? 0, tally),
      prefix: last === null ? null : prefixOf(last, seen, tally),
    };
    last = seen;
    return figures;
  });
}

function tokensOf(items: readonly ViewItem[], tally: TallyItem): number[] {
  const out = new Float64Array(CATEGORIES.length);
  for (const item of items) tally(item, out);
  return [...out];
}

function blocksOf(items: readonly ViewItem[], tally: TallyItem): number {
  return items.reduce((sum, item) => sum + tally(item, new Float64Array(CATEGORIES.length)).blocks, 0);
}

function marksOf(items: readonly ViewItem[], before: number, tally: TallyItem): readonly MarkFigures[] {
  const all = items.flatMap((item, at) => {
    const { marks } = tally(item, new Float64Array(CATEGORIES.length));
    if (marks.length === 0) return [];
    const [tokens, blocks] = [total(items.slice(0, at), tally), blocksOf(items.slice(0, at), tally)];
    // A synthetic message stands where the next source message does.
    const place = items.slice(at).find((next) => next.kind === 'source');
    const isNew = place?.kind !== 'source' || place.index >= before;
    return marks.map((mark) => ({ tokens: tokens + mark.tokens, blocks: blocks + mark.blocks, ttl: mark.ttl, isNew }));
  });
  return all.slice(-MOST_MARKS);
}

function total(items: readonly ViewItem[], tally: TallyItem): number {
  return tokensOf(items, tally).reduce((sum, tokens) => sum + tokens, 0);
}

function isSame(a: ViewItem, b: ViewItem): boolean {
  if (a.kind === 'source') return b.kind === 'source' && a.index === b.index && a.text === b.text;
  return b.kind === 'synthetic' && a.text === b.text;
}

function prefixOf(last: Seen, now: Seen, tally: TallyItem): CallPointFigures['prefix'] {
  let messages = 0;
  while (messages < last.items.length && messages < now.items.length) {
    if (!isSame(last.items[messages]!, now.items[messages]!)) break;
    messages++;
  }
  const behind = now.items.slice(messages);
  const old = last.items[messages];
  const after = now.items[messages];
  return {
    messages,
    tokens: total(now.items.slice(0, messages), tally),
    blocks: blocksOf(now.items.slice(0, messages), tally),
    again: total(
      behind.filter((item) => item.kind === 'synthetic' || item.index < last.at),
      tally,
    ),
    brokenBy: old === undefined || after === undefined ? null : breakOf(last, now, old, after),
  };
}

function breakOf(last: Seen, now: Seen, old: ViewItem, after: ViewItem): CacheBreak | null {
  const byOld = old.kind === 'source' ? changedBy(last, now, old.index) : null;
  if (byOld !== null) return byOld;
  if (after.kind === 'source') {
    const byNew = changedBy(last, now, after.index);
    if (byNew !== null || old.kind === 'source') return byNew;
  }
  const made = after.kind === 'synthetic' ? after : old;
  const position = made.kind === 'synthetic' ? made.stage : -1;
  const change = after.kind !== 'synthetic' ? 'removed' : old.kind === 'synthetic' ? 'replaced' : 'inserted';
  const { stage } = now.steps.find(({ stage }) => stage.position === position) ?? {};
  if (stage === undefined) return null;
  const title = stage.title;
  return { stage: position, kind: stage.kind, title, index: null, change, fate: null, rule: null, reason: '' };
}

function changedBy(last: Seen, now: Seen, index: number): CacheBreak | null {
  for (const [at, step] of now.steps.entries()) {
    const before = itemIn(last.steps[at]?.output.view.items ?? [], index);
    const after = itemIn(step.output.view.items, index);
    if (before === after || (before !== null && after !== null && isSame(before, after))) continue;
    const stage = step.stage;
    const fate = step.output.fates.get(index);
    const isBack = before === null || (after !== null && before.text !== undefined && after.text === undefined);
    const change = after === null ? 'removed' : isBack ? 'restored' : 'edited';
    const who = { stage: stage.position, kind: stage.kind, title: stage.title, index, change } as const;
    return { ...who, fate: fate?.kind ?? null, rule: fate?.rule ?? null, reason: fate?.reason ?? '' };
  }
  return null;
}

function itemIn(items: readonly ViewItem[], index: number): ViewItem | null {
  return items.find((item) => item.kind === 'source' && item.index === index) ?? null;
}

/** Figures as the two ways must agree on them: sentences only where the stage's fates hold one. */
export function comparable(figures: CallPointFigures, expected: CallPointFigures | undefined): CallPointFigures {
  const broken = figures.prefix?.brokenBy ?? null;
  if (figures.prefix === null || broken === null) return figures;
  const said = expected?.prefix?.brokenBy;
  const silent = { ...broken, fate: null, rule: null, reason: '' };
  return said?.reason === '' ? { ...figures, prefix: { ...figures.prefix, brokenBy: silent } } : figures;
}
