// What would have kept it: critical values against all values one by one, and every claim checked by a projection of its own.
import { describe, expect, it } from 'vitest';
import type { KeepSubject } from '../../../core/insight/keep/index.ts';
import { applyPatch, byPrice } from '../../../core/insight/keep/index.ts';
import { memorySource } from '../../../core/model/memorySource.ts';
import { STAGES } from '../../../core/projection/stages.ts';
import type { ProjectionSpec } from '../../../core/projection/types.ts';
import { seededRng } from '../../../core/util/rng.ts';
import { changesOf, faultsOf, isHeld, pinsOf } from '../../support/keeping.ts';
import { randomStage } from '../../support/randomStages.ts';
import { randomTranscript, SHAPES } from '../../support/randomTranscript.ts';

const user = (content: unknown) => ({ role: 'user', content });
const call = (id: string, name: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
});
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
const says = (content: string) => ({ role: 'assistant', content });

/** Ten turns, each with a call; #2 says what is lost. */
const TURNS = Array.from({ length: 10 }, (_, at) => [
  user(`question ${at}`),
  call(`c${at}`, at % 2 === 0 ? 'read' : 'list'),
  result(`c${at}`, at === 0 ? 'the port is 8642' : `other ${at}`),
  says(`answer ${at}`),
]).flat();

const source = memorySource(TURNS.map((message) => JSON.stringify(message)));
const spec = (
  ...stages: readonly { readonly kind: string; readonly options?: Record<string, unknown> }[]
): ProjectionSpec => ({ version: 1, stages });
const words = (found: ReturnType<typeof changesOf>) => found.changes.map((change) => change.words);
const PORT = { text: 'port is 8642' };

describe('keep this', () => {
  it('finds for a result that expired each way to keep it', () => {
    const found = changesOf(source, spec({ kind: 'tool_result_retention' }), source.length, PORT);
    expect(found.takers).toMatchObject([{ stage: 0, title: 'Tool-result retention' }]);
    expect(words(found)).toEqual([
      'Tool-result retention: Expire after 6 → 10 (9 is too few)',
      'Tool-result retention: Expire after of read 6 → 10 (9 is too few)',
      'Tool-result retention: Act every N turns 1 → 6 (5 is too few)',
      'Tool-result retention: Expire by age → count',
      'Tool-result retention: Expire by age → never',
      'Tool-result retention: Expire by of read age → count',
      'Tool-result retention: Expire by of read age → never',
      'Tool-result retention: Tools that never expire + read',
      'Tool-result retention off',
      'Pin the text',
      'Pin #2 with its call',
    ]);
    for (const change of found.changes)
      expect(faultsOf(change, source, spec({ kind: 'tool_result_retention' }), source.length, PORT)).toEqual([]);
  });

  it('says what the critical value is of, and what proves it', () => {
    const [change] = changesOf(
      source,
      spec({ kind: 'sliding_window', options: { turns: 3 } }),
      source.length,
      PORT,
    ).changes;
    expect(change).toMatchObject({
      kind: 'option',
      patch: [{ op: 'replace', path: '/stages/0/options/turns', value: 10 }],
      critical: [{ stage: 0, option: 'turns', title: 'Turns to keep', from: 3, to: 10, tooFew: 9 }],
      proved: true,
    });
    expect(change?.less).toEqual([spec({ kind: 'sliding_window', options: { turns: 9 } })]);
  });

  it('relaxes two options where one does not do', () => {
    const both = spec({ kind: 'sliding_window', options: { turns: 3, tokens: 30 } });
    const found = changesOf(source, both, source.length, PORT);
    const pair = found.changes.find(({ critical }) => critical.length === 2);
    expect(pair?.critical.map(({ title }) => title)).toEqual(['Turns to keep', 'Most tokens']);
    for (const change of found.changes) expect(faultsOf(change, source, both, source.length, PORT)).toEqual([]);
  });

  it('relaxes two stages where both take it, and says which', () => {
    const two = spec({ kind: 'tool_result_retention' }, { kind: 'sliding_window', options: { turns: 4 } });
    const found = changesOf(source, two, source.length, PORT);
    expect(found.takers.map(({ stage }) => stage)).toEqual([0, 1]);
    expect(words(found)[0]).toBe('Tool-result retention off; Sliding window off');
    expect(words(found)).toContain(
      'Tool-result retention: Expire after 6 → 10 (9 is too few); Sliding window: Turns to keep 4 → 10 (9 is too few)',
    );
    for (const change of found.changes) expect(faultsOf(change, source, two, source.length, PORT)).toEqual([]);
  });

  it('puts the pin before hygiene, and into a pin that is there', () => {
    const window = { kind: 'sliding_window', options: { turns: 2 } };
    const before = changesOf(source, spec(window, { kind: 'hygiene' }), source.length, { message: 0 });
    const pins = before.changes.filter(({ kind }) => kind === 'pin');
    expect(pins.map((change) => change.words)).toEqual([
      'Pin #0',
      'Pin the first user message',
      'Pin all user messages',
    ]);
    expect(pins[0]?.spec.stages.map(({ kind }) => kind)).toEqual(['sliding_window', 'pin', 'hygiene']);
    const own = { kind: 'pin', options: { messages: [4] } };
    const added = changesOf(source, spec(window, own), source.length, { message: 0 }).changes.find(
      (change) => change.words === 'Pin #0',
    );
    expect(added?.patch).toEqual([{ op: 'replace', path: '/stages/1/options/messages', value: [4, 0] }]);
  });

  it.each([
    ['there', spec(), PORT],
    ['not_said', spec(), { text: 'nobody says this' }],
    ['not_said', spec(), { message: 39 }],
  ])('says %s', (state, chosen, subject: KeepSubject) => {
    expect(changesOf(source, chosen, 38, subject)).toMatchObject({ state, changes: [] });
  });
});

