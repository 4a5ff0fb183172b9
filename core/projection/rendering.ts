// What the provider shows the model of a request. A turn-scoped system message (`clear_at: "next_user_message"`) is rendered
// only while no user's message follows it; then it costs nothing, but stays in the request and must still be sent. So
// whether it counts depends on the call point. It is the last step of every request, behind the stages of the spec, and
// shown like one of them. Source: platform.claude.com, build-with-claude/mid-conversation-system-messages (September 2026).
import { systemMessages } from '../model/systemMessages.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { isRecord, ownAt } from '../util/unknown.ts';
import { UNTOUCHED } from '../view/fates.ts';
import type { IncrementalContext, IncrementalRun, ReportDetails } from '../view/incremental.ts';
import type { LiveView } from '../view/liveView.ts';
import type { Overlay } from '../view/overlay.ts';
import { itemFacts } from '../view/reader.ts';
import type { Fate, SourceItem, StageMemo, ViewItem } from '../view/types.ts';
import { countOf, grouped } from '../view/words.ts';
import type { ResolvedStage } from './parseSpec.ts';
import { providerStep } from './providerStep.ts';

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
  if (table.read === source.length) return table.indices;
  for (const index of systemMessages(source, table.read)) {
    if (isTurnScoped(source, index)) table.indices.push(index);
  }
  table.read = source.length;
  return table.indices;
}

function isTurnScoped(source: TranscriptSource, index: number): boolean {
  const text = source.text(index);
  if (!text.includes('"clear_at"')) return false;
  const message: unknown = JSON.parse(text);
  return isRecord(message) && ownAt(message, 'clear_at') === 'next_user_message';
}

/** The step as stages are listed; `position` = behind all others. */
export function renderingStage(position: number): ResolvedStage {
  return providerStep(position, RENDERING_KIND, RENDERING_TITLE);
}

/** The fate of a turn-scoped message that a user's message has cleared: it stays, and is not shown. */
export function clearedFate(stage: number): Fate {
  const reason =
    'turn-scoped (clear_at): a user’s message came after it, so the model no longer sees it and it costs nothing; it must still be sent';
  return { kind: 'kept', stage, rule: CLEARED_RULE, reason, chip: 'not rendered any more' };
}

// The same item whenever it is cleared: what is remembered of it goes by identity.
function unrendered(item: SourceItem, memo: StageMemo): SourceItem {
  const known = memo.get('rendering.unrendered', () => new WeakMap<SourceItem, SourceItem>());
  const made = known.get(item) ?? { ...item, unrendered: true as const };
  known.set(item, made);
  return made;
}

/** The step on its way along the call points. */
export class RenderingRun implements IncrementalRun {
  readonly #source: TranscriptSource;
  readonly #memo: StageMemo;
  readonly #scoped: readonly number[];
  readonly #fate: Fate;
  /** Messages in the view that are not shown any more. */
  readonly #cleared = new Set<number>();

  constructor({ source, memo }: Pick<IncrementalContext, 'source' | 'memo'>, position: number) {
    this.#source = source;
    this.#memo = memo;
    this.#scoped = turnScoped(source, memo);
    this.#fate = clearedFate(position);
  }

  step(input: LiveView, _at: number, overlay: Overlay): void {
    const lastUser = this.#findLastUser(input);
    this.#cleared.clear();
    for (const cell of this.#scoped) {
      const items = input.at(cell);
      const last = items.at(-1);
      if (last?.kind !== 'source' || cell >= lastUser) overlay.pass(cell);
      else {
        this.#cleared.add(cell);
        overlay.replace(cell, [...items.slice(0, -1), unrendered(last, this.#memo)]);
      }
    }
  }

  fateOf(index: number): Fate | null {
    return this.#cleared.has(index) ? this.#fate : null;
  }

  named(name: (index: number) => void): void {
    this.#cleared.forEach(name);
  }

  explain(): Fate {
    return UNTOUCHED;
  }

  report(): ReportDetails {
    const of = countOf(this.#scoped.length, 'turn-scoped message');
    return { summary: `${grouped(this.#cleared.size)} of ${of} not rendered any more`, reason: 'turn_scoped' };
  }

  // Found from the end: a request seldom goes far without one.
  #findLastUser(input: LiveView): number {
    for (let cell = input.cells - 1; cell >= 0; cell--) {
      if (input.at(cell).some((item) => this.#isUser(item))) return cell;
    }
    return -1;
  }

  #isUser(item: ViewItem): boolean {
    return itemFacts(item, this.#source, this.#memo).role === 'user';
  }
}
