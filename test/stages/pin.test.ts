// Pin: what it names stands in every request, with no more than it needs to stand there.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { prefixHash } from '../../core/projection/prefixHash.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { sha256 } from '../../core/util/hash.ts';
import { seededRng } from '../../core/util/rng.ts';
import { checkLaws } from '../../core/view/laws.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemText } from '../../core/view/reader.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomStage, spec } from '../support/randomStages.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';

const user = (content: unknown) => ({ role: 'user', content });
const says = (content: string) => ({ role: 'assistant', content });
const use = (id: string, name = 'read') => ({ type: 'tool_use', id, name, input: {} });
const answer = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });

/** Two calls side by side, answered in one message; then so much more that a window drops them. */
const PARALLEL = [
  user('the task'),
  { role: 'assistant', content: [{ type: 'text', text: 'I look' }, use('a'), use('b')] },
  user([answer('a', 'alpha result'), answer('b', 'beta result')]),
  says('done'),
  user('second'),
  says('more'),
  user('third'),
  says('last'),
];

const WINDOW = { kind: 'sliding_window', options: { turns: 1 } };
const EXPIRE = { kind: 'tool_result_retention', options: { value: 0 } };

function run(messages: readonly unknown[], ...stages: readonly unknown[]) {
  const source = memorySource(messages.map((message) => JSON.stringify(message)));
  const projection = project(source, stagesOf({ version: 1, stages }), source.length);
  const texts = projection.view.items.map((item) => itemText(item, source));
  const indices = projection.view.items.map((item) => (item.kind === 'source' ? item.index : null));
  return { ...projection, texts, indices };
}

describe('pin puts back', () => {
  it.each([
    ['a message by its number', { messages: [4] }, [4, 6, 7]],
    ['several, where they stood', { messages: [4, '#3'] }, [3, 4, 6, 7]],
    ['all that people said, and no results', { kinds: ['all_user_messages'] }, [0, 4, 6, 7]],
    ['the task', { kinds: ['first_user_message'] }, [0, 6, 7]],
    ['a text, where it was first said', { texts: ['SECOND'] }, [4, 6, 7]],
    ['a result with its call', { texts: ['beta   result'] }, [1, 2, 6, 7]],
    ['a call with its results', { messages: [1] }, [1, 2, 6, 7]],
    ['nothing that nobody said', { texts: ['no such words'] }, [6, 7]],
  ])('%s', (_name, options, expected) => {
    const { indices, fates } = run(PARALLEL, WINDOW, { kind: 'pin', options });
    expect(indices).toEqual(expected);
    for (const index of expected.filter((at) => at < 6))
      expect(fates[index]).toMatchObject({ rule: 'pinned', stage: 1 });
  });

  it('of other messages only what it needs', () => {
    const { texts } = run(PARALLEL, WINDOW, { kind: 'pin', options: { texts: ['alpha result'] } });
    expect(texts[0]).toBe('{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}}]}');
    expect(texts[1]).toBe(JSON.stringify(user([answer('a', 'alpha result')])));
  });

  it('the words of a result that expired, and leaves its neighbour expired', () => {
    const { texts, fates, redactedIndices } = run(PARALLEL, EXPIRE, {
      kind: 'pin',
      options: { texts: ['alpha result'] },
    });
    expect(texts[2]).toBe(JSON.stringify(user([answer('a', 'alpha result'), answer('b', '[result expired]')])));
    expect(redactedIndices).toEqual([2]);
    expect(fates[2]?.parts?.map(({ part, kind }) => [part, kind])).toContainEqual([0, 'kept']);
  });

  it('a whole message that was edited: then it is kept, and says why it would not be', () => {
    const { fates, redactedIndices } = run(PARALLEL, EXPIRE, { kind: 'pin', options: { messages: [2] } });
    expect(redactedIndices).toEqual([]);
    expect(fates[2]).toMatchObject({ kind: 'kept', rule: 'pinned', stage: 1 });
    expect(fates[2]?.reason).toMatch(/^put back: it is pinned \(messages\); without that: expired: 2 ≥ 0 turns$/);
  });

  it('nothing that stands anyway', () => {
    const { view, reports } = run(PARALLEL, { kind: 'pin', options: { messages: [1, 2, 6] } });
    expect(view.items.every((item) => item.text === undefined)).toBe(true);
    expect(reports[0]?.summary).toBe('nothing to put back');
  });

  it('behind a summary that stands for it', () => {
    const { indices } = run(
      PARALLEL,
      { kind: 'summary_prefix', options: { keep_last: 2 } },
      { kind: 'pin', options: { messages: [3] } },
    );
    expect(indices).toEqual([null, 3, 6, 7]);
  });

  it.each([
    ['# AGENTS.md instructions for /srv/app\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>'],
    [
      '<system-reminder>\nCodebase and user instructions are shown below.\n\nContents of /srv/CLAUDE.md (project instructions):\nBe brief.',
    ],
    ['<user_instructions>\nBe brief.\n</user_instructions>'],
  ])('files of instructions: %s', (text) => {
    const { indices } = run([user(text), ...PARALLEL.slice(3)], WINDOW, {
      kind: 'pin',
      options: { kinds: ['instruction_files'] },
    });
    expect(indices[0]).toBe(0);
    const other = run([user('read AGENTS.md and say what it wants'), ...PARALLEL.slice(3)], WINDOW, {
      kind: 'pin',
      options: { kinds: ['instruction_files'] },
    });
    expect(other.indices[0]).not.toBe(0);
  });
});

