// browser-safe
// Client and server of the protocol over any transport. Both are derived from the map in methods.ts: nothing here
// knows a method by name.
import { MAX_NESTING } from '../util/json/index.ts';
import type { Result } from '../util/result.ts';
import { nestsDeeper } from '../util/unknown.ts';
import { type EngineClient, EngineError, type LogEntry } from './client.ts';
import { type Envelope, encodeEnvelope, PROTOCOL_VERSION, parseEnvelope, type Request } from './envelope.ts';
import { type ResolveHandle, withPaths } from './files.ts';
import type { EventName, Events, MethodName, Params, ProtocolError, ResultOf } from './methods.ts';
import { isEventName, isMethodName, parseParams } from './schemas.ts';
import type { Transport } from './transports.ts';

export { type EngineClient, EngineError, type LogEntry } from './client.ts';
export { inProcessPair, pipe, portTransport, type Transport, webSocketTransport } from './transports.ts';

const LOG_LENGTH = 500;

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
        resolve: (result) => resolve(result as ResultOf<M>),
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
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(payload);
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

/** Who calls: state kept for a client is keyed by this object. `emit` reaches this client alone. */
export interface ClientContext {
  readonly clientId: number;
  emit<E extends EventName>(event: E, payload: Events[E]): void;
}

type Answer<T> = Result<T, ProtocolError>;

/** One handler a method. An expected failure is an error Result; a throw is answered as a bug (`engine.bug`). */
export type Handlers = {
  readonly [M in MethodName]: (
    params: Params<M>,
    client: ClientContext,
  ) => Answer<ResultOf<M>> | Promise<Answer<ResultOf<M>>>;
};

/** The serving end of one connection. */
export interface Served extends ClientContext {
  onClose(listener: () => void): void;
  close(): void;
}

let clients = 0;

/** What an error thrown over a call's params says if it is an expected failure; null = it is a bug. */
export type ReadError = (error: unknown, params: unknown) => ProtocolError | null;

/** Answers every call that arrives over a transport with the same error: there is nothing behind it that could do more. */
export function refuse(transport: Transport, error: ProtocolError): Served {
  return answerBy(transport, () => Promise.resolve({ ok: false, error }));
}

/** How one client is served. */
export interface ServeOptions {
  readonly readError?: ReadError;
  /** Opens the handles of a client that may not name files by path; absent for one that may. */
  readonly resolve?: ResolveHandle;
}

/** Answers the calls that arrive over a transport. Params are parsed by schema before a handler sees them. */
export function serve(transport: Transport, handlers: Handlers, options: ServeOptions = {}): Served {
  return answerBy(transport, (request, client) => run(handlers, request, client, options));
}

type AnswerTo = (request: Request, client: ClientContext) => Promise<Answer<unknown>>;

function answerBy(transport: Transport, answerTo: AnswerTo): Served {
  let refused: ProtocolError | null = null;
  const client: ClientContext = {
    clientId: ++clients,
    emit: (event, payload) => transport.send(encodeEnvelope({ type: 'event', event, payload })),
  };
  transport.onMessage((message) => {
    const envelope = parseEnvelope(message);
    if (envelope?.type === 'hello' && envelope.protocol !== PROTOCOL_VERSION) refused = versionError(envelope.protocol);
    if (envelope?.type !== 'request') return;
    const { id } = envelope;
    const outcome = refused ? Promise.resolve<Answer<unknown>>({ ok: false, error: refused }) : null;
    void (outcome ?? answerTo(envelope, client)).then((answer) => {
      transport.send(encodeAnswer(id, answer));
    });
  });
  transport.send(encodeEnvelope({ type: 'hello', protocol: PROTOCOL_VERSION }));
  return { ...client, onClose: (listener) => transport.onClose(listener), close: () => transport.close() };
}

async function run(
  handlers: Handlers,
  request: Request,
  client: ClientContext,
  { readError = () => null, resolve }: ServeOptions,
): Promise<Answer<unknown>> {
  if (!isMethodName(request.method)) {
    return { ok: false, error: badRequest(`unknown method "${request.method}"`, 'method') };
  }
  if (nestsDeeper(request.params, MOST_LEVELS)) return { ok: false, error: TOO_DEEP };
  const parsed = parseParams(request.method, request.params);
  if (!parsed.ok) return { ok: false, error: badRequest(`${request.method}: ${parsed.error}`, 'params') };
  const params = resolve === undefined ? parsed : withPaths(request.method, parsed.value, resolve);
  if (!params.ok) return params;
  try {
    return await invoke(handlers, request.method, params.value, client);
  } catch (error) {
    return { ok: false, error: readError(error, request.params) ?? bugError(error) };
  }
}

function invoke<M extends MethodName>(handlers: Handlers, method: M, params: Params<M>, client: ClientContext) {
  return handlers[method](params, client);
}

// What is too long for one string is a bug of the handler like any other: its caller is told, nobody else.
function encodeAnswer(id: number, answer: Answer<unknown>): string {
  if (!answer.ok) return encodeEnvelope({ type: 'response', id, error: answer.error });
  try {
    return encodeEnvelope({ type: 'response', id, result: answer.value });
  } catch (error) {
    return encodeEnvelope({ type: 'response', id, error: bugError(error) });
  }
}

/** Lists and objects in each other, in all params of a call. What is deeper no handler could walk through. */
const MOST_LEVELS = MAX_NESTING;

const TOO_DEEP: ProtocolError = {
  code: 'protocol.too_deep',
  message: `The request nests more than ${MOST_LEVELS} levels deep.`,
  expected: true,
};

function badRequest(message: string, cause: string): ProtocolError {
  return { code: 'protocol.bad_request', message, expected: false, cause };
}

/** A thrown value as data: code `engine.bug`, the stack in `cause`. */
export function bugError(error: unknown): ProtocolError {
  if (error instanceof EngineError) return error.data;
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  return { code: 'engine.bug', message, expected: false, ...(stack ? { cause: stack } : {}) };
}

function versionError(theirs: number): ProtocolError {
  return {
    code: 'protocol.version',
    message: `The two sides speak different protocol versions (${PROTOCOL_VERSION} here, ${theirs} there); restart both.`,
    expected: true,
  };
}
