// What inspect_ai's editing does, request by request: two marks that only move forward. What is edited at one request is
// edited at all later ones.
import type { PartPlace } from '../../../model/exchanges.ts';
import type { ViewReader } from '../../../view/reader.ts';
import type { StageContext } from '../../../view/types.ts';
import { countOf } from '../../../view/words.ts';
import type { InspectEditParams } from '../inspectEdit.ts';
import { partTokens } from './counting.ts';
import type { Editor, Why } from './editor.ts';
import { formatTokenCount } from './options.ts';
import type { ToolUse } from './toolUses.ts';

/** The tool uses and the messages of the assistant that a request holds, as far as the track needs them. */
export interface Candidates {
  /** How many tool uses that may be cleared have all their results before the request. */
  readonly uses: number;
  /** How many messages of the assistant stand before the request. */
  readonly thinkers: number;
  savedByUse(at: number): number;
  savedByThinking(at: number): number;
}

/** Where a conversation stands. */
export class EditTrack {
  /** The last request that was too large was made before this position; null = none was. */
  at: number | null = null;
  tokens = 0;
  highest = 0;
  /** How many of the first tool uses are cleared, and messages of the assistant are without their reasoning. */
  cleared = 0;
  unthought = 0;
  #saved = 0;

  /** The same, to be tried on. */
  copy(): EditTrack {
    const copy = new EditTrack();
    copy.at = this.at;
    copy.tokens = this.tokens;
    copy.highest = this.highest;
    copy.cleared = this.cleared;
    copy.unthought = this.unthought;
    copy.#saved = this.#saved;
    return copy;
  }

  /** A request before position `at`, whose messages held `raw` tokens if nothing had been edited. */
  request(at: number, raw: number, limit: number, params: InspectEditParams, candidates: Candidates): void {
    const tokens = raw - this.#saved;
    this.highest = Math.max(this.highest, tokens);
    if (tokens <= limit) return;
    this.at = at;
    this.tokens = tokens;
    for (; this.cleared < candidates.uses - params.keepToolUses; this.cleared++) {
      this.#saved += candidates.savedByUse(this.cleared);
    }
    const old = params.keepThinkingTurns === null ? 0 : candidates.thinkers - params.keepThinkingTurns;
    for (; this.unthought < old; this.unthought++) this.#saved += candidates.savedByThinking(this.unthought);
  }
}

/** One edit of a use. */
export interface UseEdit {
  readonly place: PartPlace;
  readonly op: 'result' | 'remove' | 'append';
  readonly text?: string;
}

/** What clearing a use comes to. */
export function editsOfUse(
  { call, results, name }: ToolUse,
  { keepToolInputs }: InspectEditParams,
): readonly UseEdit[] {
  if (keepToolInputs) return results.map((place) => ({ place, op: 'result' }));
  const text = `[Tool call: ${name} (parameters and results removed from history)]`;
  return [
    { place: call, op: 'remove' },
    ...results.map((place): UseEdit => ({ place, op: 'remove' })),
    { place: call, op: 'append', text },
  ];
}

/** Tokens that clearing a use saves. */
export function savedByUse(use: ToolUse, params: InspectEditParams, editor: Editor, reader: ViewReader): number {
  let saved = 0;
  for (const { place, op, text } of editsOfUse(use, params)) {
    const item = reader.item(place.message);
    if (op === 'result') saved += editor.savedByResult(item, place.part);
    else if (op === 'append') saved -= editor.context.tokens.text(text ?? '');
    else saved += editor.partTokens(item, place.part);
  }
  return saved;
}

/** Where the reasoning of a message is. */
export function reasoningAt(reader: ViewReader, position: number): readonly PartPlace[] {
  const { parts } = reader.facts(position);
  return parts.flatMap(({ category }, part) => (category === 'thinking' ? [{ message: position, part }] : []));
}

/** Tokens of the reasoning of a message. */
export function reasoningTokens(reader: ViewReader, position: number, context: StageContext): number {
  return reasoningAt(reader, position).reduce((sum, { part }) => sum + partTokens(reader, position, part, context), 0);
}

/** What was too large: `120 tokens > 100 (threshold)`. */
export function describeOver({ tokens }: EditTrack, limitWords: string, context: StageContext): string {
  return `${formatTokenCount(tokens, context)} > ${limitWords}`;
}

/** `the last 3 tool uses (keep_tool_uses)`. */
export function keptUses({ keepToolUses }: InspectEditParams): string {
  return `the last ${countOf(keepToolUses, 'tool use')} (keep_tool_uses)`;
}

/** Why a use is cleared; `over` = overWords. */
export function whyOfUse(over: string, params: InspectEditParams): Why {
  return { rule: 'tool_use_cleared', reason: `${over}; older than ${keptUses(params)}` };
}

/** `the assistant’s last 2 messages (keep_thinking_turns)`. */
export function keptReasoning({ keepThinkingTurns }: InspectEditParams): string {
  return `the assistant’s last ${countOf(keepThinkingTurns ?? 0, 'message')} (keep_thinking_turns)`;
}

/** Why reasoning is cleared. */
export function reasoningWhy(over: string, params: InspectEditParams): Why {
  const reason = `${over}; older than ${keptReasoning(params)}`;
  return { rule: 'thinking_cleared', reason };
}
