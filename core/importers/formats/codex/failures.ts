// What a call's output does not say of itself: an exit code in its head, or in a record of its own that comes before or
// after it. The output's text stays as it is; its message names the call that failed.

import type { MessageMeta } from '../../../model/message.ts';
import type { ImportedMessage, Origin } from '../../../model/transcript.ts';
import { isRecord, numberAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { type JoinedMessage, saysFailure } from '../../reading/responsesItems.ts';

/** The most outputs that can still be marked as failed, and the most failures that wait for their output. */
const MAX_REMEMBERED = 32;

/** An output on its way to the sink, or handed over (`index`). */
export interface Output {
  readonly message: JoinedMessage;
  readonly origin: Origin;
  readonly callId: string | undefined;
  meta: MessageMeta;
  index: number | null;
}

/** Brings outputs and failures together, whichever comes first. */
export class Failures {
  readonly #amend: (index: number, message: ImportedMessage) => void;
  readonly #failed = new Set<string>();
  readonly #outputs = new Map<string, Output>();

  constructor(amend: (index: number, message: ImportedMessage) => void) {
    this.#amend = amend;
  }

  output(message: JoinedMessage, meta: MessageMeta, origin: Origin): Output {
    const callId = stringAt(message.value, 'tool_call_id');
    const output: Output = { message, origin, callId, meta, index: null };
    if (callId === undefined) return output;
    if (this.#failed.delete(callId) || saysFailure(message.value.content)) output.meta = withFailure(meta, callId);
    this.#outputs.set(callId, output);
    const [oldest] = this.#outputs.keys();
    if (this.#outputs.size > MAX_REMEMBERED && oldest !== undefined) this.#outputs.delete(oldest);
    return output;
  }

  /** A record says that the call failed. */
  failed(callId: string): void {
    const output = this.#outputs.get(callId);
    if (!output) {
      this.#failed.add(callId);
      const [oldest] = this.#failed;
      if (this.#failed.size > MAX_REMEMBERED && oldest !== undefined) this.#failed.delete(oldest);
      return;
    }
    output.meta = withFailure(output.meta, callId);
    if (output.index !== null) this.#amend(output.index, this.messageOf(output));
  }

  messageOf({ message, meta, origin }: Output): ImportedMessage {
    return { ...message, meta, origins: [origin] };
  }

  /** Outputs from `at` on were left: nothing amends them any more. */
  leave(at: number): void {
    for (const [callId, { index }] of this.#outputs) if (index !== null && index >= at) this.#outputs.delete(callId);
  }
}

function withFailure(meta: MessageMeta, callId: string): MessageMeta {
  return { ...meta, failedCallIds: [callId] };
}

/** The call that an event says to have failed; undefined = none, or the event says nothing of the kind. */
export function failedCall(name: string, payload: Readonly<Record<string, unknown>>): string | undefined {
  const result = payload.result;
  const failed =
    (name === 'exec_command_end' && (numberAt(payload, 'exit_code') ?? 0) !== 0) ||
    (name === 'patch_apply_end' && payload.success === false) ||
    (name === 'mcp_tool_call_end' && isRecord(result) && hasFailed(result));
  return failed ? stringAt(payload, 'call_id') : undefined;
}

function hasFailed(result: Readonly<Record<string, unknown>>): boolean {
  const ok = recordAt(result, 'Ok') ?? {};
  return Object.hasOwn(result, 'Err') || ok.is_error === true || ok.isError === true;
}
