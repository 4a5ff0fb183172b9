// How places are called in sentences and lists.
import type { MessageFacts, Part } from '../../model/message.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { SyntheticItem, ViewItem } from '../../view/types.ts';
import type { FrontPlace } from './types.ts';

/** What stands in front of the messages. */
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

  /** `#124`, `summary #271`, `summary of #0–#270`, `message put in before #5`. */
  item(item: ViewItem): string {
    if (item.kind === 'synthetic') return syntheticLabel(item);
    return this.#summaries.has(item.index) ? `summary #${item.index}` : `#${item.index}`;
  }

  isSummary(index: number): boolean {
    return this.#summaries.has(index);
  }
}

function syntheticLabel({ covers: { from, to } }: SyntheticItem): string {
  if (to - from > 1) return `the summary of #${from}–#${to - 1}`;
  return to > from ? `what stands for #${from}` : `the message put in before #${from}`;
}

function partWord({ role, parts }: MessageFacts, part: number): string {
  const own: Part | undefined = parts[part];
  switch (own?.kind) {
    case 'tool_call':
      return own.name ? `${own.name} call` : 'call';
    case 'tool_result':
      return 'result';
    case 'thinking':
      return 'thinking';
    case 'image':
    case 'file':
      return own.kind;
    default:
      return role;
  }
}
