// pruneMessages along the call points: what the last messages spare changes as they move on; a key that is no longer
// spared, or is now, touches the messages that hold it. Where a call or a result has no id, all is looked at anew.
import type { IncrementalContext } from '../../../view/incremental.ts';
import { type PruneParams, pruneAll, pruneMessage, sparedKeys } from '../vercelPruneMessages.ts';
import { Edits } from './edits.ts';
import { LiveDecisions } from './liveDecisions.ts';
import { type ToolPart, toolPartsOf } from './toolParts.ts';

const NONE: readonly ToolPart[] = [];

/** The live form of vercel_prune_messages. */
export class LivePrune extends LiveDecisions {
  readonly #params: PruneParams;
  /** False once a part was seen that only the whole view explains. */
  #isPlain = true;
  #parts: (readonly ToolPart[])[] = [];
  #tools = new Map<string, string>();
  #byKey = new Map<string, number[]>();
  /** How many of the last messages' parts hold a key. */
  #spared = new Map<string, number>();
  /** Where the last messages began at the call point before. */
  #window = 0;
  #length = 0;
  readonly #touched = new Set<number>();

  constructor(params: PruneParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
  }

  protected reset(): void {
    this.#isPlain = true;
    this.#parts = [];
    this.#tools.clear();
    this.#byKey.clear();
    this.#spared.clear();
    this.#window = 0;
    this.#length = 0;
    this.#touched.clear();
  }

  protected push(position: number): void {
    const parts = this.#params.toolCalls === 'none' ? NONE : this.#plainParts(position);
    this.#parts.push(parts);
    for (const { keys, message } of parts) {
      for (const key of keys) this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), message]);
    }
  }

  protected settle(): void {
    if (!this.#isPlain) {
      this.#settleAll();
      return;
    }
    const length = this.#parts.length;
    const { keepLast } = this.#params;
    const window = keepLast === null ? length : Math.max(0, length - keepLast);
    for (let position = this.#length; position < length; position++) this.#count(position, 1);
    for (let position = this.#window; position < window; position++) this.#count(position, -1);
    for (let position = Math.min(this.#window, this.#length); position < length; position++)
      this.#touched.add(position);
    if (this.#length > 0) this.#touched.add(this.#length - 1);
    this.#window = window;
    this.#length = length;
    for (const position of this.#touched) this.#decide(position);
    this.#touched.clear();
  }

  // A message comes among the last ones, or leaves them.
  #count(position: number, by: 1 | -1): void {
    for (const { keys } of this.#parts[position] ?? NONE) {
      for (const key of keys) {
        const before = this.#spared.get(key) ?? 0;
        this.#spared.set(key, before + by);
        if (before > 0 === before + by > 0) continue;
        for (const holder of this.#byKey.get(key) ?? []) this.#touched.add(holder);
      }
    }
  }

  #decide(position: number): void {
    const edits = this.#emptyEdits();
    const isSpared = (key: string): boolean => (this.#spared.get(key) ?? 0) > 0;
    pruneMessage(position, this.reader, this.#parts[position] ?? NONE, isSpared, this.#params, edits);
    this.#show(position, edits);
  }

  #settleAll(): void {
    const edits = this.#emptyEdits();
    const parts = this.#params.toolCalls === 'none' ? NONE : toolPartsOf(this.reader, this.context);
    pruneAll(this.reader, parts, sparedKeys(parts, this.reader.length, this.#params), this.#params, edits);
    for (let position = 0; position < this.reader.length; position++) this.#show(position, edits);
  }

  #show(position: number, edits: Edits): void {
    const outcome = edits.at(position);
    this.decide(position, outcome);
  }

  #emptyEdits(): Edits {
    return new Edits(this.reader, this.context, { keepEmpty: this.#params.keepEmpty });
  }

  #plainParts(position: number): readonly ToolPart[] {
    const { parts, role } = this.reader.facts(position);
    const found: ToolPart[] = [];
    for (const [part, { kind, callId, name }] of parts.entries()) {
      if (kind === 'other' && (role === 'assistant' || role === 'tool')) this.#isPlain = false;
      if (kind !== 'tool_call' && kind !== 'tool_result') continue;
      if (typeof callId !== 'string') {
        this.#isPlain = false;
        continue;
      }
      if (typeof name === 'string') this.#tools.set(callId, name);
      const tool = name ?? this.#tools.get(callId) ?? null;
      // Only a later part may tell.
      if (tool === null && this.#params.tools.size > 0) this.#isPlain = false;
      found.push({ message: position, part, tool, keys: [callId] });
    }
    return found.length === 0 ? NONE : found;
  }
}
