import type { SeenPath } from '../model/mapping/preview.ts';
import type { Mapping } from '../model/mapping/types.ts';

/** A saved mapping. `hash` names its reading: transcripts read by another one have other ids. */
export interface MappingInfo {
  readonly hash: string;
  readonly name: string;
  /** ISO-8601. */
  readonly savedAt: string;
  readonly mapping: Mapping;
}

/** What is in a file where a mapping looks, for its fields: paths from a message, a call, a result, a transcript. */
export interface MappingFields {
  readonly message: readonly SeenPath[];
  readonly call: readonly SeenPath[];
  readonly result: readonly SeenPath[];
  readonly transcript: readonly SeenPath[];
  /** Of each message rule the values of its role, as text, in the order they come. */
  readonly roles: readonly (readonly string[])[];
}
