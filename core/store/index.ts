export type { FeedMark, FeedRow } from './feeds.ts';
export type { FollowedPath } from './follows.ts';
export type { FileIdentity } from './imports.ts';
export { ImportLostError, type ImportWriter, type WholeFile, type WrittenTranscript } from './importWriter.ts';
export { Library } from './library.ts';
export { ReplaySink, SwitchSink } from './replaySink.ts';
export { TranscriptChangedError } from './storedTranscript.ts';
export type { ImportStart } from './tables.ts';
export type * from './types.ts';
