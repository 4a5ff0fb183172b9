// The tools that come into a request on the way: deferred definitions that its messages refer to, and those that system
// messages bring along. Each stands where it was referred to first, and is gone with the message that did. One place, for
// every figure: bars, budget, tables, the cache, `parallax sweep`.

import { systemMessages } from '../model/systemMessages.ts';
import { isDeferred, toolName, toolReferences } from '../model/toolLoading.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import type { LoadedNow } from '../tokens/loaded.ts';
import { toolText } from '../tokens/overhead.ts';
import { isUnrendered } from '../view/tokens.ts';
import type { ViewItem } from '../view/types.ts';

/** A tool that a message loads: its name, and what its definition costs. Unit: tokens. */
export interface LoadableTool {
  readonly name: string;
  readonly tokens: number;
}

const NONE: readonly LoadableTool[] = [];

/** The messages of a transcript that load tools, in order. */
export class LoadedTools {
  readonly #deferred: ReadonlyMap<string, string>;
  readonly #count: (text: string) => number;
  readonly #byIndex = new Map<number, readonly LoadableTool[]>();
  readonly #counts = new Map<string, number>();
  #read = 0;

  /** `toolsJson` = the definitions that the transcript records; `count` = tokens of a text. */
  constructor(toolsJson: string | undefined, count: (text: string) => number) {
    const value: unknown = toolsJson?.includes('"defer_loading"') === true ? JSON.parse(toolsJson) : [];
    const deferred = (Array.isArray(value) ? value : []).filter(isDeferred);
    this.#deferred = new Map(deferred.map((tool) => [toolName(tool), toolText(tool)]));
    this.#count = count;
  }

  /** Reads the messages that were not read yet. Without deferred tools only system messages can bring any. */
  read(source: Pick<TranscriptSource, 'length' | 'facts' | 'text' | 'systemMessages'>): this {
    if (this.#read === source.length) return this;
    if (this.#deferred.size === 0) for (const index of systemMessages(source, this.#read)) this.#readOne(source, index);
    else for (let index = this.#read; index < source.length; index++) this.#readOne(source, index);
    this.#read = source.length;
    return this;
  }

  #readOne(source: Pick<TranscriptSource, 'text'>, index: number): void {
    const tools = this.#toolsIn(source.text(index));
    if (tools.length > 0) this.#byIndex.set(index, tools);
  }

  /** False where no tool is deferred and no message read so far brings one: then there is nothing to report. */
  get isUsed(): boolean {
    return this.#deferred.size > 0 || this.#byIndex.size > 0;
  }

  /** What an item of a view loads, as it is there: a cleared result loads nothing, nor does what is not shown. */
  of(item: ViewItem): readonly LoadableTool[] {
    if (isUnrendered(item)) return NONE;
    if (item.kind === 'source' && item.text === undefined) return this.#byIndex.get(item.index) ?? NONE;
    return this.#toolsIn(item.text ?? '');
  }

  /** What a request loads. A tool counts once, where it came first. Null = nothing is ever loaded. */
  inView(items: Iterable<ViewItem>): LoadedNow | null {
    if (!this.isUsed) return null;
    const loads: (readonly LoadableTool[])[] = [];
    for (const item of items) loads.push(this.of(item));
    return unionOf(loads).now;
  }

  /** The same of the history before `at`, as it is. */
  before(at: number): LoadedNow | null {
    if (!this.isUsed) return null;
    return unionOf([...this.#byIndex].filter(([index]) => index < at).map(([, tools]) => tools)).now;
  }

  #toolsIn(text: string): readonly LoadableTool[] {
    if (!text.includes('tool_reference') && !text.includes('tool_addition')) return NONE;
    const tools = toolReferences(JSON.parse(text)).flatMap(({ name, how, definition }): LoadableTool[] => {
      const given = definition === null ? this.#deferred.get(name) : toolText(definition);
      return how === 'removal' || given === undefined ? [] : [{ name, tokens: this.#counted(given) }];
    });
    return tools.length === 0 ? NONE : tools;
  }

  #counted(text: string): number {
    const known = this.#counts.get(text) ?? this.#count(text);
    this.#counts.set(text, known);
    return known;
  }
}

/** Tools of messages in order, each once; `own` = what each message adds. Unit: tokens. */
export function unionOf(loads: readonly (readonly LoadableTool[])[]): {
  readonly now: LoadedNow;
  readonly own: readonly number[];
} {
  const names = new Set<string>();
  const own = loads.map((tools) => {
    let added = 0;
    for (const { name, tokens } of tools) {
      if (names.has(name)) continue;
      names.add(name);
      added += tokens;
    }
    return added;
  });
  return { now: { names: [...names], tokens: own.reduce((sum, each) => sum + each, 0) }, own };
}
