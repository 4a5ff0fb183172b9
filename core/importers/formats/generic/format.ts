// The format that a mapping makes. It is never among the formats that detection chooses from: a file is read by a
// mapping because somebody said so, or because a saved mapping fits one that nothing else knows.

import { EACH_ELEMENT, findPlaces } from '../../../model/mapping/path.ts';
import type { Mapping } from '../../../model/mapping/types.ts';
import { valueAt } from '../../../model/partText.ts';
import { sha256Hex } from '../../../util/hash.ts';
import { canonicalJson } from '../../../util/json/index.ts';
import type { Format, Recovered, Sniff } from '../../types.ts';
import { compileMapping, type MappingSteps } from './compile.ts';
import { GENERIC_ID } from './id.ts';
import { readPlace } from './message.ts';
import { GenericReader } from './reader.ts';

/** What `parallax formats` says of files that are read by a mapping. */
export const GENERIC_TITLE = 'Any other JSON, by a mapping of its fields';
export const GENERIC_LOOKS_FOR = 'nothing: a file that no format knows is read by the mapping you give or saved';

/** What a mapping can recover where the file has it and the mapping says where. */
export const GENERIC_RECOVERS: readonly Recovered[] = [
  'calls',
  'results',
  'errors',
  'thinking',
  'usage',
  'models',
  'times',
  'branches',
];

/** What is said of it beside the formats. */
export const GENERIC = {
  id: GENERIC_ID,
  title: GENERIC_TITLE,
  looksFor: GENERIC_LOOKS_FOR,
  recovers: GENERIC_RECOVERS,
} as const;

/**
 * The name of a mapping's reading: a hash of all that has to do with how a file is read, so without its name. A file
 * read by another mapping is another transcript.
 */
export function mappingHash(mapping: Mapping): string {
  const { name: _name, ...rest } = mapping;
  return sha256Hex(canonicalJson(JSON.stringify(rest))).slice(0, 16);
}

/** The format id that a mapped file is resumed and followed by. */
export function mappedFormatId(hash: string): string {
  return `${GENERIC_ID}:${hash}`;
}

/** The format of a mapping that `readMapping` gave. */
export function genericFormat(mapping: Mapping): Format {
  const steps = compileMapping(mapping);
  return {
    id: mappedFormatId(mappingHash(mapping)),
    title: mapping.name === '' ? GENERIC_TITLE : mapping.name,
    looksFor: GENERIC_LOOKS_FOR,
    recovers: GENERIC_RECOVERS,
    // Below every format there is, whatever it finds.
    detect(sniff) {
      const share = fitOf(steps, sniff);
      return { score: share * 0.1, why: share > 0 ? `the mapping "${mapping.name}" fits` : 'the mapping does not fit' };
    },
    elements: splitPatterns(steps),
    open: (sink) => new GenericReader(sink, steps),
  };
}

// A document is split at the last list of the messages' path that is reached by names and lists alone.
function splitPatterns({ at }: MappingSteps): readonly (readonly string[])[] {
  const pattern: string[] = [];
  let splits = 0;
  for (const step of at) {
    if (step === EACH_ELEMENT) splits = pattern.push('*');
    else if (typeof step === 'string') pattern.push(step);
    else break;
  }
  return splits === 0 ? [] : [pattern.slice(0, splits)];
}

const MOST_PLACES = 200;

// How well a mapping fits the head of a file: 0 = not at all, else the share of places it makes messages of. The last value
// of a cut document may be cut itself; a share is not a matter of one.
function fitOf(steps: MappingSteps, { values, shape }: Sniff): number {
  if (shape === 'zip' || shape === 'other') return 0;
  let places = 0;
  let speaking = 0;
  for (const value of values) {
    for (const path of findPlaces(value, steps.at).slice(0, MOST_PLACES)) {
      const here = valueAt(value, path);
      places++;
      const text = JSON.stringify(here);
      if (steps.messages.some((rule) => readPlace(rule, text, here).messages.some((one) => says(one.text)))) speaking++;
    }
  }
  const share = places === 0 ? 0 : speaking / places;
  return share >= 0.3 ? share : 0;
}

function says(text: string): boolean {
  return !text.endsWith('"content":[]}') && !text.endsWith('"content":""}');
}
