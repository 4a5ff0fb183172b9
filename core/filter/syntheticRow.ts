import type { MessageFacts } from '../model/message.ts';
import { toolSide } from '../model/toolSide.ts';
import { findMarks } from '../search/marks.ts';
import { contentMarks, searchRole, searchText } from '../search/messageText.ts';
import type { Term } from '../search/types.ts';
import { partKindWord, type StageName } from './rows.ts';
import type { FilterRow, NumberField, ValueField } from './types.ts';

/** What no one wrote: a message that a stage made, or a part that it put into one. */
export interface MadeRow {
  /** Its parsed message, and the part; null = the whole message is one row. */
  readonly message: unknown;
  readonly facts: MessageFacts;
  readonly part: number | null;
  /** Its place among the messages: a source index. */
  readonly index: number;
  readonly tokens: number;
  readonly stage: StageName | null;
  readonly rule: string | null;
}

/** The row of it. Nothing is known of its uses, time, turn or model. */
export class SyntheticRow implements FilterRow {
  readonly #made: MadeRow;

  constructor(made: MadeRow) {
    this.#made = made;
  }

  values(field: ValueField): string | readonly string[] | null {
    const { facts, part, stage, rule } = this.#made;
    const own = facts.parts[part ?? 0];
    switch (field) {
      case 'fate':
        return 'synthetic';
      case 'in':
        return 'request';
      case 'role':
        return searchRole(facts);
      case 'kind':
        return partKindWord(own);
      case 'has':
        return contentMarks(facts).flatMap(({ tag, value }) => (tag === 'has' ? [value] : []));
      case 'tool':
      case 'call':
      case 'result':
        return this.#tool(field);
      case 'stage':
        return stage && [stage.kind.toLowerCase(), stage.title.toLowerCase()];
      case 'rule':
        return rule?.toLowerCase() ?? null;
      case 'is':
      case 'model':
      case 'used':
      case 'use':
        return null;
    }
  }

  number(field: NumberField): number | null {
    const { facts, part, index, tokens } = this.#made;
    switch (field) {
      case 'tokens':
        return tokens;
      case 'index':
        return index;
      case 'chars':
        return facts.parts.reduce((sum, { chars }, at) => (part === null || part === at ? sum + chars : sum), 0);
      case 'turn':
      case 'uses':
        return null;
    }
  }

  time(): null {
    return null;
  }

  says(term: Term): boolean {
    const { message, facts, part } = this.#made;
    return facts.parts.some(
      (one, at) => (part === null || part === at) && findMarks(searchText(message, one), [term]).length > 0,
    );
  }

  #tool(field: 'tool' | 'call' | 'result'): string | null {
    const { facts, part } = this.#made;
    const own = facts.parts[part ?? 0];
    const side = own === undefined ? null : toolSide(own);
    const fits = field === 'tool' ? side !== null : side === field;
    return fits ? (own?.name?.toLowerCase() ?? null) : null;
  }
}
