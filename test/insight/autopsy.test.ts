import { describe, expect, it } from 'vitest';
import { actsOf } from '../../core/insight/autopsy/acts.ts';
import { autopsiesOf } from '../../core/insight/autopsy/autopsy.ts';
import { errorLine, itemsOf } from '../../core/insight/autopsy/items.ts';
import { CompactionWatch } from '../../core/insight/autopsy/moments.ts';
import { StandingTexts } from '../../core/insight/autopsy/survive.ts';
import type { CoveredItem, SurvivalClass } from '../../core/insight/autopsy/types.ts';
import { UseFinder, UsesFollower } from '../../core/insight/uses/index.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { callPoints } from '../../core/model/turns.ts';
import { followCallPoints } from '../../core/projection/allCallPoints.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';

type Message = Readonly<Record<string, unknown>>;

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });
const call = (id: string, name: string, args: unknown): Message => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const result = (id: string, content: string): Message => ({ role: 'tool', tool_call_id: id, content });
const failed = (id: string, content: string): Message => ({ ...result(id, content), is_error: true });

const CONFIG = 'export const port = 48213;\nexport const retryLimit = 7;\nexport const secretName = "quiet-otter";\n';

const SESSION: readonly Message[] = [
  user('Please fix the login in src/auth/login.ts. Never edit config/prod.yaml by hand.'),
  call('c1', 'read_file', { path: 'src/auth/settings.ts' }),
  result('c1', CONFIG),
  call('c2', 'bash', { command: 'npm run test:login -- --grep token' }),
  failed('c2', 'Error: ENOENT: no such file, open fixtures/token.json'),
  call('c3', 'bash', { command: 'npm run test:login' }),
  result('c3', 'ok, 12 passed in 48213 ms'),
  call('c4', 'todo_write', {
    todos: [
      { content: 'Rename the token helper', status: 'pending' },
      { content: 'Read the settings', status: 'completed' },
    ],
  }),
  result('c4', 'saved'),
  call('c5', 'edit_file', { path: 'src/auth/login.ts', old: 'a', new: 'b' }),
  result('c5', 'done'),
  user('The summary so far: fixed src/auth/login.ts. Never edit config/prod.yaml by hand.'),
  call('c6', 'read_file', { path: 'src/auth/settings.ts' }),
  result('c6', CONFIG),
  assistant('The port 48213 is set.'),
  call('c7', 'edit_file', { path: 'src/auth/token.ts', old: 'a', new: 'b' }),
  result('c7', 'done'),
  assistant('All done.'),
];

/** The session with a recorded compaction whose summary is message 11. */
function recorded(meta: Readonly<Record<number, object>> = {}) {
  const texts = SESSION.map((message) => JSON.stringify(message));
  const source = memorySource(texts, null, [
    { at: 11, summaryIndex: 11, trigger: 'auto', preTokens: 900, postTokens: 100 },
  ]);
  return autopsy(source, 'recorded_compaction', meta);
}

function autopsy(source: ReturnType<typeof transcriptOf>, spec: unknown, meta: Readonly<Record<number, object>> = {}) {
  const finder = new UseFinder(source);
  for (const _ of finder.grow());
  const tokens = estimatedTokens(source);
  const watch = new CompactionWatch(source);
  const follower = new UsesFollower({ source, finder, front: {}, tokens });
  const run = followCallPoints({ source, stages: stagesOf(spec), points: callPoints(source) }, (point) => {
    watch.take(point);
    follower.take(point);
  });
  for (let step = run.next(null); step.done !== true; step = run.next(null));
  const metaAt = (index: number) => meta[index] ?? {};
  return autopsiesOf({ source, metaAt, tokens, moments: watch.moments, uses: follower.all, window: 1000 });
}

