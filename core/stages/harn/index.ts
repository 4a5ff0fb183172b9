// The Harn family: the policies of transcript_project, one file each.
import { cleanToolRepair } from './cleanToolRepair.ts';
import { custom } from './custom.ts';
import { type Followed, followRecorded, type RecordedOutcome } from './followRecorded.ts';
import { raw } from './raw.ts';
import { reachabilityGc } from './reachabilityGc.ts';
import { reachabilityTable } from './reachabilityTable.ts';
import { recordedProjection } from './recordedProjection.ts';
import { squashFailedCalls } from './squashFailedCalls.ts';
import { summaryPrefix } from './summaryPrefix.ts';

export {
  cleanToolRepair,
  custom,
  type Followed,
  followRecorded,
  type RecordedOutcome,
  raw,
  reachabilityGc,
  reachabilityTable,
  recordedProjection,
  squashFailedCalls,
  summaryPrefix,
};
