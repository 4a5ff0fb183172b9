// What leaves is looked through first: found, decided about, remembered, and searched again when it is finished.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { ReviewInfo } from '../../core/protocol/reviewTypes.ts';
import { testEngine } from './support.ts';

const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA2cD4'}`;
const NOT_SURE = 'brightlamp42';
const MESSAGES = [
  { role: 'user', content: `Deploy from /home/mirandak/lamp with ${TOKEN}` },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'call_1',
        type: 'function',
        function: { name: 'Bash', arguments: JSON.stringify({ command: `echo ${TOKEN}\nls` }) },
      },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: `{"password": "${NOT_SURE}", "out": "/home/mirandak/lamp/a.ts"}` },
  { role: 'assistant', content: 'The lamp project heron is deployed.' },
];
const CHAT = JSON.stringify({ model: 'gpt-4o', messages: MESSAGES });

async function opened() {
  const parts = testEngine();
  const id = await parts.add('chat.json', CHAT);
  const open = (): Promise<ReviewInfo> => parts.client.call('review.open', { id, spec: 'raw', at: null });
  return { ...parts, id, open };
}

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'parallax-review-'));
}

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (thrown: unknown) => (thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown)),
  );

async function decided(client: EngineClient, info: ReviewInfo): Promise<ReviewInfo> {
  return client.call('review.decide', { reviewId: info.reviewId, decision: 'keep', tier: 'candidate' });
}

