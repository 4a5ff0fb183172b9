import { alignParts } from '../../core/insight/alignParts.ts';
import { type Observation, observe, type SeenMessage, type Subject } from '../../core/insight/visibility.ts';
import { partText, valueAt } from '../../core/model/partText.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import type { Projection } from '../../core/projection/types.ts';
import type { Fate, ViewItem } from '../../core/view/types.ts';

/** Whether the model sees a message or part in a projection. */
export function observeIn(source: TranscriptSource, projection: Projection, subject: Subject): Observation {
  const { items } = projection.view;
  const own = items.find((item) => item.kind === 'source' && item.index === subject.index) ?? null;
  const standing = items.find((item) => {
    return item.kind === 'synthetic' && item.covers.from <= subject.index && subject.index < item.covers.to;
  });
  return observe(projection, subject, {
    present: own !== null,
    edited: own?.text === undefined ? null : seen(source, projection.fates[subject.index], own),
    standIn: standing === undefined ? null : seen(source, undefined, standing).text(null),
  });
}

/** An edited or synthetic message, read. */
export function seen(source: TranscriptSource, fate: Fate | undefined, item: ViewItem): SeenMessage {
  const message: unknown = JSON.parse(item.text ?? 'null');
  const facts = readMessage(message);
  const shown = (part: number | null): string =>
    (part === null ? facts.parts : facts.parts.slice(part, part + 1))
      .map((each) => partText(message, each))
      .join('\n\n');
  if (item.kind !== 'source' || fate === undefined) return { facts, aligned: [], text: shown };
  const rawFacts = source.facts(item.index);
  const raw: unknown = JSON.parse(source.text(item.index));
  const same = (rawPart: number, part: number): boolean => {
    const [a, b] = [rawFacts.parts[rawPart], facts.parts[part]];
    if (a === undefined || b === undefined) return false;
    return JSON.stringify(valueAt(raw, a.path)) === JSON.stringify(valueAt(message, b.path));
  };
  return { facts, aligned: alignParts(item, rawFacts, facts.parts.length, fate, same), text: shown };
}