it('every critical value is the first of all values that keeps it, tried one by one', () => {
  const cases = [
    ['tool_result_retention', 'value', 14],
    ['sliding_window', 'turns', 14],
    ['summary_prefix', 'keep_last', 50],
    ['anthropic_clear_tool_uses', 'keep', 14],
    ['inspect_edit', 'keep_tool_uses', 14],
  ] as const;
  for (const [kind, option, most] of cases) {
    const base = kind === 'anthropic_clear_tool_uses' ? { trigger: 0 } : kind === 'inspect_edit' ? { window: 20 } : {};
    const own = spec({ kind, options: { ...base, [option]: 1 } });
    const found = changesOf(source, own, source.length, PORT);
    const first = Array.from({ length: most }, (_, at) => at + 1).find((value) =>
      isHeld(source, spec({ kind, options: { ...base, [option]: value } }), source.length, PORT),
    );
    const change = found.changes.find(
      ({ spec: { stages }, critical }) => critical.length === 1 && stages[0]?.options?.[option] !== 1,
    );
    expect([change?.critical[0]?.option, change?.spec.stages[0]?.options?.[option]]).toEqual([option, first]);
  }
});

it('holds what it claims under random specs', () => {
  const kinds = STAGES.stages
    .map(({ kind }) => kind)
    .filter((kind) => !['raw', 'pin', 'custom', 'injection', 'recorded_projection'].includes(kind));
  let lost = 0;
  for (let run = 0; run < 120; run++) {
    const rng = seededRng(run);
    const own = memorySource(randomTranscript({ seed: run, turns: 10, shape: rng.pick(SHAPES), files: 5 }));
    const stages = Array.from(
      { length: 1 + rng.below(2) },
      () => randomStage(rng.pick(kinds), rng) as { kind: string; options: Record<string, unknown> },
    );
    const subject = { message: rng.below(Math.max(1, own.length - 4)) };
    const found = changesOf(own, spec(...stages), own.length, subject);
    if (found.state === 'there') continue;
    lost++;
    expect(isHeld(own, spec(...stages), own.length, subject)).toBe(false);
    for (const change of found.changes) {
      expect(
        faultsOf(change, own, spec(...stages), own.length, subject),
        `run ${run} ${JSON.stringify(stages)} #${subject.message}`,
      ).toEqual([]);
    }
  }
  expect(lost).toBeGreaterThan(40);
});

