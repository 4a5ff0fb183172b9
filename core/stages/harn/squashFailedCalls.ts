// A turn is decided when it, or a result of it, changes.
import type { MessageFacts } from '../../model/message.ts';
import { partExactText } from '../../model/partText.ts';
import type { IncrementalContext, ReportDetails, StageDone } from '../../view/incremental.ts';
import type { LiveExchange } from '../../view/liveExchanges.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemFacts, itemText } from '../../view/reader.ts';
import type { StageDefinition } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { nothingToDo, policyReport } from './decision.ts';
import type { TurnWords } from './explainCalls.ts';
import { type Hide, type HidingReason, hideResults } from './hiding.ts';
import { HidingRun } from './hidingRun.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from './options.ts';

const POLICY = { kind: 'squash_failed_calls', title: 'Squash failed calls' };

/**
 * Hides an assistant turn whose every call failed and which says nothing else, with the error results. A turn that
 * had any other outcome is left alone. Source: spec of the projection, "Policies".
 */
export const squashFailedCalls: StageDefinition<HarnParams> = {
  ...POLICY,
  aliases: [],
  family: 'harn',
  traits: { leavesMost: true },
  help: 'Hides assistant turns whose only outcome was failed calls, with their error results, whether or not they were repaired later.',
  params: COMMON_PARAMS,
  parse: (options) => parseWith(options, readCommon),
  incremental: (params, context) => new SquashFailedCalls(params, context),
};

class SquashFailedCalls extends HidingRun {
  readonly #context: IncrementalContext;
  readonly #failed = new Set<LiveExchange>();

  constructor(params: HarnParams, context: IncrementalContext) {
    super(params, context);
    this.#context = context;
  }

  step(input: LiveView, _at: number, overlay: Overlay): void {
    const { removed, added } = this.hiding.exchanges.update(input);
    for (const exchange of removed) if (this.#failed.delete(exchange)) this.hiding.set(exchange, []);
    for (const exchange of added) if (this.#onlyFailed(exchange, input)) this.#hide(exchange);
    this.hiding.show(input, overlay);
  }

  report(done: StageDone): ReportDetails {
    const failed = this.#failed.size;
    const summary = failed === 0 ? nothingToDo(this.hiding.input.length) : `${countOf(failed, 'failed turn')} hidden`;
    return policyReport(done, this.params, { reason: POLICY.kind, summary });
  }

  protected whyKept(exchange: LiveExchange): TurnWords {
    return whyKept(exchange);
  }

  #onlyFailed({ cell, slot, calls }: LiveExchange, input: LiveView): boolean {
    if (!calls.every(({ outcome }) => outcome === 'failed')) return false;
    const item = input.at(cell)[slot];
    const { source, memo } = this.#context;
    return item !== undefined && !saysSomething(itemFacts(item, source, memo), () => itemText(item, source));
  }

  #hide(exchange: LiveExchange): void {
    const { cell, slot, calls } = exchange;
    const why = hiddenBecause(exchange);
    const results = calls.flatMap((call): Hide[] => hideResults(call.results, why));
    this.#failed.add(exchange);
    this.hiding.set(exchange, [{ cell, slot, part: null, why }, ...results]);
  }
}

// True if a message holds text other than white space. The text itself is read only where there is some.
function saysSomething({ parts }: MessageFacts, text: () => string): boolean {
  const texts = parts.filter((part) => part.kind === 'text' && part.chars > 0);
  if (texts.length === 0) return false;
  const message: unknown = JSON.parse(text());
  return texts.some((part) => partExactText(message, part).trim() !== '');
}

function whyKept({ calls }: LiveExchange): TurnWords {
  const others = calls.filter(({ outcome }) => outcome !== 'failed').length;
  if (others === 0)
    return { rule: 'says_something', reason: 'kept: every call of this turn failed, but it also says something' };
  const what = calls.length === 1 ? 'the call of this turn' : `${others} of the ${calls.length} calls of this turn`;
  return {
    rule: 'not_all_failed',
    reason: `kept: ${what} did not fail; only a turn whose every call failed is hidden`,
  };
}

function hiddenBecause({ calls }: LiveExchange): HidingReason {
  const what =
    calls.length === 1 ? 'the only call of this turn' : `every one of the ${calls.length} calls of this turn`;
  return { rule: 'failed_turn', reason: `${what} failed, and the turn says nothing else`, chip: 'failed' };
}
