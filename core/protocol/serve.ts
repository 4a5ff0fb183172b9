// The answering half of the protocol over any transport, derived from the map in methods.ts: nothing here knows a method
// by name. What arrives is parsed by the schemas before a handler sees it.
import { MAX_NESTING } from '../util/json/index.ts';
import type { Result } from '../util/result.ts';
import { nestsDeeper } from '../util/unknown.ts';
import { EngineError } from './client.ts';
import { encodeEnvelope, PROTOCOL_VERSION, parseEnvelope, type Request, versionError } from './envelope.ts';
import { type ResolveHandle, withPaths } from './files.ts';
import type { EventName, Events, MethodName, Params, ProtocolError, ResultOf } from './methods.ts';
import { packed } from './packing.ts';
import { isMethodName, parseParams } from './schemas.ts';
import type { Transport } from './transports.ts';

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
  /** Called with each call, before it is answered. */
  readonly onCall?: () => void;
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
    emit: (event, payload) => transport.send(encodeEnvelope({ type: 'event', event, payload: packed(event, payload) })),
  };
  transport.onMessage((message) => {
    const envelope = parseEnvelope(message);
    if (envelope?.type === 'hello' && envelope.protocol !== PROTOCOL_VERSION) refused = versionError(envelope.protocol);
    if (envelope?.type !== 'request') return;
    const { id, method } = envelope;
    const outcome = refused ? Promise.resolve<Answer<unknown>>({ ok: false, error: refused }) : null;
    void (outcome ?? answerTo(envelope, client)).then((answer) => {
      transport.send(encodeAnswer(id, method, answer));
    });
  });
  transport.send(encodeEnvelope({ type: 'hello', protocol: PROTOCOL_VERSION }));
  return { ...client, onClose: (listener) => transport.onClose(listener), close: () => transport.close() };
}

async function run(
  handlers: Handlers,
  request: Request,
  client: ClientContext,
  { readError = () => null, onCall = () => {}, resolve }: ServeOptions,
): Promise<Answer<unknown>> {
  onCall();
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

// What is too long for one string is a bug of the handler like any other: only its caller gets the failure.
function encodeAnswer(id: number, method: string, answer: Answer<unknown>): string {
  if (!answer.ok) return encodeEnvelope({ type: 'response', id, error: answer.error });
  try {
    return encodeEnvelope({ type: 'response', id, result: packed(method, answer.value) });
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
