// What a transcript records apart from its messages, as the screen gets it.
import type { Visibility } from '../model/transcript.ts';

/** An asset of a Harn transcript, by its own id. */
export interface NamedAsset {
  readonly id: string;
  /** As described; null = the transcript does not describe it. */
  readonly described: {
    readonly kind: string;
    readonly mime: string | null;
    readonly name: string | null;
    /** Where its bytes are: in the file, in one beside it, or nowhere. */
    readonly held: 'inline' | 'file' | 'nowhere';
    readonly path: string | null;
  } | null;
}

/** An event of a transcript. */
export interface EventInfo {
  readonly kind: string;
  readonly at: number;
  readonly visibility: Visibility;
  readonly text: string;
  /** What its record says in words; empty = its line says all. */
  readonly words: string;
  /** The asset that it describes, or that keeps what it archived; null = none. */
  readonly assetId: string | null;
  readonly timestamp: string | null;
  readonly json: string;
  readonly line: number;
}

/** How many events a transcript has of a kind. */
export interface EventKind {
  readonly kind: string;
  readonly count: number;
}

/** What a transcript records of itself as a whole. */
export interface TranscriptFacts {
  readonly state: string | null;
  /** JSON text of an object, without the system prompt; null = nothing. */
  readonly metadata: string | null;
  /** What its retention budget did last, in words; null = nothing is recorded. */
  readonly budget: string | null;
  readonly prompt: PromptCheck | null;
  readonly assets: readonly NamedAsset[];
}

/** The recorded fingerprint of the system prompt against that of the prompt the transcript holds; null = it holds none. */
export interface PromptCheck {
  readonly recorded: string;
  readonly own: string | null;
}

/** An asset's bytes. */
export interface OpenedAssetInfo {
  readonly mime: string;
  readonly bytes: number;
  readonly base64: string;
}
