// Proposes a mapping for a file that no format knows, by what its fields are called and hold: a field of few values that
// are roles, one of many different texts, lists of calls with ids that something answers. A proposal, with its reasons:
// a person looks at what it gives before anything is imported.

import { pathText } from '../../../model/mapping/path.ts';
import type { Mapping, MessageRule, TranscriptRule } from '../../../model/mapping/types.ts';
import type { Sniff } from '../../types.ts';
import { guessRule, type RuleGuess } from './guessRule.ts';
import { guessTranscripts } from './guessTranscripts.ts';
import { type Candidate, candidatesIn } from './places.ts';

/** A proposal. `confidence` 0..1; 0 = there is none, and `why` says what is in the way. */
export interface Guess {
  readonly mapping: Mapping | null;
  readonly confidence: number;
  readonly why: readonly string[];
}

interface Scored extends RuleGuess {
  readonly candidate: Candidate;
}

/** Guesses from the head of a file. */
export function guessMapping(sniff: Sniff): Guess {
  const refusal = refusalOf(sniff);
  if (refusal !== null) return nothing(refusal);
  const areLines = sniff.shape !== 'json';
  const scored: Scored[] = candidatesIn(sniff.values).flatMap((candidate) => {
    const guess = guessRule(candidate.items);
    return guess === null ? [] : [{ candidate, ...guess }];
  });
  const best = bestOf(scored);
  if (best === undefined) {
    const seen = `It looks like ${sniff.looksLike}.`;
    return nothing(`No list of objects in it has both a field for the speaker and a field for the text. ${seen}`);
  }
  const { candidate, rules, confidence, why } = best;
  const transcripts = guessTranscripts(sniff.values, candidate, areLines);
  return {
    mapping: mappingOf(candidate, rules, transcripts.rule),
    confidence: Math.round(confidence * 100) / 100,
    why: [describeWhere(candidate, areLines), ...why, ...transcripts.why],
  };
}

// Of two that are as good the one with more in it: calls in messages look like messages too.
function bestOf(scored: readonly Scored[]): Scored | undefined {
  const weight = ({ confidence, candidate }: Scored) => confidence + Math.min(candidate.items.length, 20) / 400;
  return scored.reduce<Scored | undefined>(
    (best, one) => (best === undefined || weight(one) > weight(best) ? one : best),
    undefined,
  );
}

function mappingOf({ steps }: Candidate, messages: readonly MessageRule[], transcripts: TranscriptRule): Mapping {
  const at = pathText({ root: '$', steps });
  const some = Object.keys(transcripts).length > 0;
  return { mapping: 1, name: '', ...(some ? { transcripts } : {}), at, messages };
}

function describeWhere({ steps, items }: Candidate, areLines: boolean): string {
  const count = `${items.length} ${items.length === 1 ? 'object' : 'objects'}`;
  if (steps.length === 0)
    return areLines ? `Each line is a record (${items.length} looked at).` : 'The document is one record.';
  return `The messages are at ${pathText({ root: '$', steps })} (${count} looked at).`;
}

function refusalOf({ shape, values, looksLike }: Sniff): string | null {
  if (shape === 'zip') return 'This is an archive: unpack it, and map a JSON file in it.';
  if (shape === 'other' || values.length === 0) return `A mapping reads JSON and JSON lines; this is ${looksLike}.`;
  const rows = values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
  if (rows.length > 0 && rows.every(isBareRow)) {
    return 'This is a table: lists of values without names, as in CSV. A mapping finds fields by their names: write each row as an object, e.g. {"role": "user", "text": "…"}.';
  }
  if (rows.every((row) => typeof row !== 'object' || row === null)) {
    return 'This holds bare values, and no objects with named fields that a mapping could find.';
  }
  return null;
}

function isBareRow(value: unknown): boolean {
  return Array.isArray(value) && value.every((cell) => typeof cell !== 'object' || cell === null);
}

function nothing(why: string): Guess {
  return { mapping: null, confidence: 0, why: [why] };
}
