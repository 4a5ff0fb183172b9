// LangChain's clearing along the call points: the results are one sequence, of which a first part is cleared; those
// without a call go at once.
import type { IncrementalContext } from '../../../view/incremental.ts';
import { itemTokens } from '../../../view/tokens.ts';
import {
  clearedWhy,
  isExcluded,
  isLone,
  keptCount,
  type LangchainClearParams,
  ORPHAN,
  type Trigger,
  tokensOf,
  triggerOf,
} from '../langchainClearToolUses.ts';
import { partTokens } from './counting.ts';
import { EditSequence, type LiveEdit, LiveEdits } from './liveEdits.ts';
import { GrowingToolMessages, type ToolMessage, type ToolMessages } from './toolMessages.ts';

const NOT_MET: Trigger = { isMet: false, words: '' };

/** The live form of langchain_clear_tool_uses. */
export class LiveLangchainClear extends LiveEdits {
  readonly #params: LangchainClearParams;
  readonly #sequence = new EditSequence();
  #messages = new GrowingToolMessages();
  #paired: ToolMessage[] = [];
  #tokens = 0;
  /** What results without a call took with them. */
  #gone = { tokens: 0, messages: 0 };
  #openOrphans: LiveEdit[] = [];
  #trigger = NOT_MET;
  #keepCount = 0;

  constructor(params: LangchainClearParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
    this.placeholder = params.placeholder;
  }

  protected override reset(): void {
    super.reset();
    this.#sequence.clear();
    this.#messages = new GrowingToolMessages();
    this.#paired = [];
    this.#tokens = 0;
    this.#gone = { tokens: 0, messages: 0 };
    this.#openOrphans = [];
  }

  protected push(position: number): void {
    const settled = this.#messages.push(position, this.reader.facts);
    if (settled !== null) {
      this.#sequence.truncate(this.#paired.length, (edit) => this.take(edit));
      for (const message of settled.paired) this.#addMessage(message);
      this.#paired.push(...settled.paired);
      for (const edit of this.#orphanEdits(settled)) this.add(edit);
      this.#gone = this.#goneWith(settled);
    }
    this.#tokens += itemTokens(this.reader.item(position), this.context);
  }

  protected settle(): void {
    const known = this.#paired.length;
    this.#sequence.truncate(known, (edit) => this.take(edit));
    for (const edit of this.#openOrphans) this.take(edit);
    const open = this.#messages.open(this.reader.length, this.reader.facts);
    for (const message of open.paired) this.#addMessage(message);
    this.#openOrphans = this.#orphanEdits(open);
    for (const edit of this.#openOrphans) this.add(edit);
    const gone = this.#goneWith(open);
    const size = { tokens: this.#tokens - gone.tokens, messages: this.reader.length - gone.messages };
    const length = known + open.paired.length;
    const tokensAt = (at: number) => tokensOf(this.#paired[at] ?? open.paired[at - known], this.reader, this.context);
    this.#trigger = triggerOf(size, this.#params, this.context);
    this.#keepCount = keptCount(length, tokensAt, this.#params, this.context);
    this.#sequence.doFirst(
      this.#trigger.isMet ? length - this.#keepCount : 0,
      (edit) => this.add(edit),
      (edit) => this.take(edit),
    );
    this.show();
  }

  #addMessage(message: ToolMessage): void {
    const why = () => clearedWhy(this.#trigger, this.#keepCount, this.#params);
    const { place, call } = message;
    const list: LiveEdit[] = isExcluded(message, this.#params) ? [] : [{ place, op: 'result', why }];
    if (list.length > 0 && this.#params.clearToolInputs) list.push({ place: call, op: 'input', why });
    this.#sequence.push(list);
  }

  #orphanEdits({ orphans }: ToolMessages): LiveEdit[] {
    return orphans.map((place) => ({ place, op: 'remove', why: () => ORPHAN }));
  }

  #goneWith({ orphans }: ToolMessages): { readonly tokens: number; readonly messages: number } {
    let { tokens, messages } = this.#gone;
    for (const { message, part } of orphans) {
      tokens += partTokens(this.reader, message, part, this.context);
      if (isLone(this.reader, message)) messages++;
    }
    return { tokens, messages };
  }
}
