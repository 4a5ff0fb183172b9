// What the stage makes of each kind of compaction, case by case, and of every fixture that has one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { PlacedCompaction, TranscriptSource } from '../../core/model/transcript.ts';
import { project } from '../../core/projection/project.ts';
import type { Projection } from '../../core/projection/types.ts';
import { longestAscending } from '../../core/util/ascending.ts';
import { itemText } from '../../core/view/reader.ts';
import { stagesOf } from '../support/projecting.ts';

const say = (role: string, content: unknown) => JSON.stringify({ role, content });
const call = (id: string) => say('assistant', [{ type: 'tool_use', id, name: 'read', input: {} }]);
const result = (id: string, text: string) => say('user', [{ type: 'tool_result', tool_use_id: id, content: text }]);
const TEXTS = [
  say('user', 'a'),
  call('c1'),
  result('c1', 'the body of a file'),
  say('assistant', 'read'),
  say('user', 'b'),
  say('user', 'SUMMARY'),
  say('assistant', 'on we go'),
  say('user', 'c'),
];

function run(compactions: readonly PlacedCompaction[], at = TEXTS.length, options: object = {}) {
  const source = memorySource(TEXTS, null, compactions);
  return {
    source,
    ...project(source, stagesOf({ version: 1, stages: [{ kind: 'recorded_compaction', options }] }), at),
  };
}

/** `0 1 [SUMMARY] 4`: source messages by number, with an asterisk if edited; others by their text. */
function viewOf({ view }: Pick<Projection, 'view'>, source: TranscriptSource): string {
  const shown = view.items.map((item) => {
    if (item.kind === 'source') return item.text === undefined ? String(item.index) : `${item.index}*`;
    const { content }: { content: unknown } = JSON.parse(itemText(item, source));
    return `[${typeof content === 'string' ? content : JSON.stringify(content)}]`;
  });
  return shown.join(' ');
}

/** The spans that made messages stand for, those of none left out. */
const spansOf = ({ view }: Pick<Projection, 'view'>) =>
  view.items.flatMap((item) => (item.kind === 'synthetic' && item.covers.to > 0 ? [item.covers] : []));

const summary = { at: 5, summaryIndex: 5, trigger: 'auto', preTokens: 155_000, postTokens: 12_000 };

describe('what a summary stands for', () => {
  it.each<[string, PlacedCompaction, number]>([
    ['ends before what was carried over', { ...summary, preserved: [3, 4] }, 3],
    ['reaches over what was carried over amid it', { ...summary, preserved: [1, 4] }, 4],
    ['is all, where nothing was', { at: 5, kind: 'opaque', opaqueChars: 8 }, 5],
    ['is the same of one that cannot be read', { at: 5, kind: 'opaque', opaqueChars: 8, preserved: [2, 4] }, 4],
  ])('%s', (_name, compaction, to) => {
    expect(spansOf(run([compaction]))).toEqual([{ from: 0, to }]);
  });
});

