// The tools that come into a request on the way: deferred definitions that its messages refer to, and those that system
// messages bring along. They stand where they are referred to, so they are told by themselves, not beside the messages.

import { isDeferred, toolName, toolReferences } from '../model/toolLoading.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { toolText } from '../tokens/beside.ts';

/** A tool that a message loads: its name, and what its definition costs. Unit: tokens. */
export interface LoadableTool {
  readonly name: string;
  readonly tokens: number;
}

/** What a request holds of them, in the order in which they came. */
export interface LoadedNow {
  readonly names: readonly string[];
  readonly tokens: number;
}

/** The messages of a transcript that load tools, in order. */
export class LoadedTools {
  readonly #loads: readonly (readonly [number, readonly LoadableTool[]])[];

  private constructor(loads: readonly (readonly [number, readonly LoadableTool[]])[]) {
    this.#loads = loads;
  }

  /** Null where no tool is deferred and no message brings one. `count` = tokens of a text. Reads every message once. */
  static of(
    source: TranscriptSource,
    toolsJson: string | undefined,
    count: (text: string) => number,
  ): LoadedTools | null {
    const value: unknown = toolsJson === undefined ? [] : JSON.parse(toolsJson);
    const deferred = new Map(
      (Array.isArray(value) ? value : []).filter(isDeferred).map((tool) => [toolName(tool), tool]),
    );
    const loads: [number, LoadableTool[]][] = [];
    for (let index = 0; index < source.length; index++) {
      const text = source.text(index);
      if (!text.includes('tool_reference') && !text.includes('tool_addition')) continue;
      const tools = toolReferences(JSON.parse(text)).flatMap(({ name, how, definition }): LoadableTool[] => {
        const given: unknown = definition ?? deferred.get(name);
        return how === 'removal' || given === undefined ? [] : [{ name, tokens: count(toolText(given)) }];
      });
      if (tools.length > 0) loads.push([index, tools]);
    }
    return loads.length === 0 && deferred.size === 0 ? null : new LoadedTools(loads);
  }

  /** At one call point: `stands` = the message is in the request, and shown. A tool counts once, where it came first. */
  at(stands: (index: number) => boolean): LoadedNow {
    const found = new Map<string, number>();
    for (const [index, tools] of this.#loads) {
      if (!stands(index)) continue;
      for (const { name, tokens } of tools) if (!found.has(name)) found.set(name, tokens);
    }
    return { names: [...found.keys()], tokens: [...found.values()].reduce((sum, tokens) => sum + tokens, 0) };
  }
}
