// Whether a file holds one transcript or many, and what they are called.

import { EACH_ELEMENT, EACH_MEMBER, findPlaces, type PathStep, pathText } from '../../../model/mapping/path.ts';
import type { TranscriptRule } from '../../../model/mapping/types.ts';
import { valueAt } from '../../../model/partText.ts';
import { type Field, fieldsOf } from './fields.ts';
import { best } from './guessRule.ts';
import type { Candidate } from './places.ts';
import { sounds } from './words.ts';

/** The rule for transcripts, and why. */
export interface TranscriptsGuess {
  readonly rule: TranscriptRule;
  readonly why: readonly string[];
}

/** `values` = the lines, or the one document, in which the messages are at the candidate's place. */
export function guessTranscripts(
  values: readonly unknown[],
  { steps, items }: Candidate,
  areLines: boolean,
): TranscriptsGuess {
  const lists = steps.flatMap((step, i) => (step === EACH_ELEMENT || step === EACH_MEMBER ? [i] : []));
  const outer = lists.at(-2);
  if (outer !== undefined) return placed(values, steps.slice(0, outer + 1), true);
  // A line that holds a list of messages is a transcript.
  if (areLines && lists.length === 1) return placed(values, [], true);
  const by = best(
    fieldsOf(items, 2).filter((field) => sounds('session', field.name) > 0 && isGroup(field, items.length)),
    (field) => -field.steps.length,
  );
  if (by !== undefined) {
    const path = pathText({ root: '@', steps: by.steps });
    return { rule: { by: path }, why: [`Messages with the same ${path} belong together.`] };
  }
  return areLines || lists.length === 0 ? { rule: {}, why: [] } : placed(values, [], false);
}

function placed(values: readonly unknown[], steps: readonly PathStep[], areMany: boolean): TranscriptsGuess {
  const items = values.flatMap((value) => findPlaces(value, steps).map((path) => valueAt(value, path)));
  const fields = fieldsOf(items, 1).filter(
    ({ values: all, steps: path }) =>
      path.length === 1 &&
      all.length > 0 &&
      all.every((value) => typeof value === 'string' || typeof value === 'number'),
  );
  const named = (what: 'title' | 'transcriptId') =>
    best(
      fields.filter(({ name }) => sounds(what, name) > 0),
      (field) => field.holders,
    );
  const title = named('title');
  const id = named('transcriptId');
  const at = pathText({ root: '$', steps });
  const rule: TranscriptRule = {
    ...(areMany ? { at } : {}),
    ...(id === undefined ? {} : { id: pathText({ root: '@', steps: id.steps }) }),
    ...(title === undefined ? {} : { title: pathText({ root: '@', steps: title.steps }) }),
  };
  return {
    rule,
    why: areMany ? [steps.length === 0 ? 'Each line is a transcript.' : `Each of ${at} is a transcript.`] : [],
  };
}

// An id that several messages share; one that each has for itself is the message's.
function isGroup({ values, holders }: Field, total: number): boolean {
  const distinct = new Set(values.map(String)).size;
  return (
    holders >= total * 0.5 &&
    values.every((value) => typeof value === 'string' || typeof value === 'number') &&
    (distinct < values.length || total === 1)
  );
}
