import type { CallOutcome, Exchange } from '../../../../core/model/exchanges.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from '../../../../core/stages/harn/options.ts';
import { exchangesOf } from '../../../../core/view/exchangesOf.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import type { StageContext, View } from '../../../../core/view/types.ts';
import { countOf } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { conclude, type Decision, nothingToDo, unchanged } from './decision.ts';
import { explainCalls, type TurnWords, toolNames } from './explainCalls.ts';
import { Hiding, type HidingReason } from './hiding.ts';

const POLICY = { kind: 'clean_tool_repair', title: 'Clean tool repair' };

/**
 * Hides a failed call and its error result if the same tool succeeded in a later assistant turn. A turn with other
 * calls keeps them; a turn with none left goes, with its prose. Source: spec of the projection, "Policies".
 */
export const cleanToolRepair: PlainStage<HarnParams> = {
  ...POLICY,
  aliases: [],
  family: 'harn',
  help: 'Hides failed calls, with their error results, whose tool succeeded in a later turn. The transcript keeps both; the model sees the corrected call only.',
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
  const repaired = findRepaired(exchanges);
  const explain = explainCalls(exchanges, reader, context.stage, whyKept);
  if (repaired.size === 0) return unchanged(POLICY.kind, nothingToDo(view), explain);
  const hiding = new Hiding();
  for (const exchange of exchanges) hideRepaired(exchange, repaired, reader, hiding);
  return {
    ...hiding.apply(reader, context),
    explain,
    reason: POLICY.kind,
    summary: `${countOf(repaired.size, 'repaired call')} hidden`,
  };
}

// Of a turn of which nothing is hidden: so none of its failed calls succeeded later.
function whyKept({ calls }: Exchange): TurnWords {
  const failed = calls.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0) {
    const names = toolNames(failed.map(({ name }) => name));
    return { rule: 'not_repaired', reason: `kept: ${names} failed here, and no later turn has a success of it` };
  }
  const isOpen = calls.every(({ outcome }) => outcome === 'open');
  if (isOpen) return { rule: 'no_result', reason: 'kept: no result answers it here; only failed calls are hidden' };
  return {
    rule: 'not_failed',
    reason: 'kept: no call of this turn failed; only failed ones that succeed later are hidden',
  };
}

// From the end, so that at each turn the nearest later success of each tool is known: one pass.
function findRepaired(exchanges: readonly Exchange[]): Map<CallOutcome, CallOutcome> {
  const repaired = new Map<CallOutcome, CallOutcome>();
  const nextSuccess = new Map<string, CallOutcome>();
  for (const exchange of exchanges.toReversed()) {
    for (const call of exchange.calls) {
      const success = call.name === null ? undefined : nextSuccess.get(call.name);
      if (call.outcome === 'failed' && success !== undefined) repaired.set(call, success);
    }
    for (const call of exchange.calls) {
      if (call.outcome === 'succeeded' && call.name !== null) nextSuccess.set(call.name, call);
    }
  }
  return repaired;
}

function hideRepaired(
  exchange: Exchange,
  repaired: ReadonlyMap<CallOutcome, CallOutcome>,
  reader: ViewReader,
  hiding: Hiding,
): void {
  const gone = exchange.calls.filter((call) => repaired.has(call));
  for (const call of gone) {
    const place = repaired.get(call)?.results[0]?.message;
    const why = repairedBecause(call.name, place === undefined ? null : reader.indexOf(place));
    if (gone.length === exchange.calls.length) hiding.message(exchange.message, why);
    else hiding.part(call, why);
    for (const result of call.results) hiding.part(result, why);
  }
}

/** Why a call is hidden: `because` = source index of the later success's result, null if it stands in none. */
export function repairedBecause(name: string | null, because: number | null): HidingReason {
  const rule = 'repaired_later';
  if (because === null) return { rule, reason: `${name} failed here and succeeded in a later turn` };
  return {
    rule,
    reason: `${name} failed here and succeeded in a later turn, at #${because}`,
    chip: `repaired at #${because}`,
    because,
  };
}
