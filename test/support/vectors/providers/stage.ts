// `stage`: what a vendor's stage does to a request; `oracle`: the same, held against the edits that the answer tells of.

import { messagesOf } from '../../../../core/importers/formats/openaiResponses/fold.ts';
import { clearedToolUses } from '../../../../core/insight/appliedEdits.ts';
import { memorySource } from '../../../../core/model/memorySource.ts';
import { project } from '../../../../core/projection/project.ts';
import { CLEARED } from '../../../../core/stages/vendors/anthropicClearToolUses.ts';
import { createBudget } from '../../../../core/tokens/budget.ts';
import { arrayAt, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../../core/util/unknown.ts';
import { itemText } from '../../../../core/view/reader.ts';
import type { VectorOutcome } from '../../harnVectors.ts';
import { stagesOf } from '../../projecting.ts';
import type { ProviderVector } from './index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Runs one case of `stage`. */
export function runStage(vector: ProviderVector): VectorOutcome {
  return compare(vector, stringAt(vector, 'provider') === 'openai' ? itemsOutcome(vector) : editsOutcome(vector));
}

/** Runs one case of `oracle`. */
export function runOracle(vector: ProviderVector): VectorOutcome {
  const edits = arrayAt(recordAt(recordAt(vector, 'response') ?? {}, 'context_management') ?? {}, 'applied_edits');
  const recorded = (edits ?? []).filter(isRecord).find((edit) => stringAt(edit, 'type')?.startsWith('clear_tool_uses'));
  const outcome = editsOutcome(vector);
  const agrees = numberAt(recorded ?? {}, 'cleared_tool_uses') === clearedToolUses(outcome.reports);
  return compare(vector, { ...outcome, agrees });
}

function projected(vector: ProviderVector, texts: readonly string[]) {
  const { kind, options } = recordAt(vector, 'stage') ?? {};
  const stages = stagesOf({ version: 1, stages: [{ kind: String(kind), options }] });
  const model = stringAt(vector, 'model');
  const parts = { window: 1_000_000, reserveOutput: 0, injectionReserve: 0, caps: {} };
  const source = memorySource(texts);
  const projection = project(source, stages, source.length, { budget: createBudget({ ...parts, model }) });
  return { ...projection, texts: projection.view.items.map((item) => itemText(item, source)) };
}

// Uses and thinking by what is left of them in the view.
function editsOutcome(vector: ProviderVector) {
  const messages = arrayAt(recordAt(vector, 'request') ?? {}, 'messages') ?? [];
  const given = messages.map((message) => JSON.stringify(message));
  const { texts, reports } = projected(vector, given);
  const [before, after] = [given, texts].map((list) => list.map((text) => JSON.parse(text)).flatMap(blocksOf));
  const of = (blocks: readonly Fields[] = [], type: string): readonly Fields[] =>
    blocks.filter((each) => each.type === type);
  const left = new Set(of(after, 'thinking').map(({ signature }) => signature));
  const uses = new Map(of(before, 'tool_use').map(({ id, input }) => [id, JSON.stringify(input)]));
  return {
    reports,
    results_cleared: of(after, 'tool_result').flatMap((each) => (each.content === CLEARED ? [each.tool_use_id] : [])),
    inputs_cleared: of(after, 'tool_use').flatMap(({ id, input }) =>
      JSON.stringify(input) === uses.get(id) ? [] : [id],
    ),
    thinking_cleared: of(before, 'thinking').flatMap(({ signature }) => (left.has(signature) ? [] : [signature])),
    unchanged: JSON.stringify(given) === JSON.stringify(texts),
  };
}

function blocksOf(message: unknown): readonly Fields[] {
  return isRecord(message) ? (arrayAt(message, 'content') ?? []).filter(isRecord) : [];
}

// Each item is a message of its own, so that positions are those of the items.
function itemsOutcome(vector: ProviderVector) {
  const items = (arrayAt(recordAt(vector, 'request') ?? {}, 'input') ?? []).filter(isRecord);
  const given = items.flatMap((value) => messagesOf([{ text: JSON.stringify(value), value }])).map(({ text }) => text);
  const { view, fates } = projected(vector, given);
  const kept = view.items.flatMap((item) => (item.kind === 'source' ? [item.index] : []));
  const summarised = fates.flatMap(({ kind }, at) => (kind === 'summarised' ? [at] : []));
  return { kept, item_at_end: view.items.at(-1)?.kind === 'synthetic', summarised };
}

function compare(vector: ProviderVector, outcome: Fields): VectorOutcome {
  const accepted = (arrayAt(vector, 'accept') ?? []).filter(isRecord);
  const agrees = (one: Fields): boolean =>
    Object.entries(one).every(([key, value]) => JSON.stringify(value) === JSON.stringify(ownAt(outcome, key)));
  const { reports: _reports, ...told } = outcome;
  const passed = accepted.some(agrees);
  const report = passed ? [] : [`accepts ${JSON.stringify(accepted)}`, `got ${JSON.stringify(told)}`];
  return { id: String(ownAt(vector, 'id')), passed, report };
}
