// Bug-report bundles of this program: one JSON document with a transcript up to a call point, the spec it was projected
// by, and what came out. Only the transcript is read; what came out is worked out again. Written by core/report/bundle.ts.

import { BUNDLE_FORMAT } from '../../../model/bundleFormat.ts';
import { isRecord, recordAt, stringAt } from '../../../util/unknown.ts';
import { allBut, type Detection, type Format, type Sniff } from '../../types.ts';
import { BundleReader } from './reader.ts';

const LOOKS_FOR = 'a JSON object that begins with parallax: {format: parallax-bundle, version}';
const MARK = 'parallax-bundle';

/** A bundle is the transcript it was made of, with its spec and its call point. */
export const parallaxBundle: Format = {
  id: BUNDLE_FORMAT,
  title: 'Parallax bug-report bundle',
  looksFor: LOOKS_FOR,
  recovers: allBut('folder', 'sub-agents', 'branches'),
  detect,
  elements: [
    ['fates', '*'],
    ['raw', 'compactions', '*'],
    ['raw', 'projections', '*'],
    ['raw', 'summaries', '*'],
    ['raw', 'meta', '*'],
    ['raw', 'messages', '*'],
    ['projected', 'messages', '*'],
  ],
  open: (sink, sniff) => new BundleReader(sink, sniff.values[0]),
};

function detect(sniff: Sniff): Detection {
  const [value] = sniff.values;
  const mark = sniff.shape === 'json' && isRecord(value) ? recordAt(value, 'parallax') : undefined;
  const isBundle = mark !== undefined && stringAt(mark, 'format') === MARK;
  return isBundle ? { score: 1, why: `parallax.format is ${MARK}` } : { score: 0, why: `looked for ${LOOKS_FOR}` };
}
