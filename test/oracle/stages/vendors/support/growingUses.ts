import { findExchanges } from '../../../../../core/model/exchanges.ts';
import type { MessageFacts } from '../../../../../core/model/message.ts';
import type { ToolUse } from './toolUses.ts';

/** The tool uses of a view that grows at its end. A turn's calls are settled once the next message of the assistant is there. */
export class GrowingUses {
  /** Uses of all turns but the last, oldest first: they do not change any more. */
  readonly closed: ToolUse[] = [];
  /** The last message of the assistant; null = there is none. */
  #assistant: number | null = null;

  /** The view has one more message. */
  push(position: number, factsAt: (position: number) => MessageFacts): void {
    if (factsAt(position).role !== 'assistant') return;
    this.closed.push(...this.#read(position, factsAt));
    this.#assistant = position;
  }

  /** Uses of the last turn, as far as the view goes. */
  open(length: number, factsAt: (position: number) => MessageFacts): readonly ToolUse[] {
    return this.#read(length, factsAt);
  }

  #read(end: number, factsAt: (position: number) => MessageFacts): ToolUse[] {
    const start = this.#assistant;
    if (start === null) return [];
    const [exchange] = findExchanges(end - start, (at) => factsAt(start + at));
    return (exchange?.calls ?? []).flatMap(({ part, name, results }): ToolUse[] => {
      if (results.length === 0) return [];
      const places = results.map((place) => ({ ...place, message: start + place.message }));
      return [{ call: { message: start, part }, name, results: places }];
    });
  }
}
