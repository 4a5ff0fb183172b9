import type { Exchange } from '../../../../core/model/exchanges.ts';
import type { MessageFacts } from '../../../../core/model/message.ts';
import { partExactText } from '../../../../core/model/partText.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from '../../../../core/stages/harn/options.ts';
import { exchangesOf } from '../../../../core/view/exchangesOf.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import type { StageContext, View } from '../../../../core/view/types.ts';
import { countOf } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { conclude, type Decision, nothingToDo, unchanged } from './decision.ts';
import { explainCalls, type TurnWords } from './explainCalls.ts';
import { Hiding, type HidingReason } from './hiding.ts';

const POLICY = { kind: 'squash_failed_calls', title: 'Squash failed calls' };

/**
 * Hides an assistant turn whose every call failed and which says nothing else, with the error results. A turn that
 * had any other outcome is left alone. Source: spec of the projection, "Policies".
 */
export const squashFailedCalls: PlainStage<HarnParams> = {
  ...POLICY,
  aliases: [],
  family: 'harn',
  help: 'Hides assistant turns whose only outcome was failed calls, with their error results, whether or not they were repaired later.',
  params: COMMON_PARAMS,
  parse: (options) => parseWith(options, readCommon),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    return conclude(POLICY, view, params, context, decide(view, context));
  },
};

function decide(view: View, context: StageContext): Decision {
  const reader = readView(view, context.source, context.memo);
  const exchanges = exchangesOf(reader, context);
  const failed = exchanges.filter((exchange) => onlyFailed(exchange, reader));
  const explain = explainCalls(exchanges, reader, context.stage, whyKept);
  if (failed.length === 0) return unchanged(POLICY.kind, nothingToDo(view), explain);
  const hiding = new Hiding();
  for (const exchange of failed) {
    const why = hiddenBecause(exchange);
    hiding.message(exchange.message, why);
    for (const call of exchange.calls) for (const result of call.results) hiding.part(result, why);
  }
  return {
    ...hiding.apply(reader, context),
    explain,
    reason: POLICY.kind,
    summary: `${countOf(failed.length, 'failed turn')} hidden`,
  };
}

function onlyFailed({ calls, message }: Exchange, reader: ViewReader): boolean {
  if (!calls.every((call) => call.outcome === 'failed')) return false;
  return !saysSomething(reader.facts(message), () => reader.text(message));
}

/** True if a message holds text other than white space. The text itself is read only where there is some. */
export function saysSomething({ parts }: MessageFacts, text: () => string): boolean {
  const texts = parts.filter((part) => part.kind === 'text' && part.chars > 0);
  if (texts.length === 0) return false;
  const message: unknown = JSON.parse(text());
  return texts.some((part) => partExactText(message, part).trim() !== '');
}

function whyKept({ calls }: Exchange): TurnWords {
  const others = calls.filter(({ outcome }) => outcome !== 'failed').length;
  if (others === 0)
    return { rule: 'says_something', reason: 'kept: every call of this turn failed, but it also says something' };
  const what = calls.length === 1 ? 'the call of this turn' : `${others} of the ${calls.length} calls of this turn`;
  return {
    rule: 'not_all_failed',
    reason: `kept: ${what} did not fail; only a turn whose every call failed is hidden`,
  };
}

/** Why a turn is hidden. */
export function hiddenBecause({ calls }: { readonly calls: readonly unknown[] }): HidingReason {
  const what =
    calls.length === 1 ? 'the only call of this turn' : `every one of the ${calls.length} calls of this turn`;
  return { rule: 'failed_turn', reason: `${what} failed, and the turn says nothing else`, chip: 'failed' };
}