describe('a review', () => {
  test('finds by kind, sure ones masked, guesses undecided; places say what stands there and what goes out', async () => {
    const { client, open } = await opened();
    const info = await open();
    const kinds = info.kinds.map(({ kind, tier, count, values, decision }) => [kind, tier, count, values, decision]);
    expect(kinds).toEqual([
      ['github_token', 'definite', 3, 1, 'mask'],
      ['home', 'definite', 3, 1, 'mask'],
      ['password', 'candidate', 1, 1, null],
    ]);
    expect(info).toMatchObject({ found: 7, masked: 6, undecided: 1, messages: 3 });
    const page = { reviewId: info.reviewId, kind: 'github_token', tier: 'definite', from: 0, to: 60 } as const;
    const { places, total } = await client.call('review.places', page);
    expect(total).toBe(3);
    expect(places.map(({ index, where, before }) => [index, where, before.value])).toEqual([
      [null, 'apart from the messages: title', TOKEN],
      [0, 'user, text', TOKEN],
      [1, 'assistant, tool call', TOKEN],
    ]);
    const out = places.map((place) => place.out?.value);
    expect(out[0]).toMatch(/^ghp_[A-Za-z0-9]{36}$/);
    expect(out).toEqual([out[0], out[0], out[0]]);
    expect(places[1]?.out?.lead).toMatch(/^Deploy from \/home\/[a-z]{8}\/lamp with $/);
    expect(places[1]?.before.lead).toBe('Deploy from /home/mirandak/lamp with ');
  });

  test('nothing is written while a guess is undecided; then neither value is in the decoded bytes, and it verifies', async () => {
    const { client, open, id } = await opened();
    const info = await open();
    const path = join(folder(), 'lamp.json');
    const write = { id, spec: 'raw', at: null, path, reviewId: info.reviewId };
    expect(await codeOf(client.call('export.write', write))).toBe('export.undecided');
    expect(existsSync(path)).toBe(false);
    const after = await client.call('review.decide', { reviewId: info.reviewId, decision: 'mask', kind: 'password' });
    expect(after).toMatchObject({ undecided: 0, masked: 7 });
    const finished = await client.call('review.finish', { reviewId: info.reviewId });
    expect(finished).toMatchObject({ leftCount: 0, sameOutcome: true, compared: MESSAGES.length });
    expect(finished.tokens.written).toBeGreaterThan(0);
    // The name leaves with the file: it is made of the title as that goes out.
    expect(finished.name).toMatch(/^deploy-from-home-[a-z]{8}-lamp-with-ghp-/);
    expect(finished.name).not.toContain('mirandak');
    const note = { expected: `no ${TOKEN}`, happened: 'it *printed* it' };
    const { markdown } = await client.call('export.write', { ...write, note });
    const text = readFileSync(path, 'utf8');
    expect(text.length).toBe(finished.bytes);
    const decoded = [text, markdown, text.replaceAll('\\\\', '\\').replaceAll('\\n', '\n')].join('\n');
    for (const value of [TOKEN, NOT_SURE, 'mirandak']) expect(decoded).not.toContain(value);
    expect(JSON.parse(text).scrub).toMatchObject({ scrubbed: true, same_outcome: true });
    expect(markdown).toContain('**Happened:** it \\*printed\\* it');
    expect(markdown).toContain('- scrubbed: 7 masked or taken out, 0 kept');
    expect(await client.call('verify.file', { path })).toMatchObject({ same: true });
  });

  test('a watched text goes with the file, masked as the rest is, and whoever opens it watches it', async () => {
    const { client, id } = await opened();
    const watched = `with ${TOKEN}`;
    await client.call('watch.add', { id, text: 'not chosen' });
    const { watchpoint } = await client.call('watch.add', { id, text: watched, name: 'the token', color: 3 });
    const subject = { id, spec: 'raw', at: null, watchpoints: [watchpoint] };
    const { reviewId } = await decided(client, await client.call('review.open', subject));
    const path = join(folder(), 'watched.json');
    const { markdown } = await client.call('export.write', { ...subject, path, reviewId });
    const text = readFileSync(path, 'utf8');
    for (const leaving of [text, markdown]) expect(leaving).not.toContain(TOKEN);
    const [stated] = JSON.parse(text).watchpoints;
    expect(JSON.parse(text).watchpoints).toHaveLength(1);
    expect(stated).toMatchObject({ name: 'the token', color: 3, matchCase: false, wholeWord: false });
    expect(markdown).toContain('- watched in it:');
    expect(await client.call('verify.file', { path })).toMatchObject({ same: true });
    const other = testEngine().client;
    const { jobId } = await other.call('import.start', { paths: [path] });
    const { outcomes } = await other.call('import.result', { jobId });
    const opens = outcomes[0]?.transcripts[0]?.id ?? '';
    const { watchpoints } = await other.call('watch.list', { id: opens });
    expect(watchpoints).toMatchObject([{ text: stated.text, name: 'the token', color: 3 }]);
    const { texts } = await other.call('watch.states', { id: opens, spec: 'raw' });
    expect(texts[0]?.first).toEqual({ index: 0, part: 0 });
  });

  test('a slice keeps the words that are watched', async () => {
    const { client, add } = await opened();
    const more = { role: 'user', content: 'And the fuse?' };
    const id = await add('two.json', JSON.stringify({ model: 'gpt-4o', messages: [...MESSAGES, more] }));
    const { watchpoint } = await client.call('watch.add', { id, text: 'Deploy from' });
    const spec = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] };
    const path = join(folder(), 'slice.json');
    const rawOf = async (watchpoints: readonly string[]) => {
      const subject = { id, spec, at: null, watchpoints };
      const { reviewId } = await decided(client, await client.call('review.open', subject));
      await client.call('export.write', { ...subject, path, reviewId, slice: true });
      return String(JSON.parse(readFileSync(path, 'utf8')).raw.messages[0].content);
    };
    expect(await rawOf([])).not.toContain('Deploy from');
    expect(await rawOf([watchpoint])).toContain('Deploy from');
  });

  test('a page is made of the finished file, when one is built here; the note in it is masked as the file is', async () => {
    const { client, open } = await opened();
    const { reviewId } = await decided(client, await open());
    const path = join(folder(), 'lamp.html');
    expect(await codeOf(client.call('export.page', { reviewId, path }))).toBe('review.unfinished');
    await client.call('review.finish', { reviewId });
    expect(await codeOf(client.call('export.page', { reviewId, path }))).toBe('export.no_page');
    expect(existsSync(path)).toBe(false);
  });

  test('what goes out is shown in rows, with its stand-ins marked, and is searched', async () => {
    const { client, open, id } = await opened();
    const info = await decided(client, await open());
    const { reviewId } = info;
    expect(await codeOf(client.call('review.rows', { reviewId, from: 0, to: 5 }))).toBe('review.unfinished');
    const { rows: count, lines } = await client.call('review.finish', { reviewId });
    const { rows, total } = await client.call('review.rows', { reviewId, from: 0, to: 1000 });
    expect(total).toBe(count);
    const path = join(folder(), 'lamp.json');
    await client.call('export.write', { id, spec: 'raw', at: null, path, reviewId });
    const shown = rows.reduce((all, { line, text }) => all + (line === null || line === 1 ? '' : '\n') + text, '');
    expect(`${shown}\n`).toBe(readFileSync(path, 'utf8'));
    expect(rows.findLast(({ line }) => line !== null)?.line).toBe(lines);
    const marked = rows.flatMap(({ text, marks }) => marks.map(([from, to]) => text.slice(from, to)));
    expect(marked.some((one) => one.startsWith('ghp_'))).toBe(true);
    const { total: hits, hits: places } = await client.call('review.search', { reviewId, text: 'DEPLOY FROM' });
    expect(hits).toBe(3);
    const [first] = places;
    expect(rows[first?.row ?? 0]?.text.slice(first?.from, (first?.from ?? 0) + 11)).toBe('Deploy from');
    expect(await client.call('review.search', { reviewId, text: TOKEN })).toEqual({ total: 0, hits: [] });
  });

  test('a decision is remembered by what was decided about, in another transcript too; taken back it is forgotten', async () => {
    const { client, open, add } = await opened();
    const info = await decided(client, await open());
    expect(info).toMatchObject({ undecided: 0, masked: 6 });
    const other = await add('other.json', CHAT.replace('Deploy', 'Send'));
    const again = await client.call('review.open', { id: other, spec: 'raw', at: null });
    expect(again.kinds.at(-1)).toMatchObject({ kind: 'password', decision: 'keep', undecided: 0 });
    const { reviewId } = again;
    expect(await client.call('review.decide', { reviewId, decision: null, value: 2 })).toMatchObject({ undecided: 1 });
    expect(await open()).toMatchObject({ undecided: 1 });
  });

  test('own words and expressions of the library are found, and a wrong one is refused', async () => {
    const { client, open } = await opened();
    expect(await codeOf(client.call('scrub.setRules', { words: [], patterns: ['(a+)+$'] }))).toBe('scrub.bad_rule');
    await client.call('scrub.setRules', { words: ['Project Heron', ' '], patterns: ['lamp/[a-z]\\.ts'] });
    expect(await client.call('scrub.rules', {})).toEqual({ words: ['Project Heron'], patterns: ['lamp/[a-z]\\.ts'] });
    expect((await open()).kinds.find(({ kind }) => kind === 'own')).toMatchObject({ count: 2, decision: 'mask' });
  });

  test('a text that is taken out keeps its length and its place, and nothing of what it said', async () => {
    const { client, open, id } = await opened();
    const { reviewId } = await decided(client, await open());
    await client.call('review.decide', { reviewId, decision: 'take_out', kind: 'github_token' });
    const { places } = await client.call('review.places', { reviewId, kind: 'home', tier: 'definite', from: 0, to: 9 });
    expect(places.map(({ index, out }) => [index, out === null])).toEqual([
      [null, true],
      [0, true],
      [2, false],
    ]);
    const path = join(folder(), 'lamp.json');
    await client.call('export.write', { id, spec: 'raw', at: null, path, reviewId });
    const [asked, called] = JSON.parse(readFileSync(path, 'utf8')).raw.messages;
    expect(asked.content).toHaveLength(MESSAGES[0]?.content?.length ?? 0);
    expect(asked.content).toMatch(/^[a-z ]+$/);
    const call = called.tool_calls[0].function;
    expect([call.name, Object.keys(JSON.parse(call.arguments))]).toEqual(['Bash', ['command']]);
    expect(call.arguments).not.toContain('echo');
  });

  test('without a review guesses are masked, and what is open stays open', async () => {
    const { client, open, id } = await opened();
    const { reviewId } = await open();
    const { path } = await client.call('export.write', { id, spec: 'raw', at: null, path: null });
    expect(readFileSync(path, 'utf8')).not.toContain(NOT_SURE);
    expect(
      await codeOf(client.call('review.places', { reviewId, kind: 'home', tier: 'definite', from: 0, to: 1 })),
    ).toBe('answered');
    await client.call('review.close', { reviewId });
    expect(await codeOf(client.call('review.finish', { reviewId }))).toBe('review.unknown');
  });
});

