import type { CacheDiagnosis } from './cacheDiagnosis.ts';
import type { CacheTtl } from './cacheMark.ts';
import type { Category } from './category.ts';
import type { InputTransformation } from './inputTransformations.ts';
import type { MessageProvenance } from './provenance.ts';

/** Steps from a message's root to a value inside it, e.g. `['content', 2]` or `['tool_calls', 0]`. */
export type JsonPath = readonly (string | number)[];

/** The kinds of part a message is made of. `opaque` = known to exist, unreadable (encrypted reasoning). */
export type PartKind = 'text' | 'thinking' | 'tool_call' | 'tool_result' | 'image' | 'file' | 'opaque' | 'other';

/**
 * One part (block) of a message: a row on screen, the unit of token counting. Small on purpose: all parts of a
 * transcript are held in memory at once, their texts are not.
 */
export interface Part {
  readonly kind: PartKind;
  readonly category: Category;
  /** Where the part is in the message's JSON; `['content']` when the content is a plain string, `[]` = the message. */
  readonly path: JsonPath;
  /** Length of the part's text in Unicode scalars (a result: of its text, or of its compact JSON if no string). */
  readonly chars: number;
  /** tool_call: its id; tool_result: the id of the call it answers; null where the data has none. */
  readonly callId?: string | null;
  /** tool_call, tool_result: the tool's name; null where the data has none. */
  readonly name?: string | null;
  /** tool_result: the error test of the projection spec; true too for a result of the provider's own tool that failed. */
  readonly isError?: boolean;
  /** thinking: carries a provider signature that edits would void. */
  readonly signed?: boolean;
  /** A mark of the prompt cache stands here: all up to this part is to be cached. */
  readonly cacheMark?: CacheTtl;
}

/** What the program needs to know of a message without its text. Derived by readMessage from the stored JSON. */
export interface MessageFacts {
  readonly role: string;
  readonly parts: readonly Part[];
  /** Carries signed reasoning, in a block or at message level (`thinking_signature`). */
  readonly signed: boolean;
  /** True if this is a user message that is more than tool results, that is: begins a turn. */
  readonly beginsTurn: boolean;
}

/** Tokens of an answer and of its request, as recorded; a missing field was not recorded. Unit: tokens. */
export interface UsageFigures {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Of `cacheWrite`: what was written to live for an hour. Absent where all of it lives 5 minutes, or nobody says. */
  readonly cacheWrite1h?: number;
  readonly reasoning?: number;
  readonly total?: number;
}

/** Token usage as the transcript recorded it. */
export interface Usage extends UsageFigures {
  /**
   * The requests that one answer was billed for, in order, where they are not that of the fields above alone: turns of a
   * tool that the provider ran itself, a compaction. Absent: there was one.
   */
  readonly requests?: readonly BilledRequest[];
}

/** One of several requests that an answer was billed for. Unit: tokens. */
export interface BilledRequest {
  /** `message` = a turn of the answer; `compaction` = the summary of what came before, not counted in the fields of the usage. */
  readonly kind: 'message' | 'compaction' | 'other';
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly cacheWrite1h?: number;
}

/** An edit that a provider applied to what it was sent: the number of tool uses or of turns, and what that saved. */
export interface AppliedEdit {
  /** The provider's name for it: `clear_tool_uses_20250919`. */
  readonly type: string;
  readonly toolUses?: number;
  readonly thinkingTurns?: number;
  /** Tokens of the provider. */
  readonly tokens?: number;
}

/** What an entry of a thread says and the message made of it cannot. */
export interface ThreadEntryMeta {
  /** Of a call that is joined with others: its own. */
  readonly id?: string;
  readonly timestamp?: string;
  /** The model is named by the payload, not by the refs. */
  readonly isModelInPayload?: true;
  /** A result's value stands under this tag; `isPair` = in a list behind it. */
  readonly tag?: 'ok' | 'error';
  readonly isPair?: true;
  /** A result's value is not text: the message holds its JSON. */
  readonly isJson?: true;
}

/** Facts about a message that are not in its JSON text, read from the record around it. Nothing is invented. */
export interface MessageMeta {
  /** As recorded (ISO text or number), normalised to ISO-8601 where it can be read; absent if none was recorded. */
  readonly timestamp?: string;
  readonly model?: string;
  readonly usage?: Usage;
  readonly stopReason?: string;
  /** The provider's or runtime's id of the message (`msg_…`, uuid). */
  readonly id?: string;
  /** The provider's id of the request that produced it, where recorded. */
  readonly requestId?: string;
  /** Id of the model's call it belongs to, where the tool has ids for calls (`requestId` then names the ask as a whole). */
  readonly callId?: string;
  /** Id of the call that led to that one, and its number within the ask. */
  readonly parentCallId?: string;
  readonly iteration?: number;
  /** What the provider did to the request's context before it answered, as the answer reports; empty = nothing. */
  readonly appliedEdits?: readonly AppliedEdit[];
  /** Written by the client, not by a person: caveats, reminders, command output. */
  readonly injected?: boolean;
  /** Who put it there, where that was not a person between two answers. Absent: nobody says so. */
  readonly provenance?: MessageProvenance;
  /** This message is the summary that a recorded compaction put in place of what came before. */
  readonly compactSummary?: boolean;
  /** Belongs to a sub-agent's chain inside this file. */
  readonly sidechain?: boolean;
  /** Id of the agent whose chain it is, where recorded. */
  readonly agentId?: string;
  /** Typed here, as a part of a what-if: no tool recorded it. */
  readonly typed?: boolean;
  /** An error text made by the client in place of an answer. */
  readonly apiError?: boolean;
  /** What the provider said of the request against the one before it; absent = no such field is recorded. */
  readonly cacheDiagnosis?: CacheDiagnosis;
  /** What the provider did to the thinking of the request; empty = nothing, absent = the answer does not say. */
  readonly inputTransformations?: readonly InputTransformation[];
  /** How much thinking the request asked for, in the tool's word (`high`); the prompt depends on it. */
  readonly effort?: string;
  /** How fast it was to be answered, where that is not `standard`: each has its own cache. */
  readonly speed?: string;
  /** Calls answered here that failed by a record beside the message: its text need not say so. */
  readonly failedCallIds?: readonly string[];
  /** The entries of a thread it was read from, in order; absent where the message and the fields above say all of them. */
  readonly entries?: readonly ThreadEntryMeta[];
}
