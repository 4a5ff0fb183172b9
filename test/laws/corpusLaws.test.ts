import { describe, expect } from 'vitest';
import { PRESETS, presetsFor } from '../../core/projection/presets.ts';
import { eachCorpusFile } from '../support/eachCorpusFile.ts';
import { FORMATS } from '../support/formats.ts';
import { type SurveyOptions, surveyFile } from '../support/lawsSurvey.ts';

const FULL = process.env.PARALLAX_LAWS === 'full';
const FILES = FULL ? Number.POSITIVE_INFINITY : 2;
const SAMPLE: SurveyOptions = FULL ? { points: 20, transcripts: 20, seed: 1 } : { points: 1, transcripts: 1, seed: 1 };

describe.each(FORMATS)('%s keeps the laws', (format) => {
  eachCorpusFile(
    format,
    FILES,
    (path) => {
      const { violations, presets, surveyed } = surveyFile(path, SAMPLE);
      expect(violations).toEqual([]);
      // Where nothing is recorded, `as_recorded` is not offered.
      if (surveyed === 0) return;
      expect(presets.size).toBeGreaterThanOrEqual(presetsFor(PRESETS, false).length);
    },
    FULL ? 3_600_000 : 240_000,
  );
});
