// `parallax trace --text`: is a text still in the request, where, and since when not.

import type { ImportedTranscript } from '../../core/importers/memory.ts';
import {
  isSaid,
  type RawTextPlace,
  type TextChange,
  type TextLoss,
  type TextState,
  type TextTrace,
  type ViewPlace,
} from '../../core/insight/text/types.ts';
import { messageOrigin } from '../../core/model/provenanceOf.ts';
import { EXIT } from '../support/failure.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { type TextQuestion, traceQuestion } from '../support/tracing.ts';

const LISTED = 20;

/** Traces a text and prints what comes out; the exit code says whether it is in the request now. */
export async function traceText(question: TextQuestion, json: boolean): Promise<void> {
  const trace = await traceQuestion(question);
  if (json) await writeJson(jsonOf(trace));
  else await write(textOf(trace, question));
  if (!isSaid(trace.now.state)) process.exitCode = EXIT.finding;
}

function jsonOf({ text, sentence, changes, firstLoss, now }: TextTrace) {
  const states = changes.map(({ at, state, places }) => ({ at, state, places: places.map(placeJson) }));
  return { text, sentence, states, firstLoss, now: { ...now, places: now.places.map(placeJson) } };
}

function placeJson({ index, synthetic, front, part, from, to }: ViewPlace) {
  const where = index !== null ? { index } : synthetic !== null ? { synthetic } : { front };
  return { ...where, part, from, to };
}

const LETTERS: Readonly<Record<TextState, string>> = {
  not_yet: '·',
  original: '█',
  elsewhere: '▓',
  partly: '░',
  gone: '_',
};

const WORDS: Readonly<Record<TextState, string>> = {
  not_yet: 'not yet said',
  original: 'original',
  elsewhere: 'elsewhere, word for word',
  partly: 'only partly',
  gone: 'gone',
};

function textOf(trace: TextTrace, { source, transcript }: TextQuestion): string {
  return [
    `${trace.sentence}\n`,
    `\n${strip(trace)}\n${legend(trace)}\n`,
    `\n${table([['stands', describeSeen(trace)], ...instead(trace)])}`,
    changesText(trace, source.length),
    placesText(trace, transcript),
  ].join('');
}

const STRIP = 80;

// As many columns as there are call points, at most 80: a column shows the worst of its call points.
function strip({ points }: TextTrace): string {
  const columns = Math.min(STRIP, points.length);
  const cells = Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * points.length) / columns);
    const to = Math.floor(((column + 1) * points.length) / columns);
    const states = points.slice(from, Math.max(to, from + 1)).map(({ state }) => state);
    return LETTERS[WORST_FIRST.find((state) => states.includes(state)) ?? 'not_yet'];
  });
  return cells.join('');
}

const WORST_FIRST = ['gone', 'partly', 'elsewhere', 'original', 'not_yet'] as const;

function legend({ counts }: TextTrace): string {
  const used = (Object.keys(WORDS) as TextState[]).filter((state) => counts[state] > 0);
  return used.map((state) => `${LETTERS[state]} ${WORDS[state]} ${grouped(counts[state])}`).join('   ');
}

function describeSeen({ counts, points, sampled }: TextTrace): string {
  const said = counts.original + counts.elsewhere;
  return `in ${grouped(said)} of ${grouped(points.length - counts.not_yet)} requests since it was said${sampled ? ' (samples)' : ''}`;
}

function instead({ now }: TextTrace): readonly (readonly string[])[] {
  const rows: string[][] = [];
  if (now.replacedBy !== null) rows.push(['instead', oneLine(now.replacedBy, 300)]);
  for (const state of [true, false]) {
    const anchors = (now.anchors ?? []).filter(({ present }) => present === state).map(({ text }) => text);
    if (anchors.length > 0) rows.push([state ? 'still there' : 'missing', anchors.join(', ')]);
  }
  return rows;
}

function changesText({ changes }: TextTrace, length: number): string {
  if (changes.length === 0) return '';
  const rows = changes.map((change) => [callOf(change.at, length), WORDS[change.state], whyText(change)]);
  return `\nChanges\n${table(rows)}`;
}

function callOf(at: number, length: number): string {
  return at === length ? 'the next request' : `call #${at}`;
}

function whyText({ loss, places, total }: TextChange): string {
  const standing = total === 0 ? '' : `in ${describePlace(places, total)}`;
  return [standing, loss === null ? '' : lossText(loss)].filter((text) => text !== '').join('; ');
}

function describePlace(places: readonly ViewPlace[], total: number): string {
  const labels = [...new Set(places.map(({ label }) => label))];
  const named = labels.slice(0, 5).join(', ');
  return labels.length > 5 || total > places.length ? `${named}, … (${grouped(total)} places)` : named;
}

function lossText(loss: TextLoss): string {
  const by = loss.stageTitle === null ? '' : ` by ${loss.stageTitle}`;
  const rule = loss.rule === null ? '' : ` (${loss.rule})`;
  const instead = loss.replacedBy === null ? '' : `; instead: ${oneLine(loss.replacedBy, 80)}`;
  return `${loss.place}: ${loss.fate}${by}${rule}: ${oneLine(loss.reason, 300)}${instead}`;
}

function placesText({ places, totalPlaces }: TextTrace, transcript: ImportedTranscript): string {
  if (places.length === 0) return '';
  const rows = places
    .slice(0, LISTED)
    .map((place) => [presence(place), placeLabel(place, transcript), place.context.trim()]);
  const more = totalPlaces - rows.length;
  return `\nPlaces (${grouped(totalPlaces)})\n${table(rows)}${more > 0 ? `and ${grouped(more)} more\n` : ''}`;
}

// With who put the message there, where that is not simply its role.
function placeLabel({ where, index, label }: RawTextPlace, { messages }: ImportedTranscript): string {
  const message = where === 'message' && index !== null ? messages[index] : undefined;
  const origin = message && messageOrigin(message.value ?? JSON.parse(message.text), message.meta);
  return origin ? `${label}, ${origin.label}` : label;
}

function presence({ present, after, where }: RawTextPlace): string {
  if (where === 'event') return 'event';
  if (after) return 'said later';
  return present ? 'present' : 'absent';
}
