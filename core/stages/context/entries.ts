// Messages as entries of a thread. What a provider writes as one message is several entries there: what is said, each
// call, each result. Source: the thread design, "Entry Kind Mappings" and "Token Estimation".
import type { MessageFacts, Part } from '../../model/message.ts';
import { partText } from '../../model/partText.ts';
import { utf8Length } from '../../util/chars.ts';
import { madeOnce } from '../../view/madeOnce.ts';
import { itemText, readView } from '../../view/reader.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { StageContext, ViewItem } from '../../view/types.ts';
import type { EntryKind } from './params.ts';

/** What the heuristic adds for each entry. */
const ENTRY_OVERHEAD = 10;
const BYTES_PER_TOKEN = 4;

/** The heuristic's count of one entry: a quarter of its bytes, rounded down, and 10. */
export function estimateEntry(bytes: number): number {
  return Math.floor(bytes / BYTES_PER_TOKEN) + ENTRY_OVERHEAD;
}

/** The kind of entry a part belongs to. Reasoning goes with the calls it led to, else with what is said. */
export function kindOfPart(part: Part, hasCalls: boolean): EntryKind {
  if (part.kind === 'tool_call' || part.kind === 'tool_result') return part.kind;
  return hasCalls && isReasoning(part) ? 'tool_call' : 'message';
}

function isReasoning({ kind }: Part): boolean {
  return kind === 'thinking' || kind === 'opaque';
}

/** Number of entries of a message: one for all that is said, one for each call and each result; at least one. */
export function entryCount({ parts }: MessageFacts): number {
  let said = 0;
  let others = 0;
  let reasoning = 0;
  for (const part of parts) {
    if (part.kind === 'tool_call' || part.kind === 'tool_result') others++;
    else if (isReasoning(part)) reasoning = 1;
    else said = 1;
  }
  return Math.max(1, others + Math.max(said, others > 0 ? 0 : reasoning));
}

/** The heuristic's count of a message: the sum over its entries; images as the tokenizer's rule has them. */
export function estimateMessage(text: string, facts: MessageFacts, image: number): number {
  const message: unknown = JSON.parse(text);
  const hasCalls = facts.parts.some(({ kind }) => kind === 'tool_call');
  let tokens = 0;
  let said: number | null = facts.parts.length === 0 ? 0 : null;
  let ofCalls = 0;
  for (const part of facts.parts) {
    if (part.kind === 'image') {
      said ??= 0;
      tokens += image;
      continue;
    }
    const bytes = utf8Length(partText(message, part));
    if (part.kind === 'tool_result') tokens += estimateEntry(bytes);
    else if (part.kind === 'tool_call') {
      tokens += estimateEntry(bytes + ofCalls);
      ofCalls = 0;
    } else if (kindOfPart(part, hasCalls) === 'tool_call') ofCalls += bytes;
    else said = (said ?? 0) + bytes;
  }
  const rest = Math.floor(ofCalls / BYTES_PER_TOKEN);
  return tokens + rest + (said === null ? 0 : estimateEntry(said));
}

/** Counts messages and texts as a policy's estimator does. Each text is read once. */
export interface Estimator {
  item(item: ViewItem): number;
  /** A message that is made of this text alone. */
  text(text: string): number;
}

type EstimatorContext = Pick<StageContext, 'tokens' | 'source' | 'memo'>;

/** The estimator of a policy: `heuristic` by entries, `exact` by the tokens of the context. */
export function estimatorOf(kind: 'heuristic' | 'exact', context: EstimatorContext): Estimator {
  const { tokens, source, memo } = context;
  if (kind === 'exact') return { item: (item) => itemTokens(item, context), text: (text) => tokens.text(text) };
  const name = `context.estimates ${tokens.image}`;
  const count = (item: ViewItem) => {
    const facts = readView({ items: [item] }, source, memo).facts(0);
    return estimateMessage(itemText(item, source), facts, tokens.image);
  };
  return {
    text: (text) => estimateEntry(utf8Length(text)),
    item: (item) => madeOnce(name, item, '', memo, () => count(item)),
  };
}

/** Entries of the raw messages [0, at); each message is counted once. */
export function entriesBefore({ source, memo }: StageContext, at: number): number {
  const sums = memo.get('context.entries', () => [0]);
  for (let index = sums.length - 1; index < at; index++)
    sums.push((sums[index] ?? 0) + entryCount(source.facts(index)));
  return sums[at] ?? 0;
}
