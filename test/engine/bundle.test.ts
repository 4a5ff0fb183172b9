// A bug-report bundle in another library: opened, checked, exported again.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EngineError } from '../../core/protocol/client.ts';
import { MESSAGES, sessionFile, testEngine } from './support.ts';

const SPEC = { version: 1, stages: [{ kind: 'reachability_gc' }] };
const AT = 8;

async function exported(spec: unknown = SPEC, at: number | null = AT): Promise<string> {
  const { client, add } = testEngine();
  const id = await add('s.jsonl', sessionFile());
  const path = join(mkdtempSync(join(tmpdir(), 'parallax-bundle-')), 's.parallax.json');
  await client.call('export.write', { id, spec, at, path });
  return readFileSync(path, 'utf8');
}

describe('a bundle that is opened elsewhere', () => {
  test('is the transcript before its call point, under the same numbers, and says where it is from', async () => {
    const { client, add } = testEngine();
    const id = await add('report.json', await exported());
    const info = await client.call('transcript.open', { id });
    expect(info).toMatchObject({ format: 'parallax-bundle', messages: AT, models: ['claude-sonnet-4-5'] });
    expect(info.title).toMatch(/ \(from a bundle at #8\)$/);
    expect(info.bundle).toMatchObject({ format: 'claude-code', messages: MESSAGES.length, at: AT });
    expect(info.choice).toMatchObject({
      spec: { stages: [{ kind: 'reachability_gc' }] },
      window: null,
      tokenizer: null,
    });
    const { projectionId } = await client.call('projection.set', { id, spec: info.choice?.spec, at: null });
    const { prefixHash } = await client.call('projection.hash', { projectionId });
    expect(prefixHash).toBe(info.bundle?.prefixHash);
    const { projectionId: raw } = await client.call('projection.set', { id, spec: 'raw', at: null });
    const { text } = await client.call('projection.text', { projectionId: raw, what: 'messages' });
    expect(JSON.parse(text)[7]).toMatchObject(MESSAGES[7] ?? {});
  });

  test('verifies, and is the same transcript however often it is opened', async () => {
    const { client, add } = testEngine();
    const text = await exported();
    const id = await add('report.json', text);
    expect(await client.call('bundle.check', { id })).toMatchObject({ same: true, differences: [] });
    expect((await client.call('transcript.problems', { id })).problems).toEqual([]);
    expect(await add('again.json', text)).toBe(id);
    expect((await client.call('library.list', {})).transcripts).toHaveLength(1);
  });

  test('exported again it is the same file', async () => {
    const { client, add } = testEngine();
    const text = await exported();
    const id = await add('report.json', text);
    const path = join(mkdtempSync(join(tmpdir(), 'parallax-bundle-')), 'again.json');
    await client.call('export.write', { id, spec: JSON.parse(text).spec, at: AT, path });
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(await client.call('verify.file', { path })).toMatchObject({ same: true });
  });

  test.each([
    ['a message', 'line 12 of the old file', 'LINE 12 OF THE OLD FILE', ['raw messages', 'prefix hash']],
    ['a time', '2026-01-05T09:03', '2026-01-06T09:03', ['what is recorded apart from the messages']],
    ['the spec', '"kind":"reachability_gc"', '"kind":"clean_tool_repair"', ['prefix hash']],
    ['the stated hash', /"prefix_hash":"sha256:..../, '"prefix_hash":"sha256:ffff', ['prefix hash']],
  ])('opens after a change of %s, and the problem is told', async (_what, from, to, differing) => {
    const { client, add } = testEngine();
    const text = await exported({ version: 1, stages: [{ kind: 'reachability_gc', options: {} }] });
    const changed = text.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'g'), to);
    expect(changed).not.toBe(text);
    const id = await add('report.json', changed);
    const { same, differences } = await client.call('bundle.check', { id });
    expect(same).toBe(false);
    for (const what of differing) expect(differences.map((one) => one.what)).toContain(what);
    const { problems } = await client.call('transcript.problems', { id });
    expect(problems[0]).toMatchObject({ code: 'bundle.differs', severity: 'error' });
  });

  test('cut short it opens as far as it is, and says so', async () => {
    const { client, add } = testEngine();
    const text = await exported('raw', null);
    const id = await add('report.json', text.slice(0, text.indexOf('Thanks. And why')));
    const { problems } = await client.call('transcript.problems', { id });
    const codes = problems.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['import.truncated', 'import.bundle_damaged', 'bundle.differs']));
    expect(await client.call('transcript.open', { id })).toMatchObject({ messages: 9, bundle: { at: 11 } });
  });

  test('of a newer version it is refused, with what to do', async () => {
    const { add } = testEngine();
    const newer = (await exported()).replace('"version":2}', '"version":3}');
    await expect(add('report.json', newer)).rejects.toThrow('Update Parallax');
  });
});

test('what is not a bundle cannot be checked as one', async () => {
  const { client, add } = testEngine();
  const id = await add('s.jsonl', sessionFile());
  const refused = await client.call('bundle.check', { id }).catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(EngineError);
  expect(refused).toMatchObject({ code: 'bundle.none' });
});
