import type { StatedFinding } from '../../core/model/statedFinding.ts';
import type { GivenFile } from '../../core/protocol/files.ts';
import type { ImportReport } from './types.ts';

/** A span of source messages, end exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The code that the editor of custom policies shows. */
export interface CodeTarget {
  /** Position in the spec of the stage, and the option that holds its code. */
  readonly stage: number;
  readonly option: string;
}

/** A dialog that needs nothing but to be open. */
type Plain<K extends string> = { readonly [Kind in K]: { readonly kind: Kind } }[K];

/** What lies above the window, with what it was opened for. One at a time. */
export type Dialog =
  | Plain<'palette' | 'search' | 'keys' | 'relations'>
  | Plain<'analytics' | 'verify' | 'wire' | 'sources' | 'prices' | 'storage' | 'fork'>
  /** Findings that were chosen for the report; absent = none. */
  | { readonly kind: 'export'; readonly findings?: readonly StatedFinding[] }
  /** Ids of the transcripts whose tags are changed. */
  | { readonly kind: 'tags'; readonly ids: readonly string[] }
  | { readonly kind: 'rename'; readonly id: string }
  /** A watched text of the open transcript. */
  | { readonly kind: 'watchpoint'; readonly id: string }
  /** What an import left to say. */
  | { readonly kind: 'importProblems'; readonly reports: readonly ImportReport[] }
  /** null = the first stage that has code. */
  | { readonly kind: 'customPolicy'; readonly target: CodeTarget | null }
  /** The messages it first offers to summarize; null = all. */
  | { readonly kind: 'summary'; readonly span: Span | null }
  | { readonly kind: 'mapping'; readonly file: GivenFile };

export type DialogKind = Dialog['kind'];

/** What the component of a dialog gets. */
export interface DialogProps<K extends DialogKind> {
  readonly dialog: Extract<Dialog, { readonly kind: K }>;
  readonly onClose: () => void;
}
