// Compactions over the protocol: figures, what was lost in pages, a summary that a stage puts in place, a placeholder.
import { expect, test } from 'vitest';
import { failureOf, testEngine, whenCounted } from './support.ts';

const call = (id: string, name: string, args: unknown) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
const say = (role: string, content: string) => ({ role, content });
const CONFIG = `export const port = 48213;\nexport const secretName = "quiet-otter";\n${'berth '.repeat(20)}`;
const MESSAGES = [
  say('user', 'Please fix the login in src/auth/login.ts. Never edit config/prod.yaml by hand.'),
  ...[call('c1', 'read_file', { path: 'src/auth/settings.ts' }), result('c1', CONFIG)],
  ...[call('c2', 'edit_file', { path: 'src/auth/login.ts', old: 'a', new: 'b' }), result('c2', 'done')],
  ...[say('assistant', 'Done.'), say('user', 'And the token?'), say('assistant', 'I look.')],
  ...[call('c3', 'read_file', { path: 'src/auth/settings.ts' }), result('c3', CONFIG)],
  say('assistant', 'The port 48213 is set in src/auth/settings.ts.'),
  ...[call('c4', 'edit_file', { path: 'src/auth/token.ts', old: 'a', new: 'b' }), result('c4', 'done')],
  ...[say('assistant', 'All done.'), say('user', 'Thanks.')],
];
const SUMMARY = { policy: 'summary_prefix', keep_last: 3, summary: 'Fixed src/auth/login.ts.' };

async function opened() {
  const { client, add } = testEngine();
  const id = await add('s.json', JSON.stringify({ model: 'gpt-4o', messages: MESSAGES }));
  await client.call('transcript.open', { id });
  await whenCounted(client, id);
  return { client, id };
}

test('nothing was compacted: none are told', async () => {
  const { client, id } = await opened();
  expect(await client.call('autopsy.session', { id, spec: 'raw' })).toMatchObject({ compactions: [], more: 0 });
  const ask = client.call('autopsy.lost', { id, spec: 'raw', compaction: 0, class: null, used: false, from: 0, to: 9 });
  expect(await failureOf(ask)).toMatchObject({ code: 'autopsy.no_such_compaction' });
});

test('summaries of a stage: what each covers, what survives, what was read again', async () => {
  const { client, id } = await opened();
  const { compactions } = await client.call('autopsy.session', { id, spec: SUMMARY });
  const [first] = compactions;
  expect(first).toMatchObject({ stage: 0, stageTitle: 'Summary prefix', placeholder: false, tokensBefore: null });
  // Every later one covers what came into the span since.
  expect(compactions.every(({ covered }, at) => at === 0 || covered.messages > 0)).toBe(true);
  const read = compactions.find(({ covered }) => covered.from !== null && covered.from <= 2 && (covered.to ?? 0) >= 2);
  const paths = read?.survival?.paths;
  expect(paths?.total).toBe((paths?.survived ?? 0) + (paths?.lost ?? 0));
  expect(compactions.flatMap(({ after }) => after.again)).toContainEqual(
    expect.objectContaining({ kind: 'reread', at: 8, sources: [2] }),
  );
});

test('what was lost: used later first, of one class, in pages', async () => {
  const { client, id } = await opened();
  const { compactions } = await client.call('autopsy.session', { id, spec: SUMMARY });
  const ask = (compaction: number, name: 'paths' | null, used: boolean, from = 0, to = 50) =>
    client.call('autopsy.lost', { id, spec: SUMMARY, compaction, class: name, used, from, to });
  for (const { index, survival } of compactions) {
    const figures = Object.values(survival ?? {});
    const all = await ask(index, null, false);
    expect(all.total).toBe(figures.reduce((sum, { lost }) => sum + lost, 0));
    expect((await ask(index, null, true)).total).toBe(figures.reduce((sum, { usedLater }) => sum + usedLater, 0));
    expect(all.lost.map(({ users }) => users)).toEqual(all.lost.map(({ users }) => users).toSorted((a, b) => b - a));
    expect((await ask(index, null, false, 1, 2)).lost).toEqual(all.lost.slice(1, 2));
    expect((await ask(index, 'paths', false)).lost.every((item) => item.class === 'paths')).toBe(true);
  }
});

test('a summary that is not written is a placeholder, and says so', async () => {
  const { client, id } = await opened();
  const spec = {
    version: 1,
    stages: [{ kind: 'adk_compaction', options: { compaction_interval: 1, overlap_size: 0 } }],
  };
  const { compactions } = await client.call('autopsy.session', { id, spec });
  expect(compactions.length).toBeGreaterThan(0);
  expect(compactions.every(({ placeholder }) => placeholder)).toBe(true);
});
