import type { PartPlace } from '../../../model/exchanges.ts';
import { callsOf, resultsOf } from '../../../model/readMessage.ts';
import { exchangesOf } from '../../../view/exchangesOf.ts';
import type { ViewReader } from '../../../view/reader.ts';
import type { StageContext } from '../../../view/types.ts';

/** A result with the call it answers, as LangChain pairs them: by id, with any call before it. */
export interface ToolMessage {
  readonly place: PartPlace;
  readonly call: PartPlace;
  /** Its own name, else the call's. */
  readonly name: string | null;
}

/** All results of a view in order, and those that no call before them asked for. Results without ids pair by name. */
export function toolMessagesOf(
  reader: ViewReader,
  context: StageContext,
): { readonly paired: readonly ToolMessage[]; readonly orphans: readonly PartPlace[] } {
  const byName = pairedByName(reader, context);
  const calls = new Map<string, { readonly place: PartPlace; readonly name: string | null }>();
  const paired: ToolMessage[] = [];
  const orphans: PartPlace[] = [];
  for (let position = 0; position < reader.length; position++) {
    const facts = reader.facts(position);
    for (const { at, part } of resultsOf(facts)) {
      const place = { message: position, part: at };
      const call = typeof part.callId === 'string' ? calls.get(part.callId) : undefined;
      const found = call ?? byName.get(keyOf(place));
      if (found === undefined) orphans.push(place);
      else paired.push({ place, call: found.place, name: (part.name ?? '') === '' ? found.name : (part.name ?? null) });
    }
    if (facts.role !== 'assistant') continue;
    for (const { at, part } of callsOf(facts)) {
      if (typeof part.callId === 'string')
        calls.set(part.callId, { place: { message: position, part: at }, name: part.name ?? null });
    }
  }
  return { paired, orphans };
}

function keyOf({ message, part }: PartPlace): string {
  return `${message} ${part}`;
}

function pairedByName(reader: ViewReader, context: StageContext) {
  const pairs = new Map<string, { readonly place: PartPlace; readonly name: string | null }>();
  for (const exchange of exchangesOf(reader, context)) {
    for (const { message, part, name, results } of exchange.calls) {
      for (const result of results) pairs.set(keyOf(result), { place: { message, part }, name });
    }
  }
  return pairs;
}
