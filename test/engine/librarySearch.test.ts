// Search over the library as a client sees it: hits in order, totals, pages, what is wrong, what is not indexed yet.
import { describe, expect, it } from 'vitest';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { LibrarySearch } from '../../core/protocol/types.ts';
import { failureOf, sessionFile, type TestEngine, testEngine } from './support.ts';

type Asked = { readonly sort?: 'relevance' | 'time'; readonly limit?: number; readonly cursor?: string | null };

async function search(client: EngineClient, query: string, asked: Asked = {}): Promise<LibrarySearch> {
  return client.call('library.search', { query, sort: 'time', limit: 50, ...asked });
}

/** Until all text is searchable. */
async function searched(client: EngineClient, query: string, asked: Asked = {}): Promise<LibrarySearch> {
  for (;;) {
    const found = await search(client, query, asked);
    if (found.coverage.indexed === found.coverage.total) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const user = (text: string) => ({ role: 'user', content: text });
const said = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });

/** Another session: other ids of records. */
function session(prefix: string, messages: readonly Record<string, unknown>[], day = '2026-01-05'): string {
  const text = sessionFile(messages).replace(/"u(\d+)"/g, `"${prefix}$1"`);
  return text.replaceAll('2026-01-05', day).replaceAll('session-one', `session-${prefix}`);
}

async function twoSessions(): Promise<TestEngine & { readonly first: string; readonly second: string }> {
  const engine = testEngine();
  const first = await engine.add(
    'one.jsonl',
    sessionFile([user('the needle is here'), said('a needle, a needle'), user('hay')]),
  );
  const later = session('v', [user('hay and needle'), said('nothing')], '2026-02-07').replaceAll(
    '/home/dev/app',
    '/home/dev/other',
  );
  const second = await engine.add('two.jsonl', later);
  return { ...engine, first, second };
}

