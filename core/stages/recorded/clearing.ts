// Tool results that the runtime emptied while the conversation continued (micro-compaction): the message stays, the body
// gives way to the runtime's own words.
import type { MessageFacts, Part } from '../../model/message.ts';
import { formatPath, type PlacedCompaction, type TranscriptSource } from '../../model/transcript.ts';
import { scalarCount } from '../../util/chars.ts';
import { compactJson, jsonString, parseString, setMember, valueTextAt } from '../../util/json/index.ts';
import type { Fate, PartFate, RedactionPointer, StageContext } from '../../view/types.ts';
import { grouped } from '../../view/words.ts';

/** Which calls' results are empty at a call point: of each message the ids, and the last clearing that emptied one. */
export type ClearedMessages = ReadonlyMap<number, { readonly ids: ReadonlySet<string>; readonly position: number }>;

/** The messages with results that were emptied by the clearings at these `positions` of `compactions`. */
export function clearedBy(
  compactions: readonly PlacedCompaction[],
  positions: readonly number[],
  source: TranscriptSource,
): ClearedMessages {
  const cleared = new Map<number, { readonly ids: Set<string>; position: number }>();
  const places = resultPlaces(source, compactions[positions.at(-1) ?? 0]?.at ?? 0);
  for (const position of positions) {
    const { clearedCallIds = [], at: end = 0 } = compactions[position] ?? {};
    for (const id of clearedCallIds) {
      for (const index of places.get(id) ?? []) {
        if (index >= end) continue;
        const known = cleared.get(index) ?? { ids: new Set(), position };
        known.ids.add(id);
        known.position = position;
        cleared.set(index, known);
      }
    }
  }
  return cleared;
}

function resultPlaces(source: TranscriptSource, end: number): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let index = 0; index < Math.min(end, source.length); index++) {
    for (const part of source.facts(index).parts) {
      if (part.kind !== 'tool_result' || typeof part.callId !== 'string') continue;
      places.set(part.callId, [...(places.get(part.callId) ?? []), index]);
    }
  }
  return places;
}

/** A message with results emptied: its JSON text, and what became of it. */
export interface Clearing {
  readonly text: string;
  readonly fate: Fate;
  readonly chars: number;
}

interface Emptied {
  readonly part: number | null;
  readonly pointer: RedactionPointer | null;
  readonly chars: number;
}

/** A message to be cleared, as the stage got it, and as it is in the transcript. */
export interface MessageToClear {
  readonly index: number;
  readonly text: string;
  readonly facts: MessageFacts;
  readonly rawText: string;
  /** The part of the raw message that a part stems from. */
  rawPart(part: number): number | null;
}

/** Empties the results of these calls in a message; null if none of them has a body. `why` = the fate's sentence. */
export function clearResults(
  message: MessageToClear,
  ids: ReadonlySet<string>,
  words: { readonly placeholder: string; readonly why: string },
  context: StageContext,
): Clearing | null {
  const emptied: Emptied[] = [];
  let { text } = message;
  for (const [at, part] of message.facts.parts.entries()) {
    if (part.kind !== 'tool_result' || typeof part.callId !== 'string' || !ids.has(part.callId)) continue;
    if (valueTextAt(text, [...part.path, 'content']) === null) continue;
    text = setMember(text, part.path, 'content', jsonString(words.placeholder));
    const pointer = pointerTo(message, part, context);
    emptied.push({
      part: message.rawPart(at),
      pointer,
      chars: Math.max(0, part.chars - scalarCount(words.placeholder)),
    });
  }
  if (emptied.length === 0) return null;
  const chars = emptied.reduce((sum, each) => sum + each.chars, 0);
  const parts = emptied.flatMap(({ part }): PartFate[] =>
    part === null ? [] : [{ part, kind: 'redacted', reason: words.why }],
  );
  const pointers = emptied.flatMap(({ pointer }) => (pointer === null ? [] : [pointer]));
  const base = { stage: context.stage, rule: 'recorded_clearing', reason: words.why, chip: `−${grouped(chars)}` };
  return { text, chars, fate: { kind: 'redacted', ...base, parts, pointers } };
}

// Where the body is in the raw message, which an earlier stage may have edited.
function pointerTo({ index, rawText }: MessageToClear, part: Part, { sha256 }: StageContext): RedactionPointer | null {
  const path = [...part.path, 'content'];
  const json = valueTextAt(rawText, path);
  const block = part.path[1];
  if (json === null || (part.path.length > 0 && (part.path[0] !== 'content' || typeof block !== 'number'))) return null;
  const content = json[0] === '"' ? parseString(json, 0, json.length) : compactJson(json);
  return {
    policy: 'recorded_compaction',
    source: formatPath(index, path),
    source_index: index,
    source_block_index: typeof block === 'number' ? block : null,
    content_hash: `sha256:${sha256().update(content).hex()}`,
    content_chars: scalarCount(content),
    estimated_tokens_reclaimed: Math.floor(scalarCount(content) / 4),
    tool_call_id: part.callId ?? null,
    tool_name: part.name ?? null,
    reason: 'recorded_clearing',
  };
}
