// The autopsy of a compaction. Along a walk: a CompactionWatch and a UsesFollower at each call point; behind it: autopsiesOf.
import type { MessageMeta } from '../../model/message.ts';
import { effectiveFrom, type TranscriptSource } from '../../model/transcript.ts';
import type { StageTokens } from '../../view/types.ts';
import { includesCache, inputOf } from '../usage/input.ts';
import type { Use } from '../uses/types.ts';
import { aftermathSteps, type PlacedAct } from './aftermath.ts';
import { isOfClient, itemSteps } from './items.ts';
import type { CompactionMoment } from './moments.ts';
import { StandingTexts } from './survive.ts';
import {
  type Autopsy,
  type CompactionTrigger,
  type CoveredItem,
  type LostItem,
  SURVIVAL_CLASSES,
  type Survival,
  type SurvivalClass,
} from './types.ts';

/** What compactions are held against. */
export interface AutopsyInput {
  readonly source: TranscriptSource;
  readonly metaAt: (index: number) => MessageMeta;
  readonly tokens: Pick<StageTokens, 'parts'>;
  readonly moments: readonly CompactionMoment[];
  /** All uses of the session, under the policy that the moments come from. */
  readonly uses: readonly Use[];
  /** The model's; null = not known. Unit: tokens. */
  readonly window: number | null;
}

/** Each compaction with what survived it and what came behind it, in order. */
export function autopsiesOf(input: AutopsyInput): readonly Autopsy[] {
  const steps = autopsySteps(input);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** The same in steps of a few milliseconds. */
export function* autopsySteps(input: AutopsyInput): Generator<void, readonly Autopsy[], void> {
  const includes = includesCache(usagesOf(input));
  const found: Autopsy[] = [];
  const acts = new Map<number, readonly PlacedAct[]>();
  for (const index of input.moments.keys()) {
    found.push(yield* autopsyOf(input, index, includes, acts));
    yield;
  }
  return found;
}

function* autopsyOf(
  input: AutopsyInput,
  index: number,
  includes: boolean,
  acts: Map<number, readonly PlacedAct[]>,
): Generator<void, Autopsy, void> {
  const { source, moments } = input;
  const moment = moments[index]!;
  const { at, recorded, stage, placeholder, covered } = moment;
  const later = moments.slice(index + 1).filter((other) => other.at > at);
  const until = later[0]?.at ?? source.length;
  const to = later.find((other) => other.recorded !== null)?.at ?? source.length;
  const uses = input.uses.filter((use) => use.at >= at && use.at < to);
  const from = recorded === null ? at : effectiveFrom(recorded);
  const isOpaque = recorded?.kind === 'opaque';
  return {
    index,
    at,
    recordedAt: recorded?.at ?? null,
    summaryIndex: recorded?.summaryIndex ?? null,
    stage,
    ...triggerOf(input, moment, includes),
    placeholder,
    opaque: isOpaque,
    incomplete: recorded?.incomplete === true,
    covered,
    survival: isOpaque ? null : yield* survivalOf(input, moment, uses),
    after: yield* aftermathSteps({ source, tokens: input.tokens, uses, covered, at, from, to, until, acts }),
  };
}

function* usageRange({ source, metaAt }: AutopsyInput) {
  for (let index = 0; index < source.length; index++) {
    const { usage } = metaAt(index);
    if (usage !== undefined) yield usage;
  }
}

function usagesOf(input: AutopsyInput) {
  return [...usageRange(input)];
}

// The runtime's own figures, else those of the answers around it. Never a count.
function triggerOf(input: AutopsyInput, { at, recorded }: CompactionMoment, includes: boolean): CompactionTrigger {
  if (recorded === null) return { trigger: null, tokensBefore: null, tokensAfter: null, window: input.window };
  const recordedInput = (index: number): number | null => {
    const { usage, apiError } = input.metaAt(index);
    return usage === undefined || apiError === true ? null : inputOf(usage, includes);
  };
  return {
    trigger: recorded.trigger ?? null,
    tokensBefore: recorded.preTokens ?? lastBefore(recorded.at, recordedInput),
    tokensAfter: recorded.postTokens ?? (at < input.source.length ? recordedInput(at) : null),
    window: input.window,
  };
}

function lastBefore(end: number, tokensAt: (index: number) => number | null): number | null {
  for (let index = end - 1; index >= 0; index--) {
    const tokens = tokensAt(index);
    if (tokens !== null) return tokens;
  }
  return null;
}

/** Items that are looked for between two pauses. */
const ITEMS_A_STEP = 32;

function* survivalOf(
  { source, metaAt }: AutopsyInput,
  { covered, from, standing }: CompactionMoment,
  uses: readonly Use[],
): Generator<void, Readonly<Record<SurvivalClass, Survival>>, void> {
  const texts = new StandingTexts(source);
  for (const [nth, item] of standing.entries()) {
    // What the client attached again behind the summary was carried over, what a person wrote was not.
    if (item.kind === 'synthetic' || item.index < from || isOfClient(metaAt(item.index))) texts.add(item);
    if (nth % ITEMS_A_STEP === 0) yield;
  }
  const found = Object.groupBy(yield* itemSteps({ source, metaAt, covered }), (item) => item.class);
  const users = new LaterUses(uses);
  const entries: (readonly [SurvivalClass, Survival])[] = [];
  for (const name of SURVIVAL_CLASSES) entries.push([name, yield* classSurvival(found[name] ?? [], texts, users)]);
  return Object.fromEntries(entries) as Record<SurvivalClass, Survival>;
}

function* classSurvival(
  items: readonly CoveredItem[],
  texts: StandingTexts,
  users: LaterUses,
): Generator<void, Survival, void> {
  const lost: LostItem[] = [];
  let words = 0;
  for (const [nth, item] of items.entries()) {
    if (nth % ITEMS_A_STEP === 0) yield;
    const how = texts.of(item);
    if (how === 'words') words++;
    if (how !== null) continue;
    const { class: _class, ...own } = item;
    lost.push({ ...own, usedLater: users.of(item) });
  }
  lost.sort((a, b) => b.usedLater.length - a.usedLater.length || a.index - b.index);
  return { total: items.length, survived: items.length - lost.length, words, lost };
}

const NAMED: ReadonlySet<SurvivalClass> = new Set(['paths', 'files_edited', 'identifiers', 'numbers']);

/** Which assistant messages relied on an item, by the uses behind a compaction. */
class LaterUses {
  readonly #byName = new Map<string, number[]>();
  readonly #byMessage = new Map<number, Use[]>();

  constructor(uses: readonly Use[]) {
    for (const use of uses) {
      if (use.changed) continue;
      if (use.kind === 'anchor') push(this.#byName, use.evidence, use.at);
      else for (const { index } of use.sources) push(this.#byMessage, index, use);
    }
  }

  of({ class: kind, text, index, part, from, to }: CoveredItem): readonly number[] {
    const named = NAMED.has(kind) ? (this.#byName.get(text) ?? []) : [];
    const quoted = NAMED.has(kind) ? [] : (this.#byMessage.get(index) ?? []);
    const own = quoted.filter(({ sources }) =>
      sources.some((one) => one.index === index && one.part === part && one.from < to && from < one.to),
    );
    return [...new Set([...named, ...own.map(({ at }) => at)])].sort((a, b) => a - b);
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
