// How places are called in sentences and lists.
import type { MessageFacts, Part } from '../../model/message.ts';
import { toolSide } from '../../model/toolSide.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { SyntheticItem, ViewItem } from '../../view/types.ts';
import { isMoved, mergedInto } from './origin.ts';
import type { FrontPlace } from './types.ts';

/** What is in front of the messages. */
export const FRONT_LABELS: Readonly<Record<FrontPlace, string>> = {
  system: 'the system prompt',
  tools: 'the tool definitions',
};

/** Names the places of one transcript. */
export class PlaceLabels {
  readonly #source: TranscriptSource;
  readonly #summaries: ReadonlySet<number>;

  constructor(source: TranscriptSource) {
    this.#source = source;
    this.#summaries = new Set(source.compactions().flatMap(({ summaryIndex }) => summaryIndex ?? []));
  }

  /** `user #124`, `Bash call #12`, `summary #271`. */
  part(index: number, part: number): string {
    if (this.#summaries.has(index)) return `summary #${index}`;
    return `${partWord(this.#source.facts(index), part)} #${index}`;
  }

  /** A part of a request's message: `#124`, `summary #271`, `merged turn #1`, `the summary of #0–#270`. */
  viewPart(item: ViewItem, part: number): string {
    const [other] = mergedInto(item, part);
    if (item.kind === 'synthetic') return other === undefined ? syntheticLabel(item) : this.message(other);
    return other === undefined ? this.message(item.index) : `merged turn #${item.index}`;
  }

  /** A request's message: `#124`, `summary #271`, `the summary of #0–#270`, `the message put in before #5`. */
  item(item: ViewItem): string {
    if (item.kind === 'source') return this.message(item.index);
    const [from] = item.origins?.flat() ?? [];
    return from !== undefined && isMoved(item, from.message) ? this.message(from.message) : syntheticLabel(item);
  }

  /** `#124`, `summary #271`. */
  message(index: number): string {
    return this.#summaries.has(index) ? `summary #${index}` : `#${index}`;
  }
}

function syntheticLabel({ covers: { from, to } }: SyntheticItem): string {
  if (to - from > 1) return `the summary of #${from}–#${to - 1}`;
  return to > from ? `the replacement of #${from}` : `the message put in before #${from}`;
}

function partWord({ role, parts }: MessageFacts, part: number): string {
  const own: Part | undefined = parts[part];
  const side = own === undefined ? null : toolSide(own);
  if (side !== null) return side === 'call' && own?.name ? `${own.name} call` : side;
  switch (own?.kind) {
    case 'thinking':
      return 'thinking';
    case 'image':
    case 'file':
      return own.kind;
    default:
      return role;
  }
}
