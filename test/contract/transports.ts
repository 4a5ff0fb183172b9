import { once } from 'node:events';
import { createServer } from 'node:http';
import { MessageChannel as NodeChannel } from 'node:worker_threads';
import { WebSocket, WebSocketServer } from 'ws';
import { inProcessPair, portTransport, type Transport, webSocketTransport } from '../../core/protocol/transports.ts';

/** Two connected ends; `kill` ends the serving side as a crash would. */
export interface Connection {
  readonly client: Transport;
  readonly server: Transport;
  kill(): Promise<void> | void;
  end(): Promise<void> | void;
}

/** A way to connect. The contract holds for all of them alike. */
export interface TransportKind {
  readonly name: string;
  connect(): Promise<Connection>;
}

const inProcess: TransportKind = {
  name: 'in process',
  async connect() {
    const [client, server] = inProcessPair();
    return { client, server, kill: () => server.close(), end: () => client.close() };
  },
};

const workerPort: TransportKind = {
  name: 'message port (worker_threads)',
  async connect() {
    const { port1, port2 } = new NodeChannel();
    const [client, server] = [portTransport(port1), portTransport(port2)];
    return { client, server, kill: () => port2.close(), end: () => client.close() };
  },
};

/** The DOM's port as the browser has it: `addEventListener` alone, no `on`. */
const domPort: TransportKind = {
  name: 'message port (DOM)',
  async connect() {
    const { port1, port2 } = new NodeChannel();
    const asDom = (port: typeof port1) =>
      portTransport({
        postMessage: (message) => port.postMessage(message),
        start: () => port.start(),
        close: () => port.close(),
        addEventListener: (event: 'message' | 'close', listener: (event: { readonly data: unknown }) => void) =>
          void port.on(event, (data: unknown) => listener({ data })),
      });
    const [client, server] = [asDom(port1), asDom(port2)];
    return { client, server, kill: () => port2.close(), end: () => client.close() };
  },
};

const webSocket: TransportKind = {
  name: 'WebSocket',
  async connect() {
    const http = createServer();
    const sockets = new WebSocketServer({ server: http, maxPayload: 256 * 1024 * 1024 });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const address = http.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server has no address');
    const accepted = new Promise<WebSocket>((resolve) => sockets.once('connection', resolve));
    const near = new WebSocket(`ws://127.0.0.1:${address.port}`, { maxPayload: 256 * 1024 * 1024 });
    const client = webSocketTransport(near);
    const far = await accepted;
    const server = webSocketTransport(far);
    return {
      client,
      server,
      kill: () => far.terminate(),
      async end() {
        near.terminate();
        sockets.close();
        http.close();
        await once(http, 'close');
      },
    };
  },
};

/** All transports. */
export const TRANSPORTS: readonly TransportKind[] = [inProcess, workerPort, domPort, webSocket];
