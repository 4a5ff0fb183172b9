// A client that asks and does not read what it is answered must not fill this process's memory: while much is waiting to
// be read, or many questions are unanswered, no more of them are taken; one that leaves too much waiting is cut off.
import type { WebSocket } from 'ws';
import { type Transport, webSocketTransport } from '../../core/protocol/transports.ts';

export interface SocketLimits {
  /** Bytes waiting to be read at which no more questions are taken. */
  readonly pauseBytes: number;
  /** Bytes waiting to be read at which the client is cut off. One answer can be this long. */
  readonly mostBytes: number;
  /** Questions that may be unanswered at a time. */
  readonly unanswered: number;
}

const LIMITS: SocketLimits = { pauseBytes: 8 << 20, mostBytes: 256 << 20, unanswered: 500 };
const LOOK_EVERY_MS = 50;

/** The transport of a connected client, which keeps to the limits. */
export function boundedTransport(peer: WebSocket, limits: SocketLimits = LIMITS): Transport {
  const transport = webSocketTransport(peer);
  let unanswered = 0;
  let timer: NodeJS.Timeout | null = null;
  const isFull = () => peer.bufferedAmount > limits.pauseBytes || unanswered > limits.unanswered;
  const look = () => {
    if (isFull() && timer === null) {
      peer.pause();
      timer = setInterval(look, LOOK_EVERY_MS);
    } else if (!isFull() && timer !== null) {
      clearInterval(timer);
      timer = null;
      peer.resume();
    }
  };
  transport.onClose(() => timer !== null && clearInterval(timer));
  return {
    ...transport,
    onMessage(listener) {
      transport.onMessage((message) => {
        unanswered++;
        listener(message);
        look();
      });
    },
    send(message) {
      // The engine begins each of its envelopes with what it is.
      if (message.startsWith('{"type":"response"')) unanswered--;
      transport.send(message);
      if (peer.bufferedAmount > limits.mostBytes) peer.terminate();
      else look();
    },
  };
}