describe('the view', () => {
  it.each<[string, readonly PlacedCompaction[], number, string]>([
    ['nothing recorded', [], 8, '0 1 2 3 4 5 6 7'],
    ['a summary in place of what came before', [summary], 8, '5 6 7'],
    ['before the compaction', [summary], 4, '0 1 2 3'],
    ['the request that made the summary', [summary], 5, '0 1 2 3 4'],
    ['the first request after it', [summary], 6, '5'],
    ['a summary before what was kept', [{ ...summary, preserved: [3, 4] }], 8, '[SUMMARY] 3 4 6 7'],
    [
      'a summary among what was kept',
      [{ ...summary, preserved: [0, 3, 4], summaryAfter: 1 }],
      8,
      '0 [SUMMARY] 3 4 6 7',
    ],
    ['a summary behind what was kept', [{ ...summary, preserved: [3, 4], summaryAfter: 2 }], 8, '3 4 5 6 7'],
    ['what was kept only, without a summary', [{ at: 5, preserved: [0, 4] }], 8, '0 4 5 6 7'],
    ['nothing kept, without a summary', [{ at: 5, preserved: [] }], 8, '5 6 7'],
    ['a compaction that tells nothing', [{ at: 5, trigger: 'auto' }], 8, '0 1 2 3 4 5 6 7'],
    ['an answer that holds the summary', [{ at: 6, summaryIndex: 6 }], 7, '6'],
    ['the request for that answer', [{ at: 6, summaryIndex: 6 }], 6, '0 1 2 3 4 5'],
    [
      'another history: known messages, one moved, a new one',
      [
        {
          kind: 'replacement',
          at: 5,
          preserved: [0, 3, 4],
          replacement: [TEXTS[3]!, TEXTS[4]!, TEXTS[0]!, say('user', 'N')],
        },
      ],
      8,
      '3 4 [a] [N] 5 6 7',
    ],
    ['an empty history', [{ kind: 'replacement', at: 5, replacement: [] }], 8, '5 6 7'],
    ['a history that is not recorded', [{ kind: 'replacement', at: 5 }], 8, '0 1 2 3 4 5 6 7'],
    [
      'one that is encrypted',
      [{ kind: 'opaque', at: 5, opaqueChars: 1204 }],
      8,
      '[[Parallax: here the runtime put an encrypted compaction of 1,204 characters, which only the provider can read]] 5 6 7',
    ],
    ['results emptied', [{ kind: 'cleared', at: 4, clearedCallIds: ['c1', 'other'] }], 8, '0 1 2* 3 4 5 6 7'],
    ['before they were', [{ kind: 'cleared', at: 4, clearedCallIds: ['c1'] }], 3, '0 1 2'],
    [
      'a result that was emptied, then kept beside a summary',
      [
        { kind: 'cleared', at: 4, clearedCallIds: ['c1'] },
        { ...summary, preserved: [1, 2] },
      ],
      8,
      '[SUMMARY] 1 2* 6 7',
    ],
    ['two compactions', [{ at: 3, preserved: [1, 2] }, summary], 8, '5 6 7'],
    ['between them', [{ at: 3, preserved: [1, 2] }, summary], 5, '1 2 3 4'],
    [
      'one that takes up again what an earlier one left out',
      [
        { at: 3, preserved: [2] },
        { at: 5, preserved: [0, 4] },
      ],
      8,
      '0 4 5 6 7',
    ],
  ])('%s', (_name, compactions, at, expected) => {
    const projection = run(compactions, at);
    expect(viewOf(projection, projection.source)).toBe(expected);
  });

  it.each<[string, readonly PlacedCompaction[], object, string]>([
    ['summaries', [summary], { summaries: false }, '0 1 2 3 4 5 6 7'],
    ['replacements', [{ kind: 'replacement', at: 5, replacement: [] }], { replacements: false }, '0 1 2 3 4 5 6 7'],
    ['clearing', [{ kind: 'cleared', at: 4, clearedCallIds: ['c1'] }], { clearing: false }, '0 1 2 3 4 5 6 7'],
  ])('is without %s where they are off', (_name, compactions, options, expected) => {
    const projection = run(compactions, 8, options);
    expect(viewOf(projection, projection.source)).toBe(expected);
  });

  it('has the runtime’s words in place of an emptied result, or one’s own', () => {
    const cleared: PlacedCompaction[] = [{ kind: 'cleared', at: 4, clearedCallIds: ['c1'] }];
    const textOf = (options: object) => run(cleared, 8, options).view.items[2]?.text;
    expect(textOf({})).toBe(result('c1', '[Old tool result content cleared]'));
    expect(textOf({ placeholder: 'gone' })).toBe(result('c1', 'gone'));
  });

  it('does not bring back what an earlier stage took out', () => {
    const source = memorySource(TEXTS, null, [{ ...summary, preserved: [3, 4] }]);
    const projector = '(messages) => messages';
    const stages = stagesOf({
      version: 1,
      stages: [{ kind: 'custom', options: { projector } }, 'recorded_compaction'],
    });
    const without = TEXTS.filter((_, index) => index !== 4).map((text): unknown => JSON.parse(text));
    const answer = { ok: true as const, resultJson: JSON.stringify(without), steps: 1, logs: [] };
    const projection = project(source, stages, 8, { runUserCode: () => answer });
    expect(viewOf(projection, source)).toBe('[SUMMARY] 3 6 7');
  });
});

describe('the fates', () => {
  it('say which compaction it was, when, why, and what it cost', () => {
    const { fates, reports } = run([{ ...summary, preserved: [4], timestamp: '2026-01-02T10:11:12.000Z' }]);
    const name = 'recorded compaction 1 (auto, 2026-01-02 10:11 UTC, 155,000 → 12,000 tokens)';
    expect(fates[0]).toEqual({
      kind: 'summarised',
      stage: 0,
      rule: 'recorded_compaction',
      reason: `${name} put the summary #5 in its place`,
      because: 5,
    });
    expect(fates[4]).toMatchObject({ kind: 'kept', rule: 'recorded_kept', reason: `${name} kept it, word for word` });
    expect(fates[5]).toMatchObject({ kind: 'merged', rule: 'recorded_moved' });
    expect(fates[6]).toMatchObject({ kind: 'kept', rule: 'recorded_since', reason: `kept: it came after ${name}` });
    expect(reports[0]?.summary).toBe(`after ${name}: 4 messages gone, 1 kept`);
  });

  it('name the compaction that took a message out, not the last one', () => {
    const { fates } = run([
      { at: 3, preserved: [2] },
      { at: 5, preserved: [0, 4] },
    ]);
    expect(fates.slice(0, 4).map(({ kind, reason }) => [kind, /compaction \d/.exec(reason)?.[0]])).toEqual([
      ['kept', 'compaction 2'],
      ['dropped', 'compaction 1'],
      ['dropped', 'compaction 2'],
      ['dropped', 'compaction 2'],
    ]);
  });

  it('point to the raw body of an emptied result', () => {
    const { fates, reports } = run([{ kind: 'cleared', at: 4, clearedCallIds: ['c1'] }]);
    expect(fates[2]).toMatchObject({
      kind: 'redacted',
      rule: 'recorded_clearing',
      pointers: [{ source: 'transcript.messages[2].content[0].content', content_chars: 18, tool_call_id: 'c1' }],
    });
    expect(reports[0]?.summary).toBe('1 result emptied');
  });
});

