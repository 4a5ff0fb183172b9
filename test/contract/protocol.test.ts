import { afterEach, describe, expect, it } from 'vitest';
import { type EngineClient, EngineError } from '../../core/protocol/client.ts';
import { createClient } from '../../core/protocol/createClient.ts';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import { methodNames } from '../../core/protocol/schemas.ts';
import { type Handlers, type Served, serve } from '../../core/protocol/serve.ts';
import { err, ok } from '../../core/util/result.ts';
import { type Connection, TRANSPORTS } from './transports.ts';

const EXPECTED: ProtocolError = { code: 'asset.unknown', message: 'No such asset.', expected: true, cause: 'a cause' };

/** Handlers that say what they were called with. Those not named here fail the test that calls them. */
function echoHandlers(own: Partial<Handlers>): Handlers {
  const refuse = () => {
    throw new Error('not part of this test');
  };
  const all = Object.fromEntries(methodNames().map((name) => [name, refuse]));
  // A test double made from the list of methods: complete by construction.
  return { ...all, ...own } as Handlers;
}

const jobs = new Map<string, () => void>();

function tooLong(): never {
  throw new RangeError('Invalid string length');
}

const HANDLERS = echoHandlers({
  'library.list': () => ok({ transcripts: [], removed: [], whole: true, cursor: 'a.1' }),
  'library.remove': ({ ids }) => ok({ removed: ids.filter((id) => id === 'there') }),
  'settings.get': () => ok({ values: { a: [1, 2.5, null, 'ü💡', { deep: true }], big: 'x'.repeat(20_000_000) } }),
  'settings.set': () => ok({}),
  'tags.list': () => ok({ tags: Object.assign([], { toJSON: tooLong }) }),
  'asset.get': () => err(EXPECTED),
  'record.get': () => {
    throw new TypeError('a bug of ours');
  },
  'transcript.relatives': () => {
    throw new RangeError('it was there before');
  },
  'transcript.step': async ({ at, delta }) => {
    // The later the call, the sooner the answer: answers come out of order.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 20 - at)));
    return ok({ at: at + delta });
  },
  'engine.info': (_params, client) => {
    for (let i = 0; i < 50; i++) client.emit('library', {});
    for (let i = 0; i < 50; i++) client.emit('transcript', { id: String(i), reason: 'counted', info: null });
    return ok({
      version: '1',
      schemaVersion: 1,
      library: '/',
      unwritable: null,
      rssBytes: 1,
      heapBytes: 1,
      formats: [],
    });
  },
  'import.result': ({ jobId }) =>
    new Promise((resolve) => {
      jobs.set(jobId, () => resolve(err({ code: 'job.cancelled', message: 'Cancelled.', expected: true })));
    }),
  'job.cancel': ({ jobId }) => {
    const cancel = jobs.get(jobId);
    cancel?.();
    return ok({ cancelled: jobs.delete(jobId) });
  },
});