describe('library.search', () => {
  it('finds messages with their places, counts and words, the newest transcript first', async () => {
    const { client, first, second } = await twoSessions();
    const found = await searched(client, 'needle');
    expect(found.hits.map(({ transcriptId, index, occurrences }) => [transcriptId, index, occurrences])).toEqual([
      [second, 0, 1],
      [first, 0, 1],
      [first, 1, 2],
    ]);
    expect(found).toMatchObject({ total: 3, exact: true, transcripts: 2, cursor: null, problems: [] });
    expect(found.groups.map(({ transcriptId, hits, exact }) => [transcriptId, hits, exact])).toEqual([
      [second, 1, true],
      [first, 2, true],
    ]);
    const hit = found.hits[1];
    expect(hit).toMatchObject({ part: 0, label: 'user', role: 'user', timestamp: '2026-01-05T09:00:00.000Z' });
    expect(hit?.snippet.marks.map(({ start, end }) => hit.snippet.text.slice(start, end))).toEqual(['needle']);
  });

  it('finds what branches share once, as long as the transcript they left is there', async () => {
    const engine = testEngine();
    const lines = sessionFile([user('a needle'), said('yes'), user('one way'), said('there, a needle')])
      .trim()
      .split('\n');
    const other = (lines[2] ?? '').replace('"uuid":"u2"', '"uuid":"u9"').replace('one way', 'another way, a needle');
    await engine.add('forked.jsonl', `${[...lines, other].join('\n')}\n`);
    const places = async (query: string) => {
      const { hits } = await searched(engine.client, query);
      return hits.map(({ index, snippet }) => `${index} ${snippet.text}`).sort();
    };
    expect(await places('needle')).toEqual(['0 a needle', '2 another way, a needle', '3 there, a needle']);
    const { transcripts } = await engine.client.call('library.list', {});
    const main = transcripts.find(({ messages }) => messages === 3);
    await engine.client.call('library.remove', { ids: [main?.id ?? ''], forGood: true });
    expect(await places('"a needle"')).toContain('0 a needle');
  });

  it('orders by relevance: the message that says it most comes first', async () => {
    const { client, first } = await twoSessions();
    const found = await searched(client, 'needle', { sort: 'relevance' });
    expect(found.sort).toBe('relevance');
    expect(found.hits[0]).toMatchObject({ transcriptId: first, index: 1 });
  });

  it('points at the part in which the words are', async () => {
    const engine = testEngine();
    const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'grep needle' } };
    const result = { type: 'tool_result', tool_use_id: 'c1', content: 'needle: not found', is_error: true };
    await engine.add(
      'a.jsonl',
      sessionFile([
        { role: 'assistant', content: [{ type: 'text', text: 'Look.' }, call] },
        { role: 'user', content: [result] },
      ]),
    );
    const found = await searched(engine.client, 'tool:bash needle');
    expect(found.hits.map(({ index, part, label, tool, isError }) => [index, part, label, tool, isError])).toEqual([
      [0, 1, 'call', 'Bash', false],
      [1, 0, 'result', null, true],
    ]);
    expect((await search(engine.client, 'is:error role:tool')).total).toBe(1);
    expect((await search(engine.client, 'tool:read needle')).total).toBe(0);
  });

  it('keeps to transcripts and times', async () => {
    const { client, first, second } = await twoSessions();
    const ids = async (query: string) => [
      ...new Set((await searched(client, query)).hits.map((hit) => hit.transcriptId)),
    ];
    expect(await ids('needle after:2026-02')).toEqual([second]);
    expect(await ids('needle before:2026-02')).toEqual([first]);
    expect(await ids('needle project:other')).toEqual([second]);
    expect(await ids('needle -project:other')).toEqual([first]);
    expect(await ids(`needle in:${first.slice(0, 8)}`)).toEqual([first]);
    expect(await ids('needle format:claude')).toEqual([second, first]);
    expect(await ids('needle format:codex')).toEqual([]);
    expect(await ids('needle model:sonnet')).toEqual([second, first]);
    expect(await ids('needle model:gpt')).toEqual([]);
    expect(await ids('after:2026-02-07')).toEqual([second]);
  });

  it('gives page after page, none twice, also when the search has to be made again', async () => {
    const { client, connect } = await twoSessions();
    const whole = await searched(client, 'needle OR hay');
    const paged = [];
    for (let cursor: string | null = null, pages = 0; pages < 10; pages++) {
      const page: LibrarySearch = await search(client, 'needle OR hay', { limit: 2, cursor });
      paged.push(...page.hits);
      cursor = page.cursor;
      if (cursor === null) break;
    }
    expect(paged).toEqual(whole.hits);
    const { cursor } = await search(client, 'needle OR hay', { limit: 2 });
    const other = await search(connect(), 'needle OR hay', { limit: 2, cursor });
    expect(other.hits).toEqual(whole.hits.slice(2, 4));
  });

  it('says what is wrong with a query, and does not search', async () => {
    const { client } = await twoSessions();
    const found = await searched(client, 'needle role:human');
    expect(found).toMatchObject({ hits: [], total: 0, problems: [{ severity: 'error', from: 7, to: 17 }] });
    expect((await search(client, 'needle ( -')).problems.length).toBeGreaterThan(0);
    expect(await failureOf(search(client, 'x', { limit: 0 }))).toMatchObject({ code: 'protocol.bad_request' });
  });

  it('says how much can be searched, and indexes what comes without being asked', async () => {
    const { client, add } = await twoSessions();
    expect((await searched(client, 'needle')).coverage).toEqual({ indexed: 5, total: 5, cut: 0 });
    await add('three.jsonl', session('w', [user('one more needle')]));
    const found = await searched(client, 'needle');
    expect(found).toMatchObject({ total: 4, coverage: { indexed: 6, total: 6 } });
  });

  it('forgets what is removed at once', async () => {
    const { client, first } = await twoSessions();
    await searched(client, 'needle');
    await client.call('library.remove', { ids: [first] });
    expect((await search(client, 'needle')).total).toBe(1);
  });

  it('tells the values that a filter may have here', async () => {
    const { client } = await twoSessions();
    await searched(client, 'needle');
    const values = async (filter: Parameters<typeof ask>[0], text = '') =>
      (await ask(filter, text)).map(({ value }) => value);
    const ask = async (filter: 'tool' | 'model' | 'project' | 'format' | 'role', text: string) =>
      (await client.call('search.values', { filter, text })).values;
    expect(await values('model')).toEqual(['claude-sonnet-4-5']);
    expect(await values('project', 'oth')).toHaveLength(1);
    expect(await values('format')).toEqual(['claude-code']);
    expect(await values('role', 'us')).toEqual(['user', 'tool', 'system'].slice(0, 1));
  });
});

describe('more hits than are listed', () => {
  it('counts to 10,000, says so, and lists the newest first without looking at all', async () => {
    const engine = testEngine();
    const many = Array.from({ length: 5_200 }, (_, i) => user(`common word ${i}`));
    await engine.add('a.jsonl', session('a', many, '2026-03-05').replaceAll('common word', 'a common word'));
    await engine.add('b.jsonl', session('b', many));
    const found = await searched(engine.client, 'common', { sort: 'relevance' });
    expect(found).toMatchObject({ total: 10_000, exact: false, sort: 'time' });
    expect(found.hits.map(({ index }) => index)).toEqual(Array.from({ length: 50 }, (_, i) => i));
    expect(found.groups).toMatchObject([{ hits: 5_200, exact: true }]);
    const rare = await search(engine.client, 'common 4321');
    expect(rare).toMatchObject({ total: 2, exact: true });
  });
});
