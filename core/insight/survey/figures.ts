// Figures of a transcript: requests by time and model as they are recorded, calls by tool.
import { hasFailedIn } from '../../model/failure.ts';
import type { MessageMeta, Usage } from '../../model/message.ts';
import { toolSide } from '../../model/toolSide.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { callPoints, turnStarts } from '../../model/turns.ts';
import { millisecondsOf } from '../../util/instant.ts';
import { billedInputs, recordedCost } from '../money.ts';
import type { Pricing } from '../pricing.ts';
import { includesCache, outputOf } from '../usage/input.ts';
import { type HeldSlot, SLOT_MINUTES, type SurveyFigures, type ToolFigures, type UsageSlot } from './types.ts';

/** What figures are made of. */
export interface FiguresInput {
  readonly source: TranscriptSource;
  readonly meta: (index: number) => MessageMeta;
  readonly pricing: Pricing;
  /** Tokens of a part, as counted. */
  readonly tokens: (index: number, part: number) => number;
  /** Where each finding is; absent = there are none. */
  readonly findings?: readonly { readonly at: number }[];
}

/** The figures of a transcript. */
export function surveyFigures(input: FiguresInput): SurveyFigures {
  const { source } = input;
  return { turns: turnStarts(source).length, slots: slotsOf(input), held: heldOf(input), tools: toolsOf(input) };
}

/** What all requests and their answers cost, as recorded, in US dollars; null = none is recorded, or no price is known. */
export function slotsCost(slots: readonly UsageSlot[]): number | null {
  const costs = slots.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

/** How many requests record their input, and have no price. */
export function slotsUnpriced(slots: readonly UsageSlot[]): number {
  return slots.reduce((sum, { cost, recorded }) => sum + (cost === null ? recorded : 0), 0);
}

interface Answer {
  readonly at: number;
  readonly slot: number | null;
  readonly model: string | null;
  /** Null = nothing is recorded of its request. */
  readonly usage: Usage | null;
}

function slotsOf({ source, meta, pricing }: FiguresInput): readonly UsageSlot[] {
  const answers = callPoints(source).flatMap((at): Answer[] => {
    if (at >= source.length) return [];
    const { usage = null, apiError, timestamp } = meta(at);
    // A client's error text is not an answer to a request that was billed.
    return apiError === true ? [] : [{ at, slot: slotOf(timestamp), model: pricing.at(at).model, usage }];
  });
  const includes = includesCache(answers.flatMap(({ usage }) => usage ?? []));
  const groups = new Map<string, Answer[]>();
  for (const answer of answers) {
    const key = JSON.stringify([answer.slot, answer.model]);
    const group = groups.get(key);
    if (group) group.push(answer);
    else groups.set(key, [answer]);
  }
  return [...groups.values()].map((group) => slotFigures(group, pricing, includes));
}

function slotOf(timestamp: string | undefined): number | null {
  const time = millisecondsOf(timestamp);
  return time === null ? null : Math.floor(time / (SLOT_MINUTES * 60_000));
}

function slotFigures(answers: readonly Answer[], pricing: Pricing, includes: boolean): UsageSlot {
  const recorded = answers.flatMap(({ at, usage }) => (usage === null ? [] : [{ at, usage }]));
  const usages = recorded.map(({ usage }) => usage);
  const billed = usages.map((usage) => billedInputs(usage, includes));
  const inputs = billed.flatMap((own) => own ?? []);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    slot: answers[0]?.slot ?? null,
    model: answers[0]?.model ?? null,
    requests: answers.length,
    recorded: billed.filter((own) => own !== null).length,
    input: sum(inputs.map(({ total }) => total)),
    cacheRead: sum(inputs.map(({ read }) => read)),
    cacheWrite: sum(inputs.map(({ written }) => written)),
    output: sum(usages.map((usage) => outputOf(usage) ?? 0)),
    cost: recordedCost(pricing, recorded, includes)?.total ?? null,
  };
}

// Each message, compaction and finding where it is: a session goes over several days, and over several models.
function heldOf({ source, meta, pricing, findings = [] }: FiguresInput): readonly HeldSlot[] {
  const slots = slotsOfMessages(source.length, meta);
  const groups = new Map<string, { -readonly [K in keyof HeldSlot]: HeldSlot[K] }>();
  const add = (what: 'messages' | 'compactions' | 'findings', at: number, own: number | null = null): void => {
    const slot = own ?? slots[Math.min(at, slots.length - 1)] ?? null;
    const { model } = pricing.at(at);
    const key = JSON.stringify([slot, model]);
    const group = groups.get(key) ?? { slot, model, messages: 0, compactions: 0, findings: 0 };
    group[what]++;
    groups.set(key, group);
  };
  for (let index = 0; index < source.length; index++) add('messages', index);
  for (const { at, timestamp } of source.compactions()) add('compactions', at, slotOf(timestamp));
  for (const { at } of findings) add('findings', at);
  return [...groups.values()];
}

// Before the first time that is recorded that one; null in a transcript that records none.
function slotsOfMessages(length: number, meta: FiguresInput['meta']): readonly (number | null)[] {
  const own = Array.from({ length }, (_, index) => slotOf(meta(index).timestamp));
  let last = own.find((slot) => slot !== null) ?? null;
  return own.map((slot) => {
    last = slot ?? last;
    return last;
  });
}

function toolsOf({ source, tokens }: FiguresInput): readonly ToolFigures[] {
  const tools = new Map<string, { name: string; calls: number; errors: number; tokens: number }>();
  const nameOf = new Map<string, string>();
  const toolOf = (name: string) => {
    const known = tools.get(name) ?? { name, calls: 0, errors: 0, tokens: 0 };
    tools.set(name, known);
    return known;
  };
  for (let index = 0; index < source.length; index++) {
    for (const [at, part] of source.facts(index).parts.entries()) {
      const { name, callId } = part;
      const side = toolSide(part);
      if (side === 'call' && name != null) {
        toolOf(name).calls++;
        if (callId != null) nameOf.set(callId, name);
      }
      const called = side === 'result' ? ((callId == null ? undefined : nameOf.get(callId)) ?? name) : undefined;
      if (called == null) continue;
      const tool = toolOf(called);
      tool.tokens += tokens(index, at);
      if (hasFailedIn(source, index, part)) tool.errors++;
    }
  }
  return [...tools.values()].sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
}