describe('a projection as something that runs', () => {
  test('is scrubbed without a dialog, calls carry the body, a test holds the bundle', async () => {
    const { client, id } = await opened();
    const asked = { id, spec: 'raw', at: null } as const;
    for (const as of ['curl', 'python', 'typescript', 'vitest', 'pytest'] as const) {
      const { text, masked } = await client.call('reproduce.text', { ...asked, as, target: 'openai' });
      expect(masked).toBe(7);
      for (const value of [TOKEN, NOT_SURE, 'mirandak']) expect(text, as).not.toContain(value);
      expect(text).toContain('The lamp project heron is deployed.');
    }
    const curl = await client.call('reproduce.text', { ...asked, as: 'curl' });
    expect(curl.text).toContain('https://api.openai.com/v1/chat/completions');
    const body = JSON.parse(curl.text.split('\n').find((line) => line.startsWith('{')) ?? '');
    expect(body.messages).toHaveLength(MESSAGES.length);
    const vitest = await client.call('reproduce.text', { ...asked, as: 'vitest' });
    const lines: unknown = JSON.parse(
      /const BUNDLE = (\[[\s\S]*?\n\])/.exec(vitest.text)?.[1]?.replace(/,\n\]$/, '\n]') ?? '',
    );
    const path = join(folder(), 'from-test.json');
    writeFileSync(path, (Array.isArray(lines) ? lines : []).join('\n'));
    expect(await client.call('verify.file', { path })).toMatchObject({ same: true });
  });

  test('settings of vendors, and what there is no call for', async () => {
    const { client, id } = await opened();
    const asked = { id, spec: 'anthropic_clear_tool_uses', at: null } as const;
    expect((await client.call('reproduce.text', { ...asked, as: 'settings' })).text).toContain(
      'clear_tool_uses_20250919',
    );
    const gemini = client.call('reproduce.text', { ...asked, as: 'python', target: 'gemini' });
    expect(await codeOf(gemini)).toBe('reproduce.no_call');
  });
});

