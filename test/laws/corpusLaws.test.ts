// The laws on real transcripts: every format × every preset × call points, with every hygiene profile behind. A unit run
// samples files, transcripts and points; PARALLAX_LAWS=full takes all files; `npm run laws:table` tells what it covers.
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PRESETS, presetsFor } from '../../core/projection/presets.ts';
import { FORMATS } from '../support/formats.ts';
import { sampled } from '../support/lawful.ts';
import { type SurveyOptions, surveyFile } from '../support/lawsSurvey.ts';
import { corpusFiles } from '../support/shared.ts';

const FULL = process.env.PARALLAX_LAWS === 'full';
const FILES = FULL ? Number.POSITIVE_INFINITY : 2;
const SAMPLE: SurveyOptions = FULL ? { points: 20, transcripts: 20, seed: 1 } : { points: 1, transcripts: 1, seed: 1 };

describe.each(FORMATS)('%s keeps the laws', (format) => {
  const files = sampled(corpusFiles(format), FILES);
  if (files.length === 0) {
    it.skip('no corpus here', () => {});
    return;
  }
  it.each(files.map((path) => [basename(path), path] as const))(
    '%s',
    (_name, path) => {
      const { violations, presets, surveyed } = surveyFile(path, SAMPLE);
      expect(violations).toEqual([]);
      // Where nothing is recorded, `as_recorded` is not offered.
      if (surveyed === 0) return;
      expect(presets.size).toBeGreaterThanOrEqual(presetsFor(PRESETS, false).length);
    },
    FULL ? 3_600_000 : 240_000,
  );
});
