import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type TestHost, testHost } from './webClient.ts';

const open: TestHost[] = [];
afterEach(async () => {
  for (const host of open.splice(0).reverse()) await host.close();
});

async function started(options: Parameters<typeof testHost>[0] = {}): Promise<TestHost> {
  const host = await testHost(options);
  open.push(host);
  return host;
}

async function upload(host: TestHost, name: string, body: string | Buffer): Promise<number> {
  const headers = await host.session();
  return (await host.send(`/upload?name=${name}`, { method: 'POST', headers, body })).status;
}

/** The names of the uploads of a library. */
function uploadsIn(library: string): readonly string[] {
  const folder = join(library, 'uploads');
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.flatMap(({ name }) => (name === '.host' ? [] : [name])).sort();
  } catch {
    return [];
  }
}

it('a host that ends deletes its own uploads, not those of another on the same library', async () => {
  const first = await started();
  const second = await started({ dir: first.library });
  expect(await upload(first, 'first.json', '[1]')).toBe(200);
  expect(await upload(second, 'second.json', '[2]')).toBe(200);
  await second.host.close();
  expect(uploadsIn(first.library)).toEqual(['first.json']);
  await first.host.close();
  expect(uploadsIn(first.library)).toEqual([]);
  expect(readdirSync(first.library)).not.toContain('uploads');
});

it('what a killed host left stays for the next, which deletes it when it ends in order', async () => {
  const before = await started();
  const { library } = before;
  // As a process left them that is gone; 2^22 is past the largest process id.
  for (const [owner, name] of [['4194305 x', 'killed.json'] as const, [null, 'older.json'] as const]) {
    const folder = join(library, 'uploads', name, 'a');
    mkdirSync(folder, { recursive: true });
    if (owner !== null) writeFileSync(join(library, 'uploads', name, '.host'), owner);
    writeFileSync(join(folder, name), '[]');
  }
  const next = await started({ dir: library });
  expect(uploadsIn(library)).toEqual(['killed.json', 'older.json']);
  await before.host.close();
  expect(uploadsIn(library)).toEqual(['killed.json', 'older.json']);
  await next.host.close();
  expect(uploadsIn(library)).toEqual([]);
});

it('a host does not take over from one that runs', async () => {
  const running = await started();
  expect(await upload(running, 'mine.json', '[]')).toBe(200);
  const owner = (): string =>
    readFileSync(
      join(running.library, 'uploads', readdirSync(join(running.library, 'uploads'))[0] ?? '', '.host'),
      'utf8',
    );
  const before = owner();
  await started({ dir: running.library });
  expect(owner()).toBe(before);
});

it('takes what is as long as allowed, refuses more, and keeps nothing of it', async () => {
  const host = await started({ maxUploadBytes: 100_000 });
  expect(await upload(host, 'fits.json', Buffer.alloc(100_000, 32))).toBe(200);
  const headers = await host.session();
  const said = await host.send('/upload?name=long.json', { method: 'POST', headers, body: Buffer.alloc(100_001, 32) });
  expect(said.status).toBe(413);
  // Its length is not said beforehand: counted as it comes.
  const chunked = { ...headers, 'Transfer-Encoding': 'chunked' };
  const streamed = await host
    .send('/upload?name=streamed.json', { method: 'POST', headers: chunked, body: Buffer.alloc(5_000_000, 32) })
    .then(({ status }) => status)
    .catch(() => 413); // cut off while it is still sending
  expect(streamed).toBe(413);
  expect(uploadsIn(host.library)).toEqual(['fits.json']);
});

it('refuses what the disk has no room for, before a byte of it comes', async () => {
  const host = await started({ maxUploadBytes: Number.MAX_SAFE_INTEGER });
  const headers = { ...(await host.session()), 'Content-Length': `${2 ** 52}` };
  const { status } = await host.send('/upload?name=huge.json', { method: 'POST', headers });
  expect(status).toBe(507);
});