describe.each(TRANSPORTS)('the protocol over $name', (kind) => {
  let connection: Connection;
  let served: Served;

  async function connected(): Promise<EngineClient> {
    connection = await kind.connect();
    served = serve(connection.server, HANDLERS, {
      readError: (error) => (error instanceof RangeError ? EXPECTED : null),
    });
    return createClient(connection.client);
  }

  afterEach(() => connection.end());

  async function failureOf(call: Promise<unknown>): Promise<ProtocolError> {
    const error = await call.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(EngineError);
    return error instanceof EngineError ? error.data : EXPECTED;
  }

  it('carries params and results', async () => {
    const client = await connected();
    expect(await client.call('library.remove', { ids: ['there'] })).toEqual({ removed: ['there'] });
    expect(await client.call('library.remove', { ids: ['gone'] })).toEqual({ removed: [] });
    expect(await client.call('library.list', {})).toMatchObject({ transcripts: [] });
  });

  it('carries 20 MB and every JSON value as it is', async () => {
    const client = await connected();
    const { values } = await client.call('settings.get', {});
    expect(values.a).toEqual([1, 2.5, null, 'ü💡', { deep: true }]);
    expect(values.big).toBe('x'.repeat(20_000_000));
    await expect(client.call('settings.set', { key: 'k', value: 'y'.repeat(20_000_000) })).resolves.toEqual({});
  });

  it('rejects with the error as the engine gave it', async () => {
    const client = await connected();
    expect(await failureOf(client.call('asset.get', { assetId: 'x' }))).toEqual(EXPECTED);
  });

  it('tells a bug from an expected failure', async () => {
    const client = await connected();
    const error = await failureOf(client.call('record.get', { id: 'x', index: 0 }));
    expect(error).toMatchObject({ code: 'engine.bug', message: 'a bug of ours', expected: false });
    expect(error.cause).toContain('TypeError');
  });

  it('tells who asked of an answer that cannot be sent', async () => {
    const client = await connected();
    const error = await failureOf(client.call('tags.list', {}));
    expect(error).toMatchObject({ code: 'engine.bug', message: 'Invalid string length', expected: false });
    expect(await client.call('library.list', {})).toMatchObject({ transcripts: [] });
  });

  it('takes a thrown error for an expected failure if the server reads it as one', async () => {
    const client = await connected();
    expect(await failureOf(client.call('transcript.relatives', { id: 'x' }))).toEqual(EXPECTED);
  });

  it.each([
    ['a negative index', { id: 'x', index: -1 }, 'index'],
    ['a fraction', { id: 'x', index: 1.5 }, 'index'],
    ['a missing id', { index: 1 }, 'id'],
    ['a wrong type', { id: 7, index: 1 }, 'id'],
    ['no object', 'x', 'params'],
  ])('refuses %s and names it', async (_name, params, path) => {
    const client = await connected();
    // Outside data, as a client of another language could send it.
    const error = await failureOf(client.call('record.get', params as never));
    expect(error.code).toBe('protocol.bad_request');
    expect(error.message).toContain(`record.get: ${path}`);
  });

  it.each(['library.lists', '__proto__', 'constructor', ''])('refuses the unknown method "%s"', async (name) => {
    const client = await connected();
    const error = await failureOf(client.call(name as never, {} as never));
    expect(error).toMatchObject({ code: 'protocol.bad_request', expected: false });
    expect(error.message).toContain('unknown method');
  });

  it('passes over what is no message of the protocol', async () => {
    const client = await connected();
    for (const junk of ['', '{', '[]', '{"type":"request"}', '{"type":"nothing"}']) {
      connection.client.send(junk);
      connection.server.send(junk);
    }
    expect(await client.call('library.remove', { ids: ['there'] })).toEqual({ removed: ['there'] });
  });

  it('keeps events in order, and before the answer they precede', async () => {
    const client = await connected();
    const seen: string[] = [];
    client.on('library', () => seen.push('library'));
    const stop = client.on('transcript', ({ id }) => seen.push(id));
    await client.call('engine.info', {});
    expect(seen).toEqual([...Array(50).fill('library'), ...Array.from({ length: 50 }, (_, i) => String(i))]);
    stop();
    await client.call('engine.info', {});
    expect(seen).toHaveLength(150);
  });

  it('answers concurrent calls each with its own result', async () => {
    const client = await connected();
    const calls = Array.from({ length: 30 }, (_, at) =>
      client.call('transcript.step', { id: 'x', at, delta: 1000, by: 'call' }),
    );
    expect((await Promise.all(calls)).map(({ at }) => at)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1000));
  });

  it('cancels a job while its result is waited for', async () => {
    const client = await connected();
    const result = failureOf(client.call('import.result', { jobId: 'j' }));
    expect(await client.call('job.cancel', { jobId: 'j' })).toEqual({ cancelled: true });
    expect((await result).code).toBe('job.cancelled');
    expect(await client.call('job.cancel', { jobId: 'j' })).toEqual({ cancelled: false });
  });

  it('fails pending and later calls when the peer dies', async () => {
    const client = await connected();
    const pending = failureOf(client.call('import.result', { jobId: 'never' }));
    await client.call('library.list', {});
    const closed = new Promise<void>((resolve) => client.onClose(resolve));
    await connection.kill();
    expect((await pending).code).toBe('protocol.closed');
    await closed;
    expect(client.closed).toBe(true);
    expect((await failureOf(client.call('library.list', {}))).code).toBe('protocol.closed');
  });

  it('tells the server when the client goes', async () => {
    const client = await connected();
    await client.call('library.list', {});
    const gone = new Promise<void>((resolve) => served.onClose(resolve));
    client.close();
    await gone;
    expect((await failureOf(client.call('library.list', {}))).code).toBe('protocol.closed');
  });

  it('logs calls with their outcome', async () => {
    const client = await connected();
    await client.call('library.list', {});
    await failureOf(client.call('asset.get', { assetId: 'x' }));
    const calls = client.log().filter((entry) => entry.kind === 'call');
    expect(calls.map(({ name, ok: fine, error }) => [name, fine, error])).toEqual([
      ['library.list', true, null],
      ['asset.get', false, 'asset.unknown'],
    ]);
    for (const { bytesSent, bytesReceived } of calls) {
      expect(bytesSent).toBeGreaterThan(30);
      expect(bytesReceived).toBeGreaterThan(30);
    }
  });

  it('keeps the last 500 entries of the log', async () => {
    const client = await connected();
    for (let i = 0; i < 510; i++) await client.call('library.remove', { ids: [String(i)] });
    const log = client.log();
    expect(log).toHaveLength(500);
    expect(log[0]?.seq).toBe(11);
  });

  it('refuses a peer of another version', async () => {
    connection = await kind.connect();
    connection.server.onMessage(() => connection.server.send('{"type":"hello","protocol":99}'));
    const client = createClient(connection.client);
    const error = await failureOf(client.call('library.list', {}));
    expect(error.code).toBe('protocol.version');
    expect(client.closed).toBe(true);
  });
});
