export { ImportLostError, type ImportWriter } from './importWriter.ts';
export { Library } from './library.ts';
export type * from './types.ts';
