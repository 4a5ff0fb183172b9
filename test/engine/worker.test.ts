import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type EngineHandle, spawnEngine } from '../../core/engine/client.ts';
import { createClient } from '../../core/protocol/createClient.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { tempDir } from '../support/tempLibrary.ts';
import { failureOf, sessionFile } from './support.ts';

function spawned(dir = tempDir()): { readonly handle: EngineHandle; readonly dir: string } {
  const handle = spawnEngine({ dir: join(dir, 'library') });
  onTestFinished(() => handle.dispose());
  return { handle, dir };
}

describe('the engine in a worker', () => {
  it('serves several clients over one library', async () => {
    const { handle, dir } = spawned();
    const [a, b] = [createClient(handle.connect()), createClient(handle.connect())];
    writeFileSync(join(dir, 'one.jsonl'), sessionFile());
    const { jobId } = await a.call('import.start', { paths: [join(dir, 'one.jsonl')] });
    const { outcomes } = await b.call('import.result', { jobId });
    expect(outcomes[0]?.transcripts[0]?.messages).toBe(11);
    a.close();
    expect((await b.call('library.list', {})).transcripts).toHaveLength(1);
  });

  it('fails pending calls when it dies, and starts again over the same library', async () => {
    const { handle, dir } = spawned();
    const first = createClient(handle.connect());
    await first.call('settings.set', { key: 'theme', value: 'dark' });
    writeFileSync(join(dir, 'made.jsonl'), claudeCodeFile({ messages: 3000 }));
    const { jobId } = await first.call('import.start', { paths: [join(dir, 'made.jsonl')] });
    const pending = failureOf(first.call('import.result', { jobId }));
    const crash = new Promise<string>((resolve) => handle.onCrash(({ message }) => resolve(message)));
    await handle.kill();
    expect((await pending).code).toBe('protocol.closed');
    expect(first.closed).toBe(true);
    expect(await crash).toContain('stopped');
    const second = createClient(handle.connect());
    expect((await second.call('settings.get', {})).values).toEqual({ theme: 'dark' });
    const again = await second.call('import.start', { paths: [join(dir, 'made.jsonl')] });
    const { outcomes } = await second.call('import.result', { jobId: again.jobId });
    expect(outcomes[0]?.transcripts[0]?.messages).toBe(3000);
    expect((await second.call('library.list', {})).transcripts).toHaveLength(1);
  });

  it('says why the library cannot be opened, and opens it when the reason is gone', async () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'library'), 'a file where the folder should be');
    const { handle } = spawned(dir);
    const client = createClient(handle.connect());
    const failure = await failureOf(client.call('library.list', {}));
    expect(failure).toMatchObject({ code: 'store.unopenable', expected: true });
    expect(failure.message).toContain('A file is in the way');
    rmSync(join(dir, 'library'));
    const again = createClient(handle.connect());
    expect((await again.call('library.list', {})).transcripts).toEqual([]);
  });

  it('closes in order, and connects no more', async () => {
    const { handle } = spawned();
    const client = createClient(handle.connect());
    await client.call('library.list', {});
    await handle.dispose();
    expect(client.closed).toBe(true);
    expect((await failureOf(createClient(handle.connect()).call('library.list', {}))).code).toBe('protocol.closed');
  });
});
