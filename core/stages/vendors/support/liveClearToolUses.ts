// Anthropic's clearing of tool uses along the call points: the uses are one sequence, of which a first part is cleared.
import type { IncrementalContext } from '../../../view/incremental.ts';
import { itemTokens } from '../../../view/tokens.ts';
import {
  CLEARED,
  type ClearToolUsesParams,
  clearedWhy,
  clearsInput,
  isExcluded,
  triggerWords,
} from '../anthropicClearToolUses.ts';
import { GrowingUses } from './growingUses.ts';
import { EditSequence, type LiveEdit, LiveEdits } from './liveEdits.ts';
import { besideTokens } from './options.ts';
import type { ToolUse } from './toolUses.ts';

/** The live form of anthropic_clear_tool_uses. */
export class LiveClearToolUses extends LiveEdits {
  protected override readonly placeholder = CLEARED;
  readonly #params: ClearToolUsesParams;
  readonly #sequence = new EditSequence();
  /** Tokens saved by clearing the first uses: one entry more than there are closed uses. */
  #saved: number[] = [0];
  #uses = new GrowingUses();
  #tokens = 0;
  /** Of each message: its tokens, and its calls. */
  #each: number[] = [];
  #calls: string[] = [];
  #size = 0;

  constructor(params: ClearToolUsesParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
  }

  protected override reset(): void {
    super.reset();
    this.#sequence.clear();
    this.#saved = [0];
    this.#uses = new GrowingUses();
    this.#tokens = 0;
    this.#each = [];
    this.#calls = [];
  }

  protected push(position: number): void {
    this.#uses.push(position, this.reader.facts);
    const tokens = itemTokens(this.reader.item(position), this.context);
    this.#tokens += tokens;
    this.#each.push(tokens);
    this.#calls.push(this.#callsAt(position));
  }

  // Thinking that an earlier stage takes out changes what a call's message holds, not that it is answered.
  protected override edited(position: number): boolean {
    const { parts } = this.reader.facts(position);
    if (this.#params.clearToolInputs || parts.some(({ kind }) => kind === 'tool_result')) return false;
    if (this.#callsAt(position) !== this.#calls[position]) return false;
    const tokens = itemTokens(this.reader.item(position), this.context);
    this.#tokens += tokens - (this.#each[position] ?? 0);
    this.#each[position] = tokens;
    return true;
  }

  #callsAt(position: number): string {
    const { role, parts } = this.reader.facts(position);
    const tools = parts.filter(({ kind }) => kind === 'tool_call' || kind === 'tool_result');
    return tools.length === 0
      ? role
      : JSON.stringify([role, ...tools.map(({ kind, callId, name }) => [kind, callId, name])]);
  }

  protected settle(): void {
    const { closed } = this.#uses;
    const known = this.#saved.length - 1;
    this.#sequence.truncate(known, (edit) => this.take(edit));
    for (let at = known; at < closed.length; at++) {
      this.#saved.push((this.#saved[at] ?? 0) + this.#add(closed[at]));
    }
    const open = this.#uses.open(this.reader.length, this.reader.facts);
    const saved = [this.#saved.at(-1) ?? 0];
    for (const use of open) saved.push((saved.at(-1) ?? 0) + this.#add(use));
    const uses = closed.length + open.length;
    const { triggerType, trigger, keep, clearAtLeast } = this.#params;
    this.#size = triggerType === 'tool_uses' ? uses : besideTokens(this.context) + this.#tokens;
    const count = Math.max(0, uses - keep);
    const savedByAll = count <= closed.length ? (this.#saved[count] ?? 0) : (saved[count - closed.length] ?? 0);
    const isDone = this.#size > trigger && savedByAll >= clearAtLeast;
    this.#sequence.doFirst(
      isDone ? count : 0,
      (edit) => this.add(edit),
      (edit) => this.take(edit),
    );
    this.show();
  }

  // Puts a use behind the others; gives the tokens that clearing it saves.
  #add(use: ToolUse | undefined): number {
    if (use === undefined || isExcluded(use, this.#params)) {
      this.#sequence.push([]);
      return 0;
    }
    const edits = this.emptyEdits();
    const why = () => clearedWhy(triggerWords(this.#size, this.#params, this.context), this.#params.keep);
    const list = use.results.map((place): LiveEdit => ({ place, op: 'result', why }));
    let saved = use.results.reduce((sum, place) => sum + edits.savedByResult(place), 0);
    if (clearsInput(use, this.#params)) {
      list.push({ place: use.call, op: 'input', why });
      saved += edits.savedByInput(use.call);
    }
    this.#sequence.push(list);
    return saved;
  }
}
