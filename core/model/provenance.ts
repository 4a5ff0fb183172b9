// browser-safe
// Who put a message there, where that was not a person in front of the tool, nor the model in this run.

import { isRecord, stringAt } from '../util/unknown.ts';

/** What a message is, if it is not what a person said between two answers. */
export const PROVENANCE_KINDS = [
  'queued_prompt',
  'task_notification',
  'reminder',
  'file',
  'file_change',
  'memory',
  'hook',
  'listing',
  'editor',
  'context',
  'command',
  'runtime',
  'inter_session',
  'demonstration',
] as const;

export type ProvenanceKind = (typeof PROVENANCE_KINDS)[number];

/** Of these the text may be a file's contents, or hold some. */
export const ATTACHED_KINDS = ['file', 'file_change', 'memory', 'editor'] as const satisfies readonly ProvenanceKind[];

export type AttachedKind = (typeof ATTACHED_KINDS)[number];

/** Where a message comes from, as its runtime recorded it. */
export interface MessageProvenance {
  readonly kind: ProvenanceKind;
  /** The runtime's own word for it, e.g. `nested_memory`; absent if it has none. */
  readonly type?: string;
}

/** A badge's words: on the row, and as a sentence. */
export interface ProvenanceWords {
  readonly label: string;
  readonly title: string;
}

const WORDS: Readonly<Record<ProvenanceKind, ProvenanceWords>> = {
  queued_prompt: { label: 'typed while the agent worked', title: 'A person typed this while the agent worked' },
  task_notification: { label: 'task notification', title: 'The client reported a background task' },
  reminder: { label: 'reminder', title: 'A reminder that the client sent, not a person' },
  file: { label: 'attached file', title: 'A file that the client attached' },
  file_change: { label: 'changed file', title: 'The client reported that a file had changed' },
  memory: { label: 'instructions', title: 'Instructions from a file that the client attached' },
  hook: { label: 'hook', title: 'A hook added this, not a person' },
  listing: { label: 'listing', title: 'Tools, agents or skills that the client listed' },
  editor: { label: 'editor', title: 'The client reported what was open or selected in the editor' },
  context: { label: 'client context', title: 'Context that the client added, not a person' },
  command: { label: 'command', title: 'A command that a person gave, in the words of the client' },
  runtime: { label: 'runtime context', title: 'Runtime context, not the words of a person' },
  demonstration: { label: 'demonstration', title: 'A demonstration from the prompt: an example, not part of the run' },
  inter_session: { label: 'from another session', title: 'Another session or tool sent this, not a person' },
};

/** What a file says of a message's provenance; undefined if it says nothing that is known here. */
export function readProvenance(value: unknown): MessageProvenance | undefined {
  if (!isRecord(value)) return undefined;
  const said = stringAt(value, 'kind');
  const kind = PROVENANCE_KINDS.find((one) => one === said);
  const type = stringAt(value, 'type');
  return kind && (type === undefined ? { kind } : { kind, type });
}

/** What people read for it. */
export function provenanceWords({ kind }: MessageProvenance): ProvenanceWords {
  return WORDS[kind];
}

/** True if a person said it: then it counts as a turn of theirs. */
export function isFromPerson({ kind }: MessageProvenance): boolean {
  return kind === 'queued_prompt';
}
