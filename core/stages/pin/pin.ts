import type { Problem } from '../../model/problem.ts';
import { insertSorted } from '../../util/sorted.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { IncrementalContext, IncrementalRun, ReportDetails, StageDone } from '../../view/incremental.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { rawItems } from '../../view/reader.ts';
import type { Fate, PartFate, StageDefinition } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { type Demand, Demands } from './demands.ts';
import { Gaps } from './gaps.ts';
import { PIN_PARAMS, type PinParams, parsePin } from './params.ts';
import { foreignParts, type PutBack, putBack } from './putBack.ts';

/**
 * Puts back what earlier stages took: messages by number, texts, kinds of message. A pinned result comes with its call and a
 * pinned call with its results, of other messages only the parts that this needs. What stands anyway is left alone.
 */
export const pin: StageDefinition<PinParams> = {
  kind: 'pin',
  title: 'Pin',
  aliases: [],
  family: 'pin',
  help: 'Keeps messages, texts or kinds of message in every request: what an earlier stage took is put back where it was, with its call or its results.',
  params: PIN_PARAMS,
  parse: parsePin,
  incremental: (params, context) => new Pin(params, context),
};

class Pin implements IncrementalRun {
  readonly #params: PinParams;
  readonly #context: IncrementalContext;
  readonly #demands: Demands;
  readonly #gaps = new Gaps();
  readonly #back = new Map<number, PutBack>();
  /** Of these the messages that stood nowhere, ascending. */
  readonly #gone: number[] = [];
  /** How often a part of another message is in an item: turns that were merged. */
  readonly #foreign = new Map<string, number>();

  constructor(params: PinParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#demands = new Demands(params, context);
  }

  readonly putsBack = true;

  step(input: LiveView, at: number, overlay: Overlay): void {
    const dirty = new Set(this.#demands.moveTo(at));
    for (const cell of this.#takeForeign(input)) dirty.add(cell);
    if (input.whole === null) for (const cell of input.changed.keys()) if (this.#demands.get(cell)) dirty.add(cell);
    for (const index of dirty) this.#settle(index, input, overlay);
    const gaps = new Set([...dirty].flatMap((index) => Gaps.around(index, input)));
    if (input.whole === null) for (const gap of this.#gapsOfChanges(input)) gaps.add(gap);
    for (const gap of gaps) {
      this.#gaps.fill(gap, (cell) => this.#back.get(cell)?.item ?? null, this.#gone, input, overlay);
    }
  }

  // Without anything put back there is nothing to move.
  #gapsOfChanges(input: LiveView): readonly number[] {
    if (this.#back.size === 0 && this.#gaps.isEmpty) return [];
    return [...input.changed.keys()].flatMap((cell) => Gaps.around(cell, input));
  }

  #settle(index: number, input: LiveView, overlay: Overlay): void {
    const demand = this.#demands.get(index);
    const known = this.#back.get(index);
    const now = demand === null ? null : this.#putBack(index, demand, input);
    if (known?.wasGone === true) this.#gone.splice(this.#gone.indexOf(index), 1);
    if (now === null) {
      this.#back.delete(index);
      overlay.fate(index, null);
      return;
    }
    this.#back.set(index, now);
    if (now.wasGone) insertSorted(this.#gone, index);
    overlay.putBack(index, now.item.text === undefined ? 'kept' : 'rewritten');
  }

  #putBack(index: number, demand: Demand, input: LiveView): PutBack | null {
    const { source, memo } = this.#context;
    const item = input.source(index);
    const raw = rawItems(source, memo)[index];
    if (raw === undefined || item?.kind === 'synthetic') return null;
    return putBack(index, demand, item, { source, memo, raw, standsElsewhere: (part) => this.#isForeign(index, part) });
  }

  #isForeign(index: number, part: number): boolean {
    return (this.#foreign.get(`${index}.${part}`) ?? 0) > 0;
  }

  // Messages of which parts came into other items, or left them.
  #takeForeign(input: LiveView): readonly number[] {
    const moved: number[] = [];
    const count = (place: string, by: number): void => {
      this.#foreign.set(place, (this.#foreign.get(place) ?? 0) + by);
      moved.push(Number(place.slice(0, place.indexOf('.'))));
    };
    if (input.whole !== null) {
      for (const item of input.whole.items) {
        if (item.origins !== undefined) for (const place of foreignParts(item)) count(place, 1);
      }
      return moved.filter((index) => this.#demands.get(index) !== null);
    }
    for (const [cell, before] of input.changed) {
      for (const item of before) for (const place of foreignParts(item)) count(place, -1);
      for (const item of input.at(cell)) for (const place of foreignParts(item)) count(place, 1);
    }
    return moved.filter((index) => this.#demands.get(index) !== null);
  }

  fateOf(index: number): Fate | null {
    const back = this.#back.get(index);
    const demand = back === undefined ? null : this.#demands.get(index);
    if (back === undefined || demand === null) return null;
    const { stage } = this.#context;
    return { ...this.#words(index, back, demand), stage, rule: 'pinned', back: true };
  }

  #words(index: number, { item, parts, isPinned }: PutBack, demand: Demand): Omit<Fate, 'stage' | 'rule' | 'back'> {
    const isWhole = item.text === undefined;
    const own = isWhole ? {} : { parts: parts.map((part): PartFate => ({ part, kind: 'kept', reason: 'put back' })) };
    const kind = isWhole ? 'kept' : 'rewritten';
    if (isPinned) {
      const reason = `put back${isWhole ? '' : ' in part'}: it is pinned (${demand.words ?? 'messages'})`;
      return { kind, reason, chip: 'pinned', ...own };
    }
    const because = Math.min(...demand.paired.values());
    const isCall = this.#context.source.facts(index).role === 'assistant';
    const why = isCall ? 'a result is not sent without its call' : 'a call is not sent without its result';
    return {
      kind,
      reason: `put back with #${because}, which is pinned: ${why}`,
      chip: `with #${because}`,
      because,
      ...own,
    };
  }

  explain(index: number): Fate {
    const { stage } = this.#context;
    const words = this.#demands.get(index)?.words ?? null;
    if (words === null) return keptBecause(stage, NOT_CONCERNED, 'kept: it is not pinned');
    return keptBecause(stage, 'pinned', `kept: pinned (${words}), and no earlier stage took it`);
  }

  report({ touched }: StageDone): ReportDetails {
    const summary = touched === 0 ? 'nothing to put back' : `${countOf(touched, 'message')} put back`;
    return { summary, problems: this.#problems(), meta: { put_back: touched } };
  }

  #problems(): readonly Problem[] {
    const { length } = this.#context.source;
    return [...this.#params.messages].flatMap((index): readonly Problem[] => {
      if (index < length) return [];
      const text = `There is no message #${index} to pin: the transcript has ${countOf(length, 'message')}.`;
      return [{ code: 'pin.no_such_message', severity: 'warning', text, where: { path: 'messages' } }];
    });
  }
}
