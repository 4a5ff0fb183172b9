export type { FeedMark, FeedRow } from './import/feeds.ts';
export type { FileIdentity } from './import/imports.ts';
export { ImportLostError, type ImportWriter, type WholeFile, type WrittenTranscript } from './import/importWriter.ts';
export { ReplaySink, SwitchSink } from './import/replaySink.ts';
export type { FollowedPath } from './library/follows.ts';
export { Library } from './library/library.ts';
export type { StoredMark } from './library/marks.ts';
export { LIBRARY_FILE } from './library/privateFiles.ts';
export { DamagedContentError, readStored, storeProblem } from './library/storeProblem.ts';
export type { StoredSummary, SummarySpan } from './library/summaries.ts';
export type { StoredWatchpoint } from './library/watchpoints.ts';
export type { ImportStart } from './tables.ts';
export {
  ASSISTANT,
  type FactsDigest,
  RESULTS,
  SIGNED_MESSAGE,
  SIZE_BITS,
  sizeOf,
  TURN,
} from './transcript/factsCodec.ts';
export { TranscriptChangedError } from './transcript/storedTranscript.ts';
export type * from './types.ts';
