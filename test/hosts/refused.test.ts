import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { refuseUpgrade } from '../../cli/web/guard.ts';

it('who is turned away and gone before he hears of it, takes nothing down', async () => {
  const socket = new Duplex({
    read() {},
    write: (_chunk, _encoding, done) => done(new Error('read ECONNRESET')),
  });
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  refuseUpgrade(socket, { status: 401, reason: 'no session' });
  await closed;
  expect(socket.destroyed).toBe(true);
});
