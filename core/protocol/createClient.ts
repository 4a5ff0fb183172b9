// browser-safe
// The calling half of the protocol over any transport, derived from the map in methods.ts: nothing here knows a method
// by name. A screen loads this half alone: what it sends is parsed by serve.ts.
import { type EngineClient, EngineError, type LogEntry } from './client.ts';
import { type Envelope, encodeEnvelope, PROTOCOL_VERSION, parseEnvelope, versionError } from './envelope.ts';
import type { EventName, Events, MethodName, Params, ProtocolError, ResultOf } from './methods.ts';
import { unpacked } from './packing.ts';
import type { Transport } from './transports.ts';

const LOG_LENGTH = 500;

const EVENTS: { readonly [E in EventName]: true } = {
  job: true,
  library: true,
  marks: true,
  watchpoints: true,
  summaries: true,
  transcript: true,
  series: true,
  preset: true,
  compare: true,
  check: true,
  tune: true,
  follow: true,
};

/** Whether an outside string names an event. */
function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: EngineError) => void;
  readonly entry: number;
  readonly sentAt: number;
}

/** `clock`: milliseconds, for the log alone (default: no times). */
export interface ClientOptions {
  readonly clock?: () => number;
}

const CLOSED: ProtocolError = {
  code: 'protocol.closed',
  message: 'The connection to the engine has ended.',
  expected: false,
};

class Client implements EngineClient {
  readonly #transport: Transport;
  readonly #clock: (() => number) | undefined;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<(payload: unknown) => void>>();
  readonly #closeListeners: (() => void)[] = [];
  readonly #log = new ProtocolLog();
  #nextId = 1;
  #end: ProtocolError | null = null;

  constructor(transport: Transport, options: ClientOptions) {
    this.#transport = transport;
    this.#clock = options.clock;
    transport.onMessage((message) => this.#receive(message));
    transport.onClose(() => this.#finish(CLOSED));
    transport.send(encodeEnvelope({ type: 'hello', protocol: PROTOCOL_VERSION }));
  }

  get closed(): boolean {
    return this.#end !== null;
  }

  call<M extends MethodName>(method: M, params: Params<M>): Promise<ResultOf<M>> {
    if (this.#end) return Promise.reject(new EngineError(this.#end));
    const id = this.#nextId++;
    const text = encodeEnvelope({ type: 'request', id, method, params });
    const entry = this.#log.add({ kind: 'call', name: method, ms: null, bytesSent: text.length, bytesReceived: 0 });
    return new Promise((resolve, reject) => {
      this.#pending.set(id, {
        // The one cast of the protocol: the peer is our engine, of the same version by the handshake.
        resolve: (result) => resolve(unpacked(method, result) as ResultOf<M>),
        reject,
        entry,
        sentAt: this.#clock?.() ?? 0,
      });
      this.#transport.send(text);
    });
  }

  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void {
    const set = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, set);
    const own = (payload: unknown) => listener(payload as Events[E]);
    set.add(own);
    return () => set.delete(own);
  }

  onClose(listener: () => void): void {
    if (this.#end) listener();
    else this.#closeListeners.push(listener);
  }

  log(): readonly LogEntry[] {
    return this.#log.entries();
  }

  onLog(listener: () => void): () => void {
    return this.#log.subscribe(listener);
  }

  close(): void {
    this.#transport.close();
    this.#finish(CLOSED);
  }

  #receive(message: unknown): void {
    const envelope = parseEnvelope(message);
    const bytes = typeof message === 'string' ? message.length : 0;
    if (envelope?.type === 'response') this.#answer(envelope, bytes);
    else if (envelope?.type === 'event') this.#event(envelope.event, envelope.payload, bytes);
    else if (envelope?.type === 'hello' && envelope.protocol !== PROTOCOL_VERSION) {
      this.#finish(versionError(envelope.protocol)); // before the close, which would name itself as the reason
      this.#transport.close();
    }
  }

  #answer(response: Envelope & { readonly type: 'response' }, bytesReceived: number): void {
    const pending = this.#pending.get(response.id);
    if (!pending) return;
    this.#pending.delete(response.id);
    const ms = this.#clock ? this.#clock() - pending.sentAt : null;
    const error = 'error' in response ? response.error : null;
    this.#log.settle(pending.entry, { ms, bytesReceived, ok: error === null, error: error?.code ?? null });
    if ('error' in response) pending.reject(new EngineError(response.error));
    else pending.resolve(response.result);
  }

  #event(event: string, payload: unknown, bytesReceived: number): void {
    if (!isEventName(event)) return;
    this.#log.add({ kind: 'event', name: event, ms: null, bytesSent: 0, bytesReceived, ok: true });
    const listeners = [...(this.#listeners.get(event) ?? [])];
    if (listeners.length === 0) return;
    const typed = unpacked(event, payload);
    for (const listener of listeners) listener(typed);
  }

  #finish(error: ProtocolError): void {
    if (this.#end) return;
    this.#end = error;
    for (const pending of this.#pending.values()) {
      this.#log.settle(pending.entry, { ms: null, bytesReceived: 0, ok: false, error: error.code });
      pending.reject(new EngineError(error));
    }
    this.#pending.clear();
    for (const listener of this.#closeListeners) listener();
  }
}

class ProtocolLog {
  readonly #entries = new Map<number, LogEntry>();
  readonly #listeners = new Set<() => void>();
  #seq = 0;

  add(entry: Omit<LogEntry, 'seq' | 'ok' | 'error'> & { readonly ok?: boolean }): number {
    const seq = ++this.#seq;
    this.#entries.set(seq, { ok: null, error: null, ...entry, seq });
    this.#entries.delete(seq - LOG_LENGTH);
    this.#notify();
    return seq;
  }

  settle(seq: number, outcome: Pick<LogEntry, 'ms' | 'bytesReceived' | 'ok' | 'error'>): void {
    const entry = this.#entries.get(seq);
    if (!entry) return;
    this.#entries.set(seq, { ...entry, ...outcome });
    this.#notify();
  }

  entries(): readonly LogEntry[] {
    return [...this.#entries.values()];
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The typed client over a transport. */
export function createClient(transport: Transport, options: ClientOptions = {}): EngineClient {
  return new Client(transport, options);
}
