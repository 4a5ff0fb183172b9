// The trail of a message: what it relied on itself, and what relied on it later, a place for each message.
// browser-safe
import { type Confidence, USE_KINDS, type Use, type UseOutcome, type UseTrail } from './types.ts';

interface Collecting {
  readonly part: number;
  readonly uses: Use[];
}

const OUTCOMES: readonly UseOutcome[] = ['original', 'elsewhere', 'gone'];
const CONFIDENCES: readonly Confidence[] = ['certain', 'probable', 'suspect'];

/** `uses` in the order of the session; those that have to do with the message do. */
export function trailOf(uses: readonly Use[], index: number): UseTrail {
  const sources = new Map<number, Collecting>();
  const users = new Map<number, Collecting>();
  for (const use of uses) {
    if (use.at > index && use.sources.some((source) => source.index === index)) collect(users, use.at, use.part, use);
    if (use.at !== index) continue;
    for (const source of use.sources) {
      if (source.index < index) collect(sources, source.index, source.part, use);
    }
  }
  return { sources: placesOf(sources), users: placesOf(users) };
}

function collect(all: Map<number, Collecting>, index: number, part: number, use: Use): void {
  const known = all.get(index);
  if (known === undefined) all.set(index, { part, uses: [use] });
  else if (!known.uses.includes(use)) known.uses.push(use);
}

function placesOf(all: ReadonlyMap<number, Collecting>): UseTrail['users'] {
  const places = [...all].map(([index, { part, uses }]) => {
    // What is missing for all that is known comes before what a person would have to look at.
    const sure = uses.filter(({ confidence }) => confidence !== 'suspect');
    const counted = sure.length > 0 ? sure : uses;
    const outcome = OUTCOMES.findLast((one) => counted.some((use) => use.outcome === one)) ?? 'original';
    const confidence = CONFIDENCES.find((one) => counted.some((use) => use.confidence === one)) ?? 'suspect';
    const kinds = USE_KINDS.filter((kind) => uses.some((use) => use.kind === kind));
    const changed = counted.every((use) => use.changed);
    return { index, part, outcome, kinds, confidence, changed };
  });
  return places.sort((a, b) => a.index - b.index);
}
