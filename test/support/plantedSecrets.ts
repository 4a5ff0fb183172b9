// Secrets put into real transcripts at places drawn by lot, escaped as each place is, and looked for in what leaves.
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import { jsonStrings } from '../../core/scrub/json.ts';
import { encodedTexts, percentDecoded, unescaped } from '../../core/scrub/views.ts';
import { isJsonText, parseString } from '../../core/util/json/index.ts';
import type { Rng } from '../../core/util/rng.ts';
import { type Filled, fillTemplate } from './vectors/secrets.ts';

/** A planted secret, and where. */
export interface Planted extends Filled {
  readonly template: string;
  /** JSON texts around the place: 1 = a string of the message, 2 = of JSON in a string … */
  readonly depth: number;
}

/** A transcript with secrets in it. */
export interface PlantedTranscript {
  readonly transcript: ImportedTranscript;
  readonly planted: readonly Planted[];
}

/** Longer texts are not looked through for places. Unit: characters. */
const MOST_LENGTH = 400_000;

/** Plants up to `count` secrets in messages before `at`, made of templates in turn. Fewer where there are no more words between which to put one. */
export function plantIn(
  transcript: ImportedTranscript,
  at: number,
  count: number,
  templates: readonly string[],
  rng: Rng,
): PlantedTranscript {
  const planted: Planted[] = [];
  const messages = [...transcript.messages];
  const order = rng.shuffle(messages.slice(0, at).map((_, index) => index));
  for (const [nth, index] of order.entries()) {
    const wanted = Math.ceil((count - planted.length) / (order.length - nth));
    const message = messages[index];
    if (wanted === 0 || message === undefined || message.text.length > MOST_LENGTH) continue;
    const made = plantInJson(message.text, wanted, { templates, rng, depth: 1 });
    planted.push(...made.planted);
    const { value: _, ...rest } = message;
    messages[index] = { ...rest, text: made.text };
  }
  return { transcript: { ...transcript, messages }, planted };
}

interface Planting {
  readonly templates: readonly string[];
  readonly rng: Rng;
  readonly depth: number;
}

interface PlantedText {
  readonly text: string;
  readonly planted: readonly Planted[];
}

function plantInJson(json: string, count: number, planting: Planting): PlantedText {
  const { rng } = planting;
  const strings = jsonStrings(json).filter(({ isKey, start, end }) => !isKey && / |\\n/.test(json.slice(start, end)));
  const chosen = rng.shuffle(strings).slice(0, Math.max(1, Math.ceil(count / 2)));
  chosen.sort((a, b) => b.start - a.start);
  const planted: Planted[] = [];
  let text = json;
  for (const [nth, { start, end }] of chosen.entries()) {
    const wanted = Math.ceil((count - planted.length) / (chosen.length - nth));
    const value = parseString(text, start - 1, end + 1);
    const made = plantInText(value, wanted, planting);
    planted.push(...made.planted);
    text = `${text.slice(0, start)}${JSON.stringify(made.text).slice(1, -1)}${text.slice(end)}`;
  }
  return { text, planted };
}

function plantInText(value: string, count: number, planting: Planting): PlantedText {
  const { templates, rng, depth } = planting;
  if (/^\s*[[{]/.test(value) && isJsonText(value)) return plantInJson(value, count, { ...planting, depth: depth + 1 });
  const gaps = [...value.matchAll(/[^\s\\][ \n](?=[^\s\\])/g)].map(({ index }) => index + 1);
  const chosen = rng
    .shuffle(gaps)
    .slice(0, count)
    .sort((a, b) => b - a);
  let text = value;
  const planted = chosen.map((at): Planted => {
    const template = rng.pick(templates);
    const filled = fillTemplate(template, rng);
    // Between two words, on the line or on one of its own.
    const [before, after] = rng.pick([
      [' ', ' '],
      ['\n', '\n'],
      ['\n    ', '\n'],
      [' ', '\n'],
    ] as const);
    text = `${text.slice(0, at)}${before}${filled.text}${after}${text.slice(at + 1)}`;
    return { ...filled, template, depth };
  });
  return { text, planted };
}

/** A text and all it reads as once escapes, percent signs and base64 are undone. */
export function decodings(text: string): readonly string[] {
  const all: string[] = [];
  let layer: string | null = text;
  for (let depth = 0; depth < 8 && layer !== null; depth++) {
    all.push(layer);
    const percent = percentDecoded(layer)?.text;
    if (percent !== undefined) all.push(percent);
    for (const { text: inner } of encodedTexts(layer)) all.push(inner);
    layer = unescaped(layer)?.text ?? null;
  }
  return all;
}

/** The planted ones of which something can be read in one of the texts. */
export function leftOf(planted: readonly Planted[], texts: readonly string[]): readonly Planted[] {
  return planted.filter(({ drawn }) => {
    const secret = drawn.filter((one) => one.length >= 10);
    return (secret.length > 0 ? secret : drawn).some((one) => texts.some((text) => text.includes(one)));
  });
}
