// browser-safe

/**
 * Two-way text messages, in order, to one peer. All it supplies is send and receive. What is received is untrusted.
 * Listeners are set once, before the first message can arrive (that is, in the same task the transport was made in).
 */
export interface Transport {
  /** Never throws; after the end it does nothing. */
  send(message: string): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once when either side closed or the peer died. */
  onClose(listener: () => void): void;
  close(): void;
}

/** The state all transports share: one listener each, one end. */
class TransportState {
  #message: (message: unknown) => void = () => {};
  #close: (() => void)[] = [];
  ended = false;

  listen(listener: (message: unknown) => void): void {
    this.#message = listener;
  }

  receive(message: unknown): void {
    if (!this.ended) this.#message(message);
  }

  whenEnded(listener: () => void): void {
    if (this.ended) listener();
    else this.#close.push(listener);
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    for (const listener of this.#close) listener();
  }
}

/** Two transports joined in one thread. Delivery is asynchronous, as everywhere else. */
export function inProcessPair(): readonly [Transport, Transport] {
  const left = new TransportState();
  const right = new TransportState();
  const side = (mine: TransportState, other: TransportState): Transport => ({
    send(message) {
      if (!mine.ended) queueMicrotask(() => other.receive(message));
    },
    onMessage: (listener) => mine.listen(listener),
    onClose: (listener) => mine.whenEnded(listener),
    close() {
      mine.end();
      queueMicrotask(() => other.end());
    },
  });
  return [side(left, right), side(right, left)];
}

/** worker_threads' MessagePort (gives the value) and Electron's MessagePortMain (gives an event). */
interface EmitterPort {
  postMessage(message: string): void;
  start(): void;
  close(): void;
  on(event: 'message', listener: (value: unknown) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/** The DOM's MessagePort. */
interface DomPort {
  postMessage(message: string): void;
  start(): void;
  close(): void;
  addEventListener(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(event: 'close', listener: () => void): void;
}

export type PortLike = EmitterPort | DomPort;

/** A transport over a message port of any host. */
export function portTransport(port: PortLike): Transport {
  const state = new TransportState();
  if ('on' in port) {
    port.on('message', (value) => state.receive(dataOf(value)));
    port.on('close', () => state.end());
  } else {
    port.addEventListener('message', (event) => state.receive(event.data));
    port.addEventListener('close', () => state.end());
  }
  port.start();
  return {
    send(message) {
      if (!state.ended) port.postMessage(message);
    },
    onMessage: (listener) => state.listen(listener),
    onClose: (listener) => state.whenEnded(listener),
    close() {
      port.close();
      state.end();
    },
  };
}

function dataOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'data' in value ? value.data : value;
}

/** What the browser's WebSocket and `ws`'s have in common. */
export interface WebSocketLike {
  readonly readyState: number;
  send(data: string): void;
  close(): void;
  addEventListener(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(event: 'open' | 'close' | 'error', listener: () => void): void;
}

const CONNECTING = 0;
const OPEN = 1;

/** A transport over a WebSocket; what is sent before it is open waits. A failed connection is a close. */
export function webSocketTransport(socket: WebSocketLike): Transport {
  const state = new TransportState();
  const waiting: string[] = [];
  socket.addEventListener('message', (event) => state.receive(event.data));
  socket.addEventListener('close', () => state.end());
  socket.addEventListener('error', () => state.end());
  socket.addEventListener('open', () => {
    for (const message of waiting.splice(0)) socket.send(message);
  });
  return {
    send(message) {
      if (socket.readyState === OPEN) socket.send(message);
      else if (socket.readyState === CONNECTING) waiting.push(message);
    },
    onMessage: (listener) => state.listen(listener),
    onClose: (listener) => state.whenEnded(listener),
    close() {
      socket.close();
      state.end();
    },
  };
}

/** Joins two transports end to end: a host that only passes messages on. Refuses anything that is not text. */
export function pipe(a: Transport, b: Transport): void {
  const forward = (from: Transport, to: Transport) => {
    from.onMessage((message) => {
      if (typeof message === 'string') to.send(message);
    });
    from.onClose(() => to.close());
  };
  forward(a, b);
  forward(b, a);
}
