import type { PartPlace } from '../model/exchanges.ts';
import type { MessageFacts, Part } from '../model/message.ts';
import { valueAt } from '../model/partText.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { originOf } from './origins.ts';
import type { ViewItem } from './types.ts';

/**
 * For each part of an edited or made message the raw part that it is, where it is equal to it in content; null = none.
 * `message` is the item's parsed text, `facts` its facts.
 */
export function samePartsOf(
  item: ViewItem,
  message: unknown,
  facts: MessageFacts,
  source: Pick<TranscriptSource, 'facts' | 'text'>,
): readonly (PartPlace | null)[] {
  const raws = new Map<number, unknown>();
  // The raw text can be large: it is read only if parts look alike.
  const rawOf = (index: number): unknown => {
    if (!raws.has(index)) raws.set(index, JSON.parse(source.text(index)));
    return raws.get(index);
  };
  return facts.parts.map((part, at) => {
    const [place, other] = originOf(item, at);
    if (place === undefined || other !== undefined) return null;
    const raw = source.facts(place.message).parts[place.part];
    if (raw === undefined || !looksAlike(part, raw)) return null;
    return sameContent(valueAt(message, part.path), valueAt(rawOf(place.message), raw.path)) ? place : null;
  });
}

function looksAlike(a: Part, b: Part): boolean {
  return (
    a.kind === b.kind && a.chars === b.chars && a.callId === b.callId && a.name === b.name && a.signed === b.signed
  );
}

function sameContent(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