describe('a slice of what leaves', () => {
  test('gives the same request with fewer words, is what is written, and verifies', async () => {
    const { client, add } = testEngine();
    const turns = Array.from({ length: 12 }, (_, turn) => [
      { role: 'user', content: `Question ${turn} about /home/mirandak/lamp, with words that nobody needs.` },
      { role: 'assistant', content: `Answer ${turn}: ${'lamp '.repeat(40)}` },
    ]).flat();
    const id = await add('long.json', JSON.stringify({ model: 'gpt-4o', messages: turns }));
    const spec = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 2 } }] };
    const { reviewId } = await client.call('review.open', { id, spec, at: null });
    const whole = await client.call('review.finish', { reviewId });
    const sliced = await client.call('review.finish', { reviewId, slice: true });
    expect(whole.slice).toBeNull();
    expect(sliced.slice).toEqual({ emptied: 20, minimal: true });
    expect(sliced).toMatchObject({ prefixHash: whole.prefixHash, sameOutcome: true, leftCount: 0 });
    expect(sliced.bytes).toBeLessThan(whole.bytes * 0.75);
    expect(sliced.tokens).toEqual(whole.tokens);
    const rows = await client.call('review.rows', { reviewId, from: 0, to: 400 });
    expect(rows.rows.map(({ text }) => text).join('')).not.toContain('Question 3');
    const path = join(folder(), 'slice.json');
    const written = await client.call('export.write', { id, spec, at: null, path, reviewId, slice: true });
    expect(written.bytes).toBe(sliced.bytes);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('Question 11');
    expect(text).not.toContain('Question 3');
    expect((await client.call('verify.file', { path })).same).toBe(true);
    // Its figures are those of the session.
    const other = join(folder(), 'whole.json');
    await client.call('export.write', { id, spec, at: null, path: other, reviewId });
    const headOf = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
    for (const name of ['tokens', 'reports', 'fates']) expect(headOf(path)[name]).toEqual(headOf(other)[name]);
    expect(headOf(path).tokens.raw.total).toBeGreaterThan(headOf(path).tokens.projected.total * 2);
    // Unticked again, all goes out with its words.
    expect(await client.call('review.finish', { reviewId })).toMatchObject({ slice: null, bytes: whole.bytes });
  });
});
