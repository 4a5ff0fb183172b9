// What the provider shows the model of a request. A turn-scoped system message (`clear_at: "next_user_message"`) is rendered
// only while no user's message follows it; then it costs nothing, but stays in the request and must go on being sent. So
// whether it counts depends on the call point. It is the last step of every request, behind the stages of the spec, and
// shown like one of them. Source: platform.claude.com, build-with-claude/mid-conversation-system-messages (September 2026).
import type { TranscriptSource } from '../model/transcript.ts';
import { isRecord, ownAt } from '../util/unknown.ts';
import type { IncrementalSteps } from '../view/incremental.ts';
import { LiveView } from '../view/liveView.ts';
import { itemFacts } from '../view/reader.ts';
import { NO_TRAITS } from '../view/stageTraits.ts';
import type { Fate, FateKind, SourceItem, StageMemo, StageReport, View, ViewItem } from '../view/types.ts';
import { countOf } from '../view/words.ts';
import type { LiveStage } from './liveStage.ts';
import type { ResolvedStage } from './parseSpec.ts';

export const RENDERING_KIND = 'turn_scoped';
export const RENDERING_TITLE = 'Turn-scoped messages';

/** The rule of a message that is sent and no longer shown to the model. */
export const CLEARED_RULE = 'turn_scoped_cleared';

class ScopedTable {
  readonly indices: number[] = [];
  read = 0;
}

/** Source indices of the turn-scoped system messages, ascending. Read once, and on where the transcript has grown. */
export function turnScoped(source: TranscriptSource, memo: StageMemo): readonly number[] {
  const table = memo.get('rendering.turnScoped', () => new ScopedTable());
  for (; table.read < source.length; table.read++) {
    if (isTurnScoped(source, table.read)) table.indices.push(table.read);
  }
  return table.indices;
}

function isTurnScoped(source: TranscriptSource, index: number): boolean {
  if (source.facts(index).role !== 'system') return false;
  const text = source.text(index);
  if (!text.includes('"clear_at"')) return false;
  const message: unknown = JSON.parse(text);
  return isRecord(message) && ownAt(message, 'clear_at') === 'next_user_message';
}

/** The step as stages are listed; `position` = behind all others. */
export function renderingStage(position: number): ResolvedStage {
  return {
    position,
    kind: RENDERING_KIND,
    title: RENDERING_TITLE,
    family: 'recorded',
    enabled: true,
    usesTokens: false,
    rereads: false,
    traits: NO_TRAITS,
    keepsThinking: 'yes',
    key: RENDERING_KIND,
    bound: { params: {}, keepsThinking: 'yes', begin: () => never() },
  };
}

function never(): never {
  throw new Error('what is rendered is not worked out as a stage');
}

/** What the step comes to at a call point. */
export interface RenderedView {
  readonly view: View;
  readonly fates: ReadonlyMap<number, Fate>;
  readonly report: StageReport;
}

/** Marks what is not rendered; null = the transcript holds no turn-scoped message before the call point. */
export function renderView(
  source: TranscriptSource,
  memo: StageMemo,
  at: number,
  view: View,
  position: number,
): RenderedView | null {
  const scoped = new Set(turnScoped(source, memo));
  const [first] = scoped;
  if (first === undefined || first >= at) return null;
  const items = [...view.items];
  const fates = new Map<number, Fate>();
  let hasUser = false;
  for (let place = items.length - 1; place >= 0; place--) {
    const item = items[place];
    if (item === undefined) continue;
    if (item.kind === 'source' && scoped.has(item.index)) {
      if (!hasUser) continue;
      items[place] = unrendered(item, memo);
      fates.set(item.index, clearedFate(position));
    } else hasUser ||= itemFacts(item, source, memo).role === 'user';
  }
  return { view: fates.size === 0 ? view : { items }, fates, report: reportOf(position, fates.size, scoped.size) };
}

/** The fate of a turn-scoped message that a user's message has cleared: it stays, and is not shown. */
export function clearedFate(stage: number): Fate {
  const reason =
    'turn-scoped (clear_at): a user’s message came after it, so the model is no longer shown it and it costs nothing; it must go on being sent';
  return { kind: 'kept', stage, rule: CLEARED_RULE, reason, chip: 'not rendered any more' };
}

// The same item whenever it is cleared: what is remembered of it goes by identity.
function unrendered(item: SourceItem, memo: StageMemo): SourceItem {
  const known = memo.get('rendering.unrendered', () => new WeakMap<SourceItem, SourceItem>());
  const made = known.get(item) ?? { ...item, unrendered: true as const };
  known.set(item, made);
  return made;
}

function reportOf(stage: number, cleared: number, all: number): StageReport {
  return {
    stage,
    kind: RENDERING_KIND,
    title: RENDERING_TITLE,
    enabled: true,
    summary: `${cleared} of ${countOf(all, 'turn-scoped message')} not rendered any more`,
    reason: 'turn_scoped',
    counts: {},
    reclaimedChars: 0,
    reclaimedTokens: 0,
    rootsConsulted: [],
    blockedBy: null,
    problems: [],
  };
}

/** The step along the call points. */
export class LiveRendering implements LiveStage {
  readonly stage: ResolvedStage;
  readonly output: LiveView;
  readonly touched: Iterable<number> = [];
  readonly blocked = false;
  readonly problems = [];
  readonly #source: TranscriptSource;
  readonly #memo: StageMemo;
  readonly #scoped: readonly number[];
  #lastUser = -1;

  constructor(source: TranscriptSource, memo: StageMemo, position: number) {
    this.stage = renderingStage(position);
    this.output = new LiveView(source.length);
    this.#source = source;
    this.#memo = memo;
    this.#scoped = turnScoped(source, memo);
  }

  prepare(): Iterable<void> {
    return [];
  }

  // biome-ignore lint/correctness/useYield: a step is a generator for those that ask their host
  *step(input: LiveView): IncrementalSteps {
    this.#lastUser = this.#findLastUser(input);
    for (const cell of input.changed.keys()) this.output.set(cell, input.at(cell));
    for (const cell of this.#scoped) {
      const items = input.at(cell);
      const last = items.at(-1);
      if (last?.kind !== 'source') continue;
      this.output.set(cell, this.#isCleared(cell) ? [...items.slice(0, -1), unrendered(last, this.#memo)] : items);
    }
  }

  // Found from the end: a request seldom goes far without one.
  #findLastUser(input: LiveView): number {
    for (let cell = input.cells - 1; cell >= 0; cell--) {
      const items = input.at(cell);
      if (items.some((item) => this.#isUser(item))) return cell;
    }
    return -1;
  }

  #isUser(item: ViewItem): boolean {
    return itemFacts(item, this.#source, this.#memo).role === 'user';
  }

  #isCleared(index: number): boolean {
    return this.#lastUser > index;
  }

  readonly explainsKept = true;

  kind(index: number): FateKind | null {
    return this.#scoped.includes(index) && this.#isCleared(index) ? 'kept' : null;
  }

  fateOf(index: number): Fate | null {
    return this.kind(index) === null ? null : clearedFate(this.stage.position);
  }
}
