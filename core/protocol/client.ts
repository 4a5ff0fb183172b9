// browser-safe
import type { EventName, Events, MethodName, Params, ProtocolError, ResultOf } from './methods.ts';

/** The rejection of a call: carries the failure as the engine sent it, or `protocol.closed` if the peer died. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly data: ProtocolError;

  constructor(data: ProtocolError) {
    super(data.message);
    this.data = data;
  }

  get code(): string {
    return this.data.code;
  }

  /** True if the user or the input caused it; false = a bug, or the engine died. */
  get expected(): boolean {
    return this.data.expected;
  }
}

/** One line of the protocol log. `ms` = until the answer; null for events and while pending. */
export interface LogEntry {
  readonly seq: number;
  readonly kind: 'call' | 'event';
  readonly name: string;
  readonly ms: number | null;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** null while pending. */
  readonly ok: boolean | null;
  /** Code of the failure. */
  readonly error: string | null;
}

/** The engine as everyone outside it sees it. Derived from the one map of methods and events. */
export interface EngineClient {
  /** Rejects with EngineError only. */
  call<M extends MethodName>(method: M, params: Params<M>): Promise<ResultOf<M>>;
  /** Subscribes; returns the function that ends the subscription. */
  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void;
  /** Runs once when the peer is gone (at once if it is already). */
  onClose(listener: () => void): void;
  readonly closed: boolean;
  /** The last 500 messages, oldest first. */
  log(): readonly LogEntry[];
  /** Runs after each change of the log; returns the function that ends it. */
  onLog(listener: () => void): () => void;
  close(): void;
}
