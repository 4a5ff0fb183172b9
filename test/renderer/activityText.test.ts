import { expect, it } from 'vitest';
import type { JobInfo } from '../../core/protocol/types.ts';
import { type Activity, activityText } from '../../renderer/status/activityText.ts';

const IDLE: Activity = {
  isStarting: false,
  isOpening: false,
  jobs: [],
  isProjecting: false,
  isComputing: false,
  counted: 1,
  isReadOnly: false,
  work: [],
};

const LOOKING = { text: 'looking at compactions', done: null, total: null };
const TRYING = { text: 'trying values', done: 40, total: 1200 };

const IMPORT: JobInfo = {
  jobId: 'j',
  kind: 'import',
  title: 'Import 2 files',
  state: 'running',
  progress: 0.5,
  bytesPerSecond: null,
  secondsLeft: null,
  message: '',
  transcriptIds: [],
  error: null,
};

function job(change: Partial<JobInfo>): JobInfo {
  return { ...IMPORT, ...change };
}

it.each<readonly [string, Partial<Activity>, string]>([
  ['nothing goes on', {}, 'idle'],
  ['the engine has not answered yet', { isStarting: true }, 'reading the library…'],
  ['a transcript is being opened', { isOpening: true, isComputing: true }, 'opening…'],
  ['a projection is under way', { isProjecting: true, counted: 0.2 }, 'projecting…'],
  ['tokens are counted', { counted: 0.256, isComputing: true }, 'counting tokens 25%'],
  ['tokens cannot be kept', { counted: 0.2, isReadOnly: true }, 'idle'],
  ['call points are computed', { isComputing: true }, 'tokens per call…'],
  [
    'an import runs',
    { jobs: [job({ kind: 'tokens', title: 'Count' }), job({})], isStarting: true },
    'Import 2 files 50%',
  ],
  ['a job without a known end', { jobs: [job({ progress: null })] }, 'Import 2 files'],
  ['a screen waits for something', { work: [TRYING, LOOKING], isComputing: true }, 'looking at compactions…'],
  ['a sweep is at work', { work: [TRYING] }, 'trying values 40 of 1,200'],
  ['it is not projected yet either', { work: [TRYING], isProjecting: true }, 'projecting…'],
  ['a job that failed', { jobs: [job({ state: 'failed' })] }, 'idle'],
])('%s', (_name, change, text) => {
  expect(activityText({ ...IDLE, ...change })).toBe(text);
});
