// browser-safe
// A mapping says where the messages of a JSON file stand that no format knows, and what their fields are called. It is
// data: versioned JSON that people edit, save, share, and that the import of the file is named by.

/** Roles a mapping can give. */
export type MappedRole = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

/** All of them, in the order of lists. */
export const MAPPED_ROLES: readonly MappedRole[] = ['user', 'assistant', 'system', 'tool', 'developer'];

/** Where the role of a message comes from. */
export type RoleRule =
  | { readonly constant: MappedRole }
  | {
      /** Path to it, from the message. Numbers and booleans count as their text. */
      readonly path: string;
      /** What its values mean, e.g. `{"bot": "assistant"}`; a role's own name needs no entry. */
      readonly values?: Readonly<Record<string, MappedRole>>;
      /** What any other value means. Absent: such a record is kept as an event. */
      readonly otherwise?: MappedRole;
    };

/** Tool calls of a message: a list; the other paths from each call. */
export interface CallsRule {
  readonly at: string;
  readonly id?: string;
  readonly name?: string;
  /** An object, or a string of JSON. */
  readonly arguments?: string;
}

/**
 * Results of tool calls. With `at` a list within the message, each a separate result; without, a message of the role
 * `tool` is one result itself, and `text` by default the message's.
 */
export interface ResultsRule {
  readonly at?: string;
  readonly callId?: string;
  readonly name?: string;
  readonly text?: string;
  /** true, a number other than 0, an object, or a text other than `ok`, `success` and the like: it failed. */
  readonly error?: string;
}

/** Token counts of a message, as recorded. */
export interface UsageRule {
  readonly input?: string;
  readonly output?: string;
  readonly cacheRead?: string;
  readonly cacheWrite?: string;
  readonly reasoning?: string;
  readonly total?: string;
}

/** How one message is read. All paths from the message's place (`@`). */
export interface MessageRule {
  readonly role: RoleRule;
  /** A text, several (each a block), or a list of content blocks. */
  readonly text?: string;
  /** Content blocks of a provider (type text, image, tool_use …), taken as they stand, after the text. */
  readonly blocks?: string;
  readonly reasoning?: string;
  readonly calls?: CallsRule;
  readonly results?: ResultsRule;
  readonly time?: string;
  readonly model?: string;
  readonly usage?: UsageRule;
  readonly id?: string;
  /** Id of the message before it: what goes back to an earlier one leaves a branch. */
  readonly parent?: string;
}

/** What makes a transcript. */
export interface TranscriptRule {
  /** Where each stands (`$`…): the beginning of the messages' path. Absent: the file is one. */
  readonly at?: string;
  /** Its id and title, from its place. */
  readonly id?: string;
  readonly title?: string;
  /** From a message's place: messages with the same value here belong together, e.g. a session's id. */
  readonly by?: string;
}

/** A mapping, version 1. */
export interface Mapping {
  readonly mapping: 1;
  readonly name: string;
  readonly transcripts?: TranscriptRule;
  /** Where the messages stand (`$`…). `$` itself: each line is one. */
  readonly at: string;
  /** Rules for what is there, in order, each giving a message: more than one where a record holds question and answer. */
  readonly messages: readonly MessageRule[];
}

/** The most rules a mapping has. */
export const MAX_RULES = 4;