describe('what is not recorded', () => {
  it.each<[string, PlacedCompaction, string]>([
    ['neither summary nor kept messages', { at: 5 }, 'recorded.not_told'],
    ['an encrypted history', { kind: 'opaque', at: 5, opaqueChars: 9 }, 'recorded.encrypted'],
  ])('is said: %s', (_name, compaction, code) => {
    expect(run([compaction]).problems).toMatchObject([{ code, severity: 'info', where: { index: 5 } }]);
    expect(run([compaction], 4).problems).toEqual([]);
  });
});

it.each([
  [[], []],
  [
    [3, 1, 2],
    [1, 2],
  ],
  [
    [null, 5, null, 6],
    [1, 3],
  ],
  [
    [2, 72, 78, 0, 1, 108],
    [0, 1, 2, 5],
  ],
])('the longest ascending choice of %j is at %j', (values, expected) => {
  expect([...longestAscending(values)].sort((a, b) => a - b)).toEqual(expected);
});

const FIXTURES = [
  'anthropic-messages/request.json',
  'atif/trajectory.json',
  'claude-code/session.jsonl',
  'codex/rollout.jsonl',
  'copilot-cli/session.jsonl',
  'gemini-cli/session.jsonl',
  'harn/transcript.json',
  'inspect/log.json',
  'jido/thread.json',
  'langchain/states.jsonl',
  'opencode/export.json',
  'openhands/events.jsonl',
  'pi/list.jsonl',
  'pi/tree.jsonl',
];

/** At each call point near a compaction: the view, and how many messages have which fate. */
function describeTranscript(transcript: TranscriptSource): string[] {
  const stages = stagesOf('recorded_compaction');
  const places = transcript.compactions().flatMap(({ at }) => [at, at + 1, at + 2]);
  const points = [...new Set([...places, transcript.length])].filter((at) => at <= transcript.length);
  return points
    .sort((a, b) => a - b)
    .flatMap((at) => {
      const projection = project(transcript, stages, at);
      const fates = new Map<string, number>();
      for (const { kind, rule } of projection.fates) {
        if (rule !== null) fates.set(`${kind} (${rule})`, (fates.get(`${kind} (${rule})`) ?? 0) + 1);
      }
      const counts = [...fates].map(([fate, count]) => `${count} ${fate}`).join(', ');
      return [
        `  at ${at}: ${projection.reports[0]?.summary}`,
        `    ${viewOf(projection, transcript).slice(0, 400)}`,
        `    ${counts}`,
      ];
    });
}

it('gives what each format’s runtime kept', async () => {
  const lines: string[] = [];
  for (const name of FIXTURES) {
    for (const transcript of importText(readFileSync(join(import.meta.dirname, '..', 'fixtures', name))).transcripts) {
      if (transcript.compactions.length === 0) continue;
      lines.push(`${name} ${transcript.key}`);
      lines.push(...describeTranscript(MemoryTranscript.of(transcript)));
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('recordedCompaction.snapshot');
});

it('a transcript with a summary of its own is not said to record none', () => {
  const texts = Array.from({ length: 8 }, (_, at) =>
    JSON.stringify({ role: at % 2 ? 'assistant' : 'user', content: `m${at}` }),
  );
  const of = (summary: string | null) =>
    project(memorySource(texts, summary, [{ at: 5 }]), stagesOf({ version: 1, stages: ['recorded_compaction'] }), 8);
  const [none] = of(null).problems;
  expect(none?.text).toContain('records neither a summary nor what was kept');
  const [own] = of('what was said').problems;
  expect(own).toMatchObject({ code: 'recorded.not_told', where: { index: 5 } });
  expect(own?.text).toContain('has its own summary');
  expect(own?.text).not.toContain('neither');
});
