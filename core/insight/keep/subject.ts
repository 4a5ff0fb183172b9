// Whether a request holds what is to be kept: a message word for word, or a text in any place.
import { parseMessage } from '../../model/decode.ts';
import { findExchanges } from '../../model/exchanges.ts';
import { searchPart } from '../../model/searchPart.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { type TextPattern, textPattern } from '../../util/textPattern.ts';
import { itemFacts, itemText } from '../../view/reader.ts';
import { isUnrendered } from '../../view/tokens.ts';
import type { StageMemo, View, ViewItem } from '../../view/types.ts';
import { SubjectReader } from '../subject.ts';
import { type RecordedFront, searchFront } from '../text/places.ts';
import type { KeepSubject } from './types.ts';

/** What is asked of requests. */
export interface KeptThing {
  /** The message that says it; null = nobody says it before the call point. */
  readonly index: number | null;
  /** Names of the tools whose call or result it is. */
  readonly tools: readonly string[];
  isIn(view: View): boolean;
}

/** Opens what is to be kept; null = there is nothing to look for. */
export function keptThing(
  subject: KeepSubject,
  at: number,
  source: TranscriptSource,
  memo: StageMemo,
  front: RecordedFront = {},
): KeptThing | null {
  if ('message' in subject) return keptMessage(subject.message, at, source);
  const pattern = textPattern(subject.text, subject);
  return pattern === null ? null : new KeptText(pattern, at, source, memo, front);
}

function keptMessage(index: number, at: number, source: TranscriptSource): KeptThing {
  const reader = new SubjectReader(source, { index, part: null });
  const parts = [...source.facts(index).parts.keys()];
  return {
    index: index < at ? index : null,
    tools: toolsOf(index, parts, source),
    isIn({ items }) {
      const concerned = items.filter((item) => !isUnrendered(item) && reader.concerns(item));
      return concerned.length > 0 && reader.state(concerned) === 'visible';
    },
  };
}

class KeptText implements KeptThing {
  readonly index: number | null;
  readonly tools: readonly string[];
  readonly #pattern: TextPattern;
  readonly #source: TranscriptSource;
  readonly #memo: StageMemo;
  readonly #inFront: boolean;
  readonly #raw = new Set<number>();
  /** Edited and made messages that were looked through. */
  readonly #known = new WeakMap<ViewItem, boolean>();

  constructor(pattern: TextPattern, at: number, source: TranscriptSource, memo: StageMemo, front: RecordedFront) {
    this.#pattern = pattern;
    this.#source = source;
    this.#memo = memo;
    this.#inFront = searchFront(front, { pattern, finder: null }).places.length > 0;
    const tools = new Set<string>();
    for (let index = 0; index < at; index++) {
      const parts = this.#partsSaying({ kind: 'source', index });
      if (parts.length === 0) continue;
      this.#raw.add(index);
      for (const tool of toolsOf(index, parts, source)) tools.add(tool);
    }
    this.index = this.#raw.values().next().value ?? null;
    this.tools = [...tools];
  }

  isIn({ items }: View): boolean {
    return this.#inFront || items.some((item) => !isUnrendered(item) && this.#says(item));
  }

  #says(item: ViewItem): boolean {
    if (item.kind === 'source' && item.text === undefined) return this.#raw.has(item.index);
    const known = this.#known.get(item);
    if (known !== undefined) return known;
    const says = this.#partsSaying(item).length > 0;
    this.#known.set(item, says);
    return says;
  }

  #partsSaying(item: ViewItem): readonly number[] {
    const json = itemText(item, this.#source);
    if (!this.#pattern.mayStandIn(json)) return [];
    const message = parseMessage(json);
    const { parts } = itemFacts(item, this.#source, this.#memo);
    return [...parts.keys()].filter((at) => {
      const part = parts[at];
      return part !== undefined && searchPart(message, part, this.#pattern) !== null;
    });
  }
}

// Of a result without a name that of its call.
function toolsOf(index: number, parts: readonly number[], source: TranscriptSource): readonly string[] {
  const facts = source.facts(index);
  const names = parts.flatMap((part) => {
    const { kind, name } = facts.parts[part] ?? {};
    if (kind !== 'tool_call' && kind !== 'tool_result') return [];
    return name ?? (kind === 'tool_result' ? callerOf(index, part, source) : null) ?? [];
  });
  return [...new Set(names)];
}

function callerOf(index: number, part: number, source: TranscriptSource): string | null {
  let from = index;
  while (from >= 0 && source.facts(from).role !== 'assistant') from--;
  if (from < 0) return null;
  const [exchange] = findExchanges(index + 1 - from, (position) => source.facts(from + position));
  const call = exchange?.calls.find(({ results }) =>
    results.some((result) => result.message === index - from && result.part === part),
  );
  return call?.name ?? null;
}