it('gives a patch that also fits a spec without empty options', () => {
  const [change] = changesOf(source, spec({ kind: 'tool_result_retention', options: {} }), source.length, PORT).changes;
  const bare: ProjectionSpec = { version: 1, stages: [{ kind: 'tool_result_retention' }] };
  expect(applyPatch(bare, change?.patch ?? [])).toEqual(change?.spec);
  expect(() => applyPatch({ version: 1, stages: [] }, change?.patch ?? [])).toThrow(RangeError);
});

it('goes by money, then by tokens', () => {
  const price = (costSession: number | null, tokensSession: number) => ({
    costSession,
    tokensSession,
    tokensHere: 0,
    unpriced: 0,
    usesSaved: 0,
    usesLost: 0,
    fits: true,
    firstOver: null,
    providerTakesIt: true,
    refusedFor: null,
    refusedBefore: false,
  });
  const list = [price(2, 1), price(1, 9), price(1, 3), price(-1, 50)];
  expect(list.toSorted(byPrice)).toEqual([list[3], list[2], list[1], list[0]]);
});

describe('the ways to pin', () => {
  const lost = spec({ kind: 'tool_result_retention' });
  const at = source.length;
  const ways = (...asked: Parameters<typeof pinsOf>) =>
    Object.fromEntries(pinsOf(...asked).map(({ way, title, change, whyNot }) => [way, { title, change, whyNot }]));

  it('are proved: what each names is in the request, and was not before', () => {
    const { message, words: own, turn, users } = ways(source, lost, { at, message: 2, words: PORT.text });
    expect([message?.title, own?.title, turn?.title]).toEqual([
      '#2 with its call',
      'these words only',
      'all of turn 1',
    ]);
    expect(isHeld(source, lost, at, { message: 2 })).toBe(false);
    for (const [way, subject] of [
      [message, { message: 2 }],
      [own, PORT],
      ...[0, 1, 2, 3].map((index) => [turn, { message: index }] as const),
    ] as const) {
      expect(way?.change?.proved).toBe(true);
      expect(isHeld(source, way?.change?.spec ?? lost, at, subject)).toBe(true);
      expect(applyPatch(lost, way?.change?.patch ?? [])).toEqual(way?.change?.spec);
    }
    expect(users).toMatchObject({ change: null, whyNot: '#2 is not what a person said.' });
  });

  it('say why one does not do: no words, words of another message, a stage behind the pin that takes it', () => {
    expect(ways(source, lost, { at, message: 2 }).words?.whyNot).toContain('Select words');
    expect(ways(source, lost, { at, message: 6, words: PORT.text }).words?.whyNot).toBe('#2 said these words first.');
    expect(ways(source, lost, { at, message: 2, words: 'nobody says this' }).words?.whyNot).toContain('Nobody said');
    const behind = spec({ kind: 'pin', options: { messages: [40] } }, { kind: 'tool_result_retention' });
    expect(ways(source, behind, { at, message: 2 }).message).toMatchObject({ change: null });
    expect(pinsOf(source, lost, { at: 2, message: 2 })).toEqual([]);
  });

  it('adds to the pin that is there, each message once', () => {
    const pinned = spec({ kind: 'tool_result_retention' }, { kind: 'pin', options: { messages: [2] } });
    const { turn } = ways(source, pinned, { at, message: 2 });
    expect(turn?.change?.spec.stages[1]?.options).toEqual({ messages: [2, 0, 1, 3] });
    const { users } = ways(source, lost, { at, message: 0 });
    expect(users?.change?.spec.stages[1]).toEqual({ kind: 'pin', options: { kinds: ['all_user_messages'] } });
  });
});
