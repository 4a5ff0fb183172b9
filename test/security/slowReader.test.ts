// A client that asks and never reads must not fill the memory of the host.
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { boundedTransport } from '../../cli/web/socket.ts';
import type { Transport } from '../../core/protocol/transports.ts';

const LIMITS = { pauseBytes: 1 << 20, mostBytes: 16 << 20, unanswered: 50 };

/** A served connection to a client, and what the host sees of it. */
async function connected(answerTo: (transport: Transport, message: unknown) => void) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const served = new Promise<WebSocket>((resolve) => server.on('connection', resolve));
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const client = new WebSocket(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  await new Promise((resolve) => client.once('open', resolve));
  const peer = await served;
  const transport = boundedTransport(peer, LIMITS);
  let asked = 0;
  transport.onMessage((message) => {
    asked++;
    answerTo(transport, message);
  });
  let isClosed = false;
  transport.onClose(() => {
    isClosed = true;
  });
  const socket: Socket = Reflect.get(client, '_socket');
  return {
    peer,
    client,
    transport,
    asked: () => asked,
    isClosed: () => isClosed,
    stopReading: () => socket.pause(),
    goOn: () => socket.resume(),
    async close() {
      client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const answer = (bytes: number): string => `{"type":"response","id":1,"result":"${'x'.repeat(bytes)}"}`;

it('no more questions are taken while answers wait, and it goes on when they are read', async () => {
  const line = await connected((transport) => transport.send(answer(200_000)));
  line.stopReading();
  const questions = 2_000;
  for (let i = 0; i < questions; i++) line.client.send(`{"type":"request","id":${i},"pad":"${'y'.repeat(10_000)}"}`);
  await expect.poll(() => line.peer.isPaused).toBe(true);
  const taken = line.asked();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(line.asked()).toBe(taken);
  expect(taken).toBeLessThan(questions / 4);
  expect(line.peer.bufferedAmount).toBeLessThan(LIMITS.mostBytes);
  line.goOn();
  await expect.poll(() => line.asked()).toBe(questions);
  await line.close();
});

it('no more questions are taken while too many are unanswered', async () => {
  const held: Transport[] = [];
  const line = await connected((transport) => void held.push(transport));
  for (let i = 0; i < 1_000; i++) line.client.send(`{"type":"request","id":${i},"pad":"${'y'.repeat(10_000)}"}`);
  await expect.poll(() => line.peer.isPaused).toBe(true);
  expect(line.asked()).toBeLessThan(500);
  while (line.asked() < 1_000) {
    for (const transport of held.splice(0)) transport.send(answer(1));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await line.close();
});

it('who is told things and does not read them is cut off', async () => {
  const line = await connected(() => {});
  line.stopReading();
  for (let i = 0; i < 200 && !line.isClosed(); i++) {
    line.transport.send(`{"type":"event","event":"job","payload":"${'x'.repeat(500_000)}"}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect.poll(line.isClosed).toBe(true);
  await line.close();
});

it('one long answer is no reason', async () => {
  const line = await connected((transport) => transport.send(answer(8 << 20)));
  const got = new Promise<number>((resolve) => line.client.once('message', (data) => resolve(String(data).length)));
  line.client.send('{"type":"request","id":1}');
  expect(await got).toBeGreaterThan(8 << 20);
  expect(line.isClosed()).toBe(false);
  await line.close();
});