describe('its options', () => {
  it.each([
    ['numbers that are none', { messages: ['x'] }, 'messages'],
    ['negative numbers', { messages: [-1] }, 'messages'],
    ['kinds that are none', { kinds: ['everything'] }, 'kinds'],
    ['texts that are none', { texts: [1] }, 'texts'],
  ])('refuses %s', (_name, options, path) => {
    const parsed = parseSpec({ version: 1, stages: [{ kind: 'pin', options }] }, STAGES);
    expect(parsed.ok ? [] : parsed.error.map(({ where }) => where?.path)).toEqual([`stages[0].options.${path}`]);
  });

  it('takes one text as it stands, and several numbers in one', () => {
    const parsed = parseSpec(
      { version: 1, stages: [{ kind: 'pin', options: { texts: 'a b, c', messages: '1, #2' } }] },
      STAGES,
    );
    expect(parsed.ok && parsed.value.stages[0]?.bound.params).toEqual({
      messages: new Set([1, 2]),
      texts: ['a b, c'],
      kinds: new Set(),
    });
  });

  it('says of a message that is not there', () => {
    const { problems } = run(PARALLEL, { kind: 'pin', options: { messages: [99] } });
    expect(problems.map(({ code, text }) => [code, text])).toEqual([
      ['pin.no_such_message', 'There is no message #99 to pin: the transcript has 8 messages.'],
    ]);
  });
});

it('keeps the laws behind any stage: pairs stay whole', () => {
  const kinds = [
    'sliding_window',
    'tool_result_retention',
    'reachability_gc',
    'clean_tool_repair',
    'vercel_prune_messages',
    'inspect_trim',
    'anthropic_clear_tool_uses',
  ];
  for (let run = 0; run < 160; run++) {
    const rng = seededRng(run);
    const texts = randomTranscript({
      seed: run,
      turns: 12,
      shape: rng.pick(SHAPES),
      files: 5,
      signed: rng.chance(0.3),
    });
    const source = memorySource(texts);
    const stages = stagesOf(spec(randomStage(rng.pick(kinds), rng), randomStage('pin', rng)));
    const memo = createMemo();
    const broken = checkLaws({
      source,
      at: source.length,
      run: () => project(source, stages, source.length, { memo }),
      hash: (view) => prefixHash(source, view),
      sha256,
      maySplitPairs: false,
    });
    expect(broken, `run ${run}`).toEqual([]);
  }
});
