// A success repairs the failures of its tool that wait for one; only where a turn changes that others are behind is a
// tool's history decided again.
import type { ReportDetails, StageDone } from '../../view/incremental.ts';
import { comparePlaces, type LiveCall, type LiveExchange } from '../../view/liveExchanges.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import type { StageDefinition } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { nothingToDo, policyReport } from './decision.ts';
import { type TurnWords, toolNames } from './explainCalls.ts';
import { type Hide, type HidingReason, hideResults } from './hiding.ts';
import { HidingRun } from './hidingRun.ts';
import { COMMON_PARAMS, type HarnParams, parseWith, readCommon } from './options.ts';

const POLICY = { kind: 'clean_tool_repair', title: 'Clean tool repair' };

/**
 * Hides a failed call and its error result if the same tool succeeded in a later assistant turn. A turn with other
 * calls keeps them; a turn with none left goes, with its prose. Source: spec of the projection, "Policies".
 */
export const cleanToolRepair: StageDefinition<HarnParams> = {
  ...POLICY,
  aliases: [],
  family: 'harn',
  traits: { leavesMost: true },
  help: 'Hides failed calls, with their error results, whose tool succeeded in a later turn. The transcript keeps both; the model sees the corrected call only.',
  params: COMMON_PARAMS,
  parse: (options) => parseWith(options, readCommon),
  incremental: (params, context) => new CleanToolRepair(params, context),
};

/** The turns with calls of one tool, in order, and its failures that no later turn has repaired. */
interface Tool {
  exchanges: LiveExchange[];
  waiting: { readonly exchange: LiveExchange; readonly call: LiveCall }[];
}

class CleanToolRepair extends HidingRun {
  readonly keepsTurns = true;
  readonly #tools = new Map<string, Tool>();
  readonly #repairedBy = new Map<LiveCall, LiveCall>();
  /** Turns whose repaired calls are others than before. */
  readonly #decided = new Set<LiveExchange>();

  step(input: LiveView, _at: number, overlay: Overlay): void {
    this.explainer.forget();
    const { removed, added } = this.hiding.exchanges.update(input);
    const again = new Set<string>();
    for (const exchange of removed) {
      this.hiding.set(exchange, []);
      for (const call of exchange.calls) this.#repairedBy.delete(call);
      for (const name of namesOf(exchange)) {
        const tool = this.#tool(name);
        tool.exchanges.splice(tool.exchanges.lastIndexOf(exchange), 1);
        again.add(name);
      }
    }
    for (const exchange of added) for (const name of namesOf(exchange)) this.#take(exchange, name, again);
    for (const name of again) this.#decideAgain(name);
    for (const exchange of this.#decided) this.hiding.set(exchange, this.#hidesOf(exchange));
    this.#decided.clear();
    this.hiding.show(input, overlay);
  }

  report(done: StageDone): ReportDetails {
    const calls = this.#repairedBy.size;
    const summary = calls === 0 ? nothingToDo(this.hiding.input.length) : `${countOf(calls, 'repaired call')} hidden`;
    return policyReport(done, this.params, { reason: POLICY.kind, summary });
  }

  protected whyKept(exchange: LiveExchange): TurnWords {
    return whyKept(exchange, (call) => this.#repairedBy.has(call));
  }

  #tool(name: string): Tool {
    const known = this.#tools.get(name);
    if (known !== undefined) return known;
    const made: Tool = { exchanges: [], waiting: [] };
    this.#tools.set(name, made);
    return made;
  }

  #take(exchange: LiveExchange, name: string, again: Set<string>): void {
    const tool = this.#tool(name);
    const last = tool.exchanges.at(-1);
    if (last === undefined || comparePlaces(last, exchange) < 0) {
      tool.exchanges.push(exchange);
      if (!again.has(name)) this.#append(tool, exchange, name);
      return;
    }
    const place = tool.exchanges.findIndex((other) => comparePlaces(exchange, other) < 0);
    tool.exchanges.splice(place, 0, exchange);
    again.add(name);
  }

  // A turn repairs those before it; its own failures wait for a later one.
  #append(tool: Tool, exchange: LiveExchange, name: string): void {
    let success: LiveCall | null = null;
    for (const call of exchange.calls) if (call.name === name && call.outcome === 'succeeded') success = call;
    if (success !== null && tool.waiting.length > 0) {
      for (const { exchange, call } of tool.waiting) {
        this.#repairedBy.set(call, success);
        this.#decided.add(exchange);
      }
      tool.waiting = [];
    }
    for (const call of exchange.calls) {
      if (call.name === name && call.outcome === 'failed') tool.waiting.push({ exchange, call });
    }
  }

  #decideAgain(name: string): void {
    const tool = this.#tool(name);
    tool.waiting = [];
    for (const exchange of tool.exchanges) {
      for (const call of exchange.calls) {
        if (call.name === name && this.#repairedBy.delete(call)) this.#decided.add(exchange);
      }
      this.#append(tool, exchange, name);
    }
  }

  #hidesOf({ cell, slot, calls }: LiveExchange): readonly Hide[] {
    const gone = calls.filter((call) => this.#repairedBy.has(call));
    return gone.flatMap((call): Hide[] => {
      const why = repairedBecause(call.name, this.#repairedBy.get(call)?.results[0]?.index ?? null);
      const part = gone.length === calls.length ? null : call.part;
      return [{ cell, slot, part, why }, ...hideResults(call.results, why)];
    });
  }
}

function namesOf({ calls }: LiveExchange): readonly string[] {
  const names: string[] = [];
  for (const { name } of calls) if (name !== null && !names.includes(name)) names.push(name);
  return names;
}

// Of a message of which nothing is hidden. Other calls of its turn may be, with their results.
function whyKept({ calls }: LiveExchange, isRepaired: (call: LiveCall) => boolean): TurnWords {
  const failed = calls.filter((call) => call.outcome === 'failed' && !isRepaired(call));
  if (failed.length > 0) {
    const names = toolNames(failed.map(({ name }) => name));
    return { rule: 'not_repaired', reason: `kept: ${names} failed here, and no later turn has a success of it` };
  }
  if (calls.some(isRepaired)) {
    const reason = 'kept: another call of this turn failed and succeeded later; only failed calls are hidden';
    return { rule: 'not_failed', reason };
  }
  const isOpen = calls.every(({ outcome }) => outcome === 'open');
  if (isOpen) return { rule: 'no_result', reason: 'kept: no result answers it here; only failed calls are hidden' };
  return {
    rule: 'not_failed',
    reason: 'kept: no call of this turn failed; only failed ones that succeed later are hidden',
  };
}

// `because` = source index of the later success's result; null = it is in no source message.
function repairedBecause(name: string | null, because: number | null): HidingReason {
  const rule = 'repaired_later';
  if (because === null) return { rule, reason: `${name} failed here and succeeded in a later turn` };
  return {
    rule,
    reason: `${name} failed here and succeeded in a later turn, at #${because}`,
    chip: `repaired at #${because}`,
    because,
  };
}
