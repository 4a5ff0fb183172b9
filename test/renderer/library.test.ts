import { describe, expect, it } from 'vitest';
import { groupTranscripts, sortTranscripts } from '../../core/library/order.ts';
import { DEFAULT_VIEW } from '../../core/library/query.ts';
import type { JobInfo } from '../../core/protocol/types.ts';
import { target, targets } from '../../renderer/library/commands.ts';
import { groupName, libraryLines, projectName } from '../../renderer/library/groups.ts';
import { above, describeNested, nestedOf } from '../../renderer/library/nested.ts';
import { findingsOf } from '../../renderer/library/problems.ts';
import { progressText } from '../../renderer/library/progressText.ts';
import { INITIAL_STATE } from '../../renderer/state/initial.ts';
import { withJob } from '../../renderer/state/libraryActions.ts';
import { makeSummary } from './support.ts';

const library = [
  makeSummary({ id: 'a', title: 'Fix login', project: 'my-api', endedAt: '2026-01-02T00:00:00Z' }),
  makeSummary({
    id: 'b',
    title: 'Dark mode',
    project: 'web',
    endedAt: '2026-01-05T00:00:00Z',
    files: ['rollout.jsonl'],
  }),
  makeSummary({ id: 'c', title: 'No home', project: null, endedAt: '2026-01-09T00:00:00Z' }),
  makeSummary({ id: 'd', title: 'Rate limits', project: 'my-api', startedAt: '2026-01-04T00:00:00Z' }),
];
const grouped = (transcripts: typeof library) =>
  groupTranscripts(sortTranscripts(transcripts, DEFAULT_VIEW), 'project');
const groups = grouped(library);
const lines = libraryLines(groups);

const job: JobInfo = {
  jobId: 'j1',
  kind: 'import',
  title: 'session.jsonl',
  state: 'running',
  progress: 0.42,
  bytesPerSecond: 48_000_000,
  secondsLeft: 3,
  message: 'reading',
  transcriptIds: [],
  error: null,
};

describe('the library', () => {
  it('groups by project, newest first, those without a project last', () => {
    expect(
      groups.map((group) => [groupName(group.value, 'project'), group.transcripts.map((one) => one.id).join('')]),
    ).toEqual([
      ['web', 'b'],
      ['my-api', 'da'],
      ['No project', 'c'],
    ]);
  });

  it('is a list of lines in which transcripts count and names do not', () => {
    expect(lines.map((line) => (line.kind === 'group' ? groupName(line.value, 'project') : line.position))).toEqual([
      1,
      'my-api',
      2,
      3,
      4,
    ]);
  });

  it('names the group of a transcript that is alone in it beside its title, not on a line of its own', () => {
    const alone = lines.flatMap((line) => (line.kind === 'transcript' ? [line.alone] : []));
    expect(alone.map((value) => (value === null ? null : groupName(value, 'project')))).toEqual([
      'web',
      null,
      null,
      'No project',
    ]);
    const one = libraryLines(grouped([makeSummary({ id: 'a', project: 'web' })]));
    expect(one.map(({ kind }) => kind)).toEqual(['group', 'transcript']);
    expect(libraryLines(groups, undefined, undefined, false).some((line) => line.kind === 'group')).toBe(false);
  });

  it('has branches and sub-agents under their session, unfolded or not, and counts them not as sessions', () => {
    const nested = nestedOf([
      makeSummary({ id: 's', title: 'a' }),
      makeSummary({ id: 'late', under: { id: 's', as: 'agent' }, startedAt: '2026-01-02' }),
      makeSummary({ id: 'early', under: { id: 's', as: 'agent' }, startedAt: '2026-01-01' }),
      makeSummary({ id: 'b', under: { id: 's', as: 'branch' }, startedAt: '2026-01-09' }),
      makeSummary({ id: 'deep', under: { id: 'early', as: 'agent' } }),
      makeSummary({ id: 'alone', title: 'z', under: { id: 'elsewhere', as: 'agent' } }),
    ]);
    expect(nested.sessions.map(({ id }) => id)).toEqual(['s', 'alone']);
    const shown = (...unfolded: string[]) =>
      libraryLines(grouped([...nested.sessions]), nested.under, new Set(unfolded)).flatMap((line) =>
        line.kind === 'transcript' ? [`${'.'.repeat(line.depth)}${line.transcript.id}`] : [],
      );
    expect(shown()).toEqual(['s', 'alone']);
    expect(shown('s')).toEqual(['s', '.b', '.early', '.late', 'alone']);
    expect(shown('s', 'early')).toEqual(['s', '.b', '.early', '..deep', '.late', 'alone']);
    expect(describeNested(nested.under.get('s') ?? [])).toBe('1 other branch, 2 sub-agents');
    const all = [...nested.sessions, ...[...nested.under.values()].flat()];
    expect(above(all, 'deep')).toEqual(['early', 's']);
    expect(above(all, 's')).toEqual([]);
  });

  it.each([
    ['D:\\oh-my-posh', 'oh-my-posh'],
    ['/home/user/my-api/', 'my-api'],
    ['swe-bench/django', 'swe-bench/django'],
    ['/', '/'],
  ])('shows the project %s as %s', (project, expected) => expect(projectName(project)).toBe(expected));
});

const finding = { code: 'import.broken_line', severity: 'warning', text: 'A line is broken.' } as const;
const failure = {
  code: 'import.not_recognised',
  severity: 'error',
  text: 'This is no transcript known here.',
} as const;

describe('findings of an import', () => {
  it('come worst first, and what made it fail comes once', () => {
    const of = { file: 'notes.txt', handle: 'notes' };
    expect(findingsOf({ ...of, problems: [finding, failure], error: null })).toEqual([failure, finding]);
    expect(findingsOf({ ...of, problems: [finding], error: failure })).toEqual([failure, finding]);
    expect(findingsOf({ ...of, problems: [failure], error: { ...failure } })).toEqual([failure]);
  });
});

describe('an import', () => {
  it('says how far, how fast and how long still, as far as it knows', () => {
    expect(progressText(job)).toBe('42% · 48 MB/s · 3 s left');
    expect(progressText({ ...job, progress: null, secondsLeft: null })).toBe('reading · 48 MB/s');
    expect(progressText({ ...job, state: 'queued' })).toBe('waiting');
  });

  it('is kept while it runs or has failed', () => {
    expect(Object.keys(withJob({}, job))).toEqual(['j1']);
    expect(withJob({ j1: job }, { ...job, state: 'done' })).toEqual({});
    expect(withJob({ j1: job }, { ...job, state: 'failed' })).toMatchObject({ j1: { state: 'failed' } });
  });
});

describe('what commands act on', () => {
  const state = (selected: readonly string[], focused: string | null) => ({
    ...INITIAL_STATE,
    library: { ...INITIAL_STATE.library, selected: new Set(selected), focused },
    session: { ...INITIAL_STATE.session, id: 'open' },
  });

  it.each([
    [[], null, ['open'], 'open'],
    [[], 'a', ['a'], 'a'],
    [['b'], 'a', ['b'], 'b'],
    [['b', 'c'], 'a', ['b', 'c'], 'open'], // of several none is meant
  ] as const)('%j chosen, %s focused', (selected, focused, all, one) => {
    expect(targets(state(selected, focused))).toEqual(all);
    expect(target(state(selected, focused))).toBe(one);
  });
});