describe('a recorded compaction', () => {
  const [one, ...more] = recorded();
  if (one?.survival == null) throw new Error('there is one that can be read');
  const lost = (name: SurvivalClass) => one.survival?.[name].lost.map(({ text }) => text);

  it('is found once, with what the runtime recorded of it', () => {
    expect(more).toEqual([]);
    expect(one).toMatchObject({ index: 0, at: 12, recordedAt: 11, summaryIndex: 11, stage: null, opaque: false });
    expect(one).toMatchObject({ trigger: 'auto', tokensBefore: 900, tokensAfter: 100, window: 1000 });
    expect(one.covered).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it.each<readonly [SurvivalClass, number, number, readonly string[]]>([
    ['imperatives', 1, 1, []],
    ['files_edited', 1, 1, []],
    ['paths', 4, 2, ['src/auth/settings.ts', 'fixtures/token.json']],
    ['commands', 2, 0, ['npm run test:login -- --grep token', 'npm run test:login']],
    ['errors', 1, 0, ['Error: ENOENT: no such file, open fixtures/token.json']],
    ['open_tasks', 1, 0, ['Rename the token helper']],
  ])('%s: %i said, %i survived', (name, total, survived, gone) => {
    expect(one.survival?.[name]).toMatchObject({ total, survived });
    expect(lost(name)?.toSorted()).toEqual([...gone].sort());
  });

  it('tells of an error the call that succeeded after it', () => {
    expect(one.survival?.errors.lost[0]?.resolvedAt).toBe(5);
  });

  it('puts what was used later first', () => {
    const { lost: numbers } = one.survival?.numbers ?? { lost: [] };
    expect(numbers[0]).toMatchObject({ text: '48213', usedLater: [14] });
    expect(one.survival?.identifiers.lost.some(({ text }) => text === 'retryLimit')).toBe(true);
  });

  it('tells what was done again behind it, and how long until an edit', () => {
    const { after } = one;
    expect(after.rereads).toHaveLength(1);
    expect(after.rereads[0]).toMatchObject({ at: 12, sources: [2], ignored: false });
    expect(after.rereads[0]?.tokens).toBeGreaterThan(0);
    expect(after.filesReadAgain).toEqual([{ path: 'src/auth/settings.ts', at: 12 }]);
    expect(after).toMatchObject({ calls: 4, callsToFirstEdit: 3, firstEditAt: 15, changedRereads: 0 });
    expect(after.refill.map(({ kind }) => kind)).toEqual(['tool_result', 'tool_call', 'assistant']);
    expect(after.refillTokens).toBe(after.refill.reduce((sum, { tokens }) => sum + tokens, 0));
  });

  it('has what the client attached again behind it, and not what a person wrote there', () => {
    const texts = [...SESSION.slice(0, 12), user('src/auth/settings.ts and fixtures/token.json'), ...SESSION.slice(12)];
    const source = memorySource(
      texts.map((message) => JSON.stringify(message)),
      null,
      [{ at: 11, summaryIndex: 11 }],
    );
    const pathsLost = (meta: Readonly<Record<number, object>>) =>
      autopsy(source, 'recorded_compaction', meta)[0]?.survival?.paths.lost.map(({ text }) => text);
    expect(pathsLost({})).toEqual(['src/auth/settings.ts', 'fixtures/token.json']);
    expect(pathsLost({ 12: { provenance: { kind: 'attachment', type: 'file' } } })).toEqual([]);
    expect(pathsLost({ 12: { injected: true } })).toEqual([]);
    expect(pathsLost({ 12: { provenance: { kind: 'queued_prompt', type: 'queued_command' } } })).toHaveLength(2);
  });

  // Beside messages that were carried over the summary goes in front of them: it is elsewhere then, and was never lost.
  it('does not count its own summary among what it covers', () => {
    const texts = SESSION.map((message) => JSON.stringify(message));
    const source = memorySource(texts, null, [{ at: 11, summaryIndex: 11, preserved: [9, 10] }]);
    const [moved] = autopsy(source, 'recorded_compaction');
    expect(moved?.covered).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const prod = { text: 'config/prod.yaml', index: 0 };
    expect(moved?.survival?.paths).toMatchObject({ total: 4, survived: 2 });
    expect(moved?.survival?.paths.lost).not.toContainEqual(expect.objectContaining(prod));
  });

  it('takes the trigger from usage where the runtime recorded none, and never from counts', () => {
    const texts = SESSION.map((message) => JSON.stringify(message));
    const source = memorySource(texts, null, [{ at: 11, summaryIndex: 11 }]);
    const usage = { 9: { usage: { input: 700, output: 3 } }, 12: { usage: { input: 80, output: 3 } } };
    expect(autopsy(source, 'recorded_compaction', usage)[0]).toMatchObject({ tokensBefore: 700, tokensAfter: 80 });
    expect(autopsy(source, 'recorded_compaction')[0]).toMatchObject({ tokensBefore: null, tokensAfter: null });
  });

  it('says nothing of what survives in a block that cannot be read', () => {
    const texts = SESSION.map((message) => JSON.stringify(message));
    const source = memorySource(texts, null, [{ at: 11, kind: 'opaque', opaqueChars: 500 }]);
    expect(autopsy(source, 'recorded_compaction')[0]).toMatchObject({ opaque: true, survival: null });
  });
});

describe('a summary that a stage puts in place', () => {
  it('is one too, each time it covers more', () => {
    const spec = { policy: 'summary_prefix', keep_last: 4, summary: 'Nothing of note.' };
    const all = autopsy(transcriptOf(SESSION), spec);
    expect(all.length).toBeGreaterThan(1);
    expect(all.every(({ stage, recordedAt, trigger }) => stage === 0 && recordedAt === null && trigger === null)).toBe(
      true,
    );
    const covered = all.flatMap((each) => each.covered);
    expect(new Set(covered).size).toBe(covered.length);
  });

  it('is held against all that was used later, though the summary grows meanwhile', () => {
    const spec = { policy: 'summary_prefix', keep_last: 3, summary: 'Nothing of note.' };
    const all = autopsy(transcriptOf(SESSION), spec);
    // The settings, read at #1, are covered requests before they are read again at #12.
    const covering = all.find(({ covered }) => covered.includes(2));
    expect(all.some(({ at }) => at > (covering?.at ?? 0) && at < 12)).toBe(true);
    expect(covering?.after.rereads.map(({ at }) => at)).toEqual([12]);
  });

  it('is none where a stage only clears', () => {
    expect(autopsy(transcriptOf(SESSION), 'reachability_gc')).toEqual([]);
  });
});

describe('what survives', () => {
  const standing = new StandingTexts(transcriptOf([]), [
    {
      kind: 'synthetic',
      text: JSON.stringify(
        user('We  changed src/auth/login.ts and README.md; use --dry-run with v1.2.3. Port is 48213.'),
      ),
      covers: { from: 0, to: 1 },
      stage: 0,
    },
  ]);
  const item = (kind: SurvivalClass, text: string): CoveredItem => ({
    class: kind,
    text,
    index: 0,
    part: 0,
    from: 0,
    to: 1,
  });

  it.each<readonly [SurvivalClass, string, 'words' | 'anchors' | null]>([
    ['user_sentences', 'port is\n48213.', 'words'],
    ['user_sentences', 'Set the port to 48213 everywhere', 'anchors'],
    ['user_sentences', 'Set the port everywhere', null],
    ['user_sentences', 'Set 48213 in config/dev.yaml', null],
    ['paths', '/srv/app/src/auth/login.ts', 'words'],
    ['paths', 'auth/login.ts', 'words'],
    ['paths', 'src/login.ts', null],
    ['paths', '/srv/README.md', null],
    ['paths', 'README.md', 'words'],
    ['numbers', '48213', 'words'],
    ['numbers', '4821', null],
    ['identifiers', '--dry-run', 'words'],
    ['commands', 'changed src/auth/login.ts and README.md', 'words'],
  ])('%s: %s → %s', (kind, text, how) => {
    expect(standing.of(item(kind, text))).toBe(how);
  });
});

describe('what a call does', () => {
  const acts = (name: string, args: unknown) => {
    const message = call('c', name, args);
    const part = readMessage(message).parts.find(({ kind }) => kind === 'tool_call');
    if (part === undefined) throw new Error('no call');
    return actsOf(message, part);
  };
  const PATCH = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** Add File: src/b.ts\n+z\n*** End Patch';

  it.each<readonly [string, unknown, object]>([
    ['Edit', { file_path: './src\\a.ts', old_string: 'x' }, { edits: true, edited: ['src/a.ts'] }],
    ['str_replace_editor', { command: 'view', path: 'a.py' }, { edits: false, edited: [], read: ['a.py'] }],
    ['str_replace_editor', { command: 'create', path: 'a.py' }, { edits: true, edited: ['a.py'], read: [] }],
    ['apply_patch', { input: PATCH }, { edits: true, edited: ['src/a.ts', 'src/b.ts'] }],
    ['shell', { command: ['bash', '-lc', `apply_patch <<'E'\n${PATCH}\nE`] }, { edits: true }],
    ['exec_command', { cmd: "sed -n '1,40p' src/a.ts" }, { edits: false, read: ['src/a.ts'] }],
    ['exec_command', { cmd: 'sed -i s/a/b/ src/a.ts' }, { edits: true, read: [] }],
    [
      'Bash',
      { command: 'cat src/a.ts', description: 'x' },
      { commands: ['cat src/a.ts'], read: ['src/a.ts'], edits: false },
    ],
    ['Read', { file_path: 'src/a.ts' }, { read: ['src/a.ts'], edits: false, commands: [] }],
    ['TodoWrite', { todos: [{ content: 'x', status: 'done' }] }, { edits: false, tasks: [{ text: 'x', done: true }] }],
    ['update_plan', { plan: [{ step: 'y', status: 'in_progress' }] }, { tasks: [{ text: 'y', done: false }] }],
    ['write_stdin', { input: 'y' }, { edits: false }],
    ['update_reservation_flights', { id: 'x' }, { edits: false }],
  ])('%s %j', (name, args, expected) => {
    expect(acts(name, args)).toMatchObject(expected);
  });
});

describe('the items of a span', () => {
  it('are the words of people alone where they are said to be', () => {
    const source = transcriptOf([user('The first thing I want is this.'), user('A summary of all that came before.')]);
    const meta = [{}, { compactSummary: true }];
    const items = itemsOf({ source, metaAt: (index) => meta[index] ?? {}, covered: [0, 1] });
    expect(items.map(({ class: kind, text }) => [kind, text])).toEqual([
      ['user_sentences', 'The first thing I want is this.'],
    ]);
  });

  it.each([
    ['all fine\nError: broken pipe\nmore', 'Error: broken pipe'],
    ['Traceback (most recent call last):\n  File "a.py", line 3\nValueError: no port', 'ValueError: no port'],
    ['\n\nsomething odd\n', 'something odd'],
    ['', null],
  ])('%j fails with %j', (text, line) => {
    expect(errorLine(text)).toBe(line);
  });
});
