// What a trace is made of, whatever tool wrote it: calls of a model, runs of tools, and everything else.

import type { MessageMeta } from '../../../model/message.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import type { Json } from './json.ts';

/** A span or observation. */
export interface TraceItem {
  readonly origin: Origin;
  /** Its own JSON text: the record's, or a piece of it. */
  readonly json: string;
  readonly trace: string;
  readonly id: string | null;
  readonly parent: string | null;
  /** Start and end in a form that sorts as text; '' where not recorded. */
  readonly start: string;
  readonly end: string;
  /** What recorded it. Two of them may record the same call. */
  readonly scope: string;
  /** Kind of the event it is where it is not a message, and the event's line. */
  readonly kind: string;
  readonly line: string;
  readonly timestamp: string | undefined;
  /** An agent or a tool: what happens inside is its own. */
  readonly isBoundary: boolean;
  /** What went wrong, as recorded. */
  readonly error: string | undefined;
  readonly sessionId: string | undefined;
  readonly call?: ModelCall;
  readonly tool?: ToolRun;
  /** What a record around calls says that they answered, if it is not a call itself. */
  readonly says?: readonly Json[];
}

/** A call of a model. `messages` null: what it was given is not recorded, it continues from what came before. */
export interface ModelCall {
  readonly messages: readonly Json[] | null;
  readonly answers: readonly Json[];
  /** Of the answer. */
  readonly meta: MessageMeta;
  readonly about: Partial<TranscriptMeta>;
  readonly choices: number;
}

/** A run of a tool. `result` is a whole message if the tool recorded one, else the content of one. */
export interface ToolRun {
  readonly callId: string | null;
  readonly name: string | null;
  /** JSON text. */
  readonly args: string | null;
  readonly result: Json | null;
}
