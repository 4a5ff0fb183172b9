export { emptiedMessage, isEmptied } from './emptied.ts';
export { messagesWith } from './messagesWith.ts';
export { neededBy } from './needed.ts';
export { isSameResult, type ProjectedSource } from './sameResult.ts';
export { EmptiedMessages, emptiedMeta, slicedSource, slicedTokens } from './slicedSource.ts';
export { type Slice, type SliceInput, type SliceTry, smallestSlice } from './smallest.ts';
