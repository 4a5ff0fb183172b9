// Compactions: pi's cut points as pi found them, ADK's spans by its own example, Anthropic's and OpenAI's thresholds; and
// what stands in place of a span.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../../core/model/summary.ts';
import type { PlacedCompaction } from '../../../core/model/transcript.ts';
import { project } from '../../../core/projection/project.ts';
import { itemText } from '../../../core/view/reader.ts';
import { characterTokens } from '../../support/characterTokens.ts';
import { stagesOf } from '../../support/projecting.ts';

type Message = Readonly<Record<string, unknown>>;

function run(messages: readonly Message[], kind: string, options: Record<string, unknown>, setup: Setup = {}) {
  const texts = messages.map((message) => JSON.stringify(message));
  const source = memorySource(texts, null, setup.compactions ?? [], setup.summaries ?? []);
  const stages = stagesOf({ version: 1, stages: [{ kind, options }] });
  const tokens = characterTokens(messages, setup.per ?? 1);
  const projection = project(source, stages, setup.at ?? source.length, { tokens });
  return { ...projection, texts: projection.view.items.map((item) => itemText(item, source)) };
}

interface Setup {
  readonly at?: number;
  readonly per?: number;
  readonly summaries?: readonly SummaryArtifact[];
  readonly compactions?: readonly PlacedCompaction[];
}

const user = (chars: number): Message => ({ role: 'user', content: 'u'.repeat(chars) });
const said = (chars: number): Message => ({ role: 'assistant', content: 'a'.repeat(chars) });
const called = (id: string, chars: number): Message => ({
  role: 'assistant',
  content: [
    { type: 'text', text: 'a'.repeat(chars) },
    { type: 'toolCall', id, name: '', arguments: '' },
  ],
});
const answered = (id: string, chars: number): Message => ({
  role: 'toolResult',
  toolCallId: id,
  content: 'r'.repeat(chars),
});

interface PiCase {
  readonly history: string;
  readonly keep: number;
  readonly cut: number;
  readonly split: boolean;
}

const FIXTURE = new URL('./cases/piCutPoints.json', import.meta.url);
const { cases: piCases }: { readonly cases: readonly PiCase[] } = JSON.parse(readFileSync(FIXTURE, 'utf8'));

describe('pi cuts where pi cuts', () => {
  it.each(piCases.map((each, at) => [at, each] as const))('case %i', (_at, { history, keep, cut, split }) => {
    const messages = history.split(' ').map((word): Message => {
      const chars = Number(word.slice(1));
      if (word.startsWith('u')) return user(chars);
      return word.startsWith('a') ? said(chars) : answered('none', chars);
    });
    // One token too few for all of it: only the last request is too large.
    const total = characterTokens(messages, 4).range(0, messages.length);
    const options = { window: total - 1, reserve_tokens: 0, keep_recent_tokens: keep };
    const { fates, reports } = run(messages, 'pi_compaction', options, { per: 4 });
    const kept = fates.findIndex(({ kind }) => kind === 'kept');
    expect(kept < 0 ? messages.length : kept).toBe(cut);
    if (cut > 0) expect(reports[0]?.meta?.splits_turn).toBe(split);
  });
});

describe('pi', () => {
  // The documentation's picture: usr ass tool | usr ass tool tool ass tool.
  const messages = [
    user(40),
    called('1', 40),
    answered('1', 40),
    user(40),
    called('2', 40),
    answered('2', 40),
    said(40),
    called('3', 40),
    answered('3', 40),
  ];

  it('keeps whole turns where they fit, and says so', () => {
    const { fates, texts, reports } = run(messages, 'pi_compaction', {
      window: 359,
      reserve_tokens: 0,
      keep_recent_tokens: 240,
    });
    expect(fates.map(({ kind }) => kind)).toEqual([...Array(3).fill('summarised'), ...Array(6).fill('kept')]);
    expect(fates[0]?.reason).toBe(
      'the next request held 360 tokens > 359 (window 359 − 0 reserve_tokens); a placeholder replaces it',
    );
    expect(fates[3]?.reason).toBe('kept: among the latest 240 tokens at the compaction (keep_recent_tokens)');
    expect(JSON.parse(texts[0] ?? '')).toEqual({
      role: 'user',
      content:
        'The conversation history before this point was compacted into the following summary:\n\n<summary>\n[3 earlier messages summarized]\n</summary>',
    });
    expect(reports[0]).toMatchObject({
      needsSummary: { from: 0, to: 3 },
      meta: { splits_turn: false, tokens_before: 360 },
    });
  });

  it('goes on from the cut: the next compaction begins there', () => {
    const longer = [...messages, user(40), said(40), user(40)];
    const { fates, reports } = run(longer, 'pi_compaction', {
      window: 330,
      reserve_tokens: 0,
      keep_recent_tokens: 240,
    });
    expect(reports[0]?.meta?.compactions).toBe(2);
    expect(fates.filter(({ kind }) => kind === 'summarised')).toHaveLength(6);
  });

  it('does nothing below the limit, and nothing where the window is not known', () => {
    const below = run(messages, 'pi_compaction', { window: 1000, reserve_tokens: 100 });
    expect(below.fates[0]?.reason).toBe(
      'kept: no request was larger than 360 tokens: not > 900 (window 1,000 − 100 reserve_tokens)',
    );
    expect(run(messages, 'pi_compaction', {}).problems).toMatchObject([{ code: 'projection.no_window' }]);
  });
});

describe('Anthropic and OpenAI', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    user(30_000),
    said(30_000),
    user(10),
    said(10),
    user(10),
    said(10),
    user(10),
  ];

  it.each<[string, string, Record<string, unknown>, readonly string[]]>([
    [
      'all before the request',
      'anthropic_compaction',
      { trigger: { type: 'input_tokens', value: 60_000 } },
      ['kept', 'summarised', 'summarised', 'summarised', 'kept', 'kept', 'kept', 'kept'],
    ],
    ['not reached', 'anthropic_compaction', {}, Array(8).fill('kept')],
    [
      'three stay after a pause',
      'anthropic_compaction',
      { trigger: 60_035, pause_after_compaction: true },
      ['kept', 'summarised', 'summarised', 'kept', 'kept', 'kept', 'kept', 'kept'],
    ],
    [
      'OpenAI',
      'openai_compaction',
      { context_management: [{ type: 'compaction', compact_threshold: 60_000 }] },
      ['kept', 'summarised', 'summarised', 'summarised', 'kept', 'kept', 'kept', 'kept'],
    ],
  ])('%s', (_name, kind, options, kinds) => {
    expect(run(messages, kind, options).fates.map((fate) => fate.kind)).toEqual(kinds);
  });

  it('Anthropic’s block only the API can make: a text stands there, and says so; the trigger has a floor', () => {
    const { texts, reports, view } = run(messages, 'anthropic_compaction', { trigger: 60_000 });
    expect(texts[1]).toBe('{"role":"user","content":"[3 earlier messages summarized]"}');
    expect(view.items[1]).toMatchObject({ made: { instead: 'a compaction block that only the API can make' } });
    expect(reports[0]?.needsSummary).toEqual({ from: 1, to: 4 });
    expect(() => run(messages, 'anthropic_compaction', { trigger: 49_999 })).toThrow('50000 or more');
  });

  it('what was written for the span stands in its place, the latest version of it', () => {
    const written = (version: number, content: string): SummaryArtifact => ({
      from: 1,
      to: 4,
      content,
      version,
      origin: 'written',
    });
    const summaries = [written(1, 'old'), written(2, 'what was agreed')];
    const { texts, reports, fates } = run(messages, 'openai_compaction', { compact_threshold: 60_000 }, { summaries });
    expect(texts[1]).toBe('{"role":"assistant","content":"what was agreed"}');
    expect(reports[0]?.needsSummary).toBeUndefined();
    expect(fates[1]?.reason).toContain('the written summary replaces it');
  });

  it('a summary of another span does not', () => {
    const summaries: SummaryArtifact[] = [{ from: 0, to: 3, content: 'less', version: 1, origin: 'written' }];
    const { texts } = run(messages, 'openai_compaction', { compact_threshold: 60_000 }, { summaries });
    expect(texts[1]).toContain('[3 earlier messages summarized]');
  });
});

describe('a compaction block that is recorded', () => {
  const block = (content: string | null): Message => ({
    role: 'assistant',
    content: [
      { type: 'compaction', content },
      { type: 'text', text: 'Done.' },
    ],
  });
  const messages = [user(10), said(10), user(10), block('S1'), user(10), block('S2'), user(10), block(null), user(10)];
  const compactions = [3, 5].map((at) => ({ at, summaryIndex: at }));
  const fatesOf = (options: Record<string, unknown>, at = messages.length) =>
    run(messages, 'anthropic_compaction', options, { compactions, at });

  it.each(['threshold', 'on_demand'])('takes all before the newest, in mode %s', (mode) => {
    const { fates, texts, reports } = fatesOf({ mode });
    expect(fates.map(({ kind }) => kind)).toEqual([...Array(5).fill('summarised'), ...Array(4).fill('kept')]);
    expect(fates[0]?.reason).toBe('#5 begins with a compaction block: the API drops everything before it');
    expect(texts[0]).toContain('S2');
    expect(reports[0]?.summary).toContain('5 messages replaced by the recorded compaction block');
  });

  it('counts from there on alone, and a failed one does nothing', () => {
    const long = [user(60_000), said(60_000), block('S'), user(100)];
    const found = run(long, 'anthropic_compaction', { trigger: 60_000 }, { compactions: [{ at: 2, summaryIndex: 2 }] });
    expect(found.fates.map(({ kind }) => kind)).toEqual(['summarised', 'summarised', 'kept', 'kept']);
    expect(found.fates[0]?.rule).toBe('before_compaction_block');
    expect(found.texts).toHaveLength(2);
    const failed = run([user(10), block(null), user(10)], 'anthropic_compaction', {});
    expect(failed.fates.map(({ kind }) => kind)).toEqual(['kept', 'kept', 'kept']);
  });

  it('is not there before it was made', () => {
    expect(fatesOf({}, 5).fates.map(({ kind }) => kind)).toEqual([...Array(3).fill('summarised'), 'kept', 'kept']);
    expect(fatesOf({}, 3).fates.map(({ kind }) => kind)).toEqual(Array(3).fill('kept'));
  });
});

describe('compaction on demand', () => {
  const kinds = (messages: readonly Message[], options: Record<string, unknown>) =>
    run(messages, 'anthropic_compaction', { mode: 'on_demand', ...options })
      .fates.map(({ kind }) => kind[0])
      .join('');
  const turn = (id: string): readonly Message[] => [user(10), called(id, 10), answered(id, 10), said(10)];
  const history = [...turn('a'), ...turn('b'), ...turn('c'), user(10)];

  it.each<[string, Record<string, unknown>, string]>([
    ['is not asked for below the limit', { ask_above: 10_000 }, 'kkkkkkkkkkkkk'],
    ['keeps what nobody has answered', { ask_above: 400 }, 'ssssssssssssk'],
    ['keeps the current turn', { ask_above: 400, keep_turns: 1 }, 'ssssssssssssk'],
    ['keeps two turns', { ask_above: 400, keep_turns: 2 }, 'sssssssskkkkk'],
    ['keeps all where there are no more turns', { ask_above: 400, keep_turns: 9 }, 'kkkkkkkkkkkkk'],
  ])('%s', (_name, options, expected) => {
    const total = characterTokens(history, 1).range(0, history.length);
    const scaled = options.ask_above === 400 ? { ...options, ask_above: total } : options;
    expect(kinds(history, scaled)).toBe(expected);
  });

  it('keeps a call with its results, and goes back to where the roles change', () => {
    const results = [...turn('a'), user(10), called('b', 10), answered('b', 10)];
    expect(kinds(results, { ask_above: characterTokens(results, 1).range(0, results.length) })).toBe('ssssskk');
    const twoUsers = [user(10), said(10), user(10), user(10), said(10), user(10)];
    const limit = characterTokens(twoUsers, 1).range(0, twoUsers.length);
    // The last turn but one begins behind another message of the user's.
    expect(kinds(twoUsers, { ask_above: limit, keep_turns: 2 })).toBe('sskkkk');
  });

  it('in the background stands for what was sent when it was asked for', () => {
    const total = characterTokens(history, 1).range(0, 5);
    const options = { mode: 'on_demand', ask_above: total, background: 4 };
    const at = (call: number) => run(history, 'anthropic_compaction', options, { at: call });
    expect(
      at(5)
        .fates.map(({ kind }) => kind[0])
        .join(''),
    ).toBe('kkkkk');
    expect(
      at(8)
        .fates.map(({ kind }) => kind[0])
        .join(''),
    ).toBe('kkkkkkkk');
    const used = at(9);
    expect(used.fates.map(({ kind }) => kind[0]).join('')).toBe('sssskkkkk');
    expect(used.fates[6]?.reason).toBe('kept: it came while the summary was made (background)');
    expect(used.view.items[0]).toMatchObject({
      made: { instead: 'a compaction block that only the API can make and sign' },
    });
  });
});

describe('OpenAI’s compaction endpoint', () => {
  const messages = [user(10), called('a', 10), answered('a', 10), said(10), user(20), said(10), user(30)];
  const shown = (options: Record<string, unknown>, at = messages.length) =>
    run(messages, 'openai_compaction', { standalone: true, ...options }, { at }).view.items.map((item) =>
      item.kind === 'synthetic' ? 'item' : item.index,
    );

  it('gives back the user’s messages, then one item', () => {
    expect(shown({})).toEqual([0, 4, 6, 'item']);
    expect(shown({}, 4)).toEqual([0, 'item']);
  });

  it('is asked for above the client’s own limit, and again when that is reached', () => {
    const total = characterTokens(messages, 1).range(0, 5);
    expect(shown({ ask_above: total }, 5)).toEqual([0, 4, 'item']);
    expect(shown({ ask_above: total }, 7)).toEqual([0, 4, 6, 'item']);
    expect(shown({ ask_above: total + 40 }, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    const { fates } = run(messages, 'openai_compaction', { standalone: true });
    expect(fates[0]?.reason).toBe('kept: the endpoint gives back all messages of the user (standalone)');
    expect(fates[1]?.kind).toBe('summarised');
  });
});

describe('ADK', () => {
  // Invocations of two events each, as in its example: interval 2, overlap 1.
  const turns = (count: number) => Array.from({ length: count }, () => [user(10), said(10)]).flat();
  const spans = (messages: readonly Message[], options: Record<string, unknown>) =>
    run(messages, 'adk_compaction', options).view.items.map((item) =>
      item.kind === 'synthetic' ? `${item.covers.from}-${item.covers.to}` : String(item.index),
    );

  it.each<[number, readonly string[]]>([
    [1, ['0', '1']],
    [2, ['0-4']],
    [3, ['0-4', '4', '5']],
    [4, ['0-4', '2-8']],
    [5, ['0-4', '2-8', '8', '9']],
    [6, ['0-4', '2-8', '6-12']],
  ])('after %i invocations', (count, expected) => {
    expect(spans(turns(count), { compaction_interval: 2, overlap_size: 1 })).toEqual(expected);
  });

  it('an invocation that still waits for its answer does not count', () => {
    expect(spans([...turns(1), user(10)], { compaction_interval: 2, overlap_size: 0 })).toEqual(['0', '1', '2']);
  });

  it('a threshold keeps the last events, and a result with its call', () => {
    const messages = [user(100), called('1', 10), answered('1', 100), said(10)];
    const options = { compaction_interval: 0, token_threshold: 200, event_retention_size: 2 };
    expect(spans(messages, options)).toEqual(['0-1', '1', '2', '3']);
    expect(spans(messages, { ...options, token_threshold: 211 })).toEqual(['0', '1', '2', '3']);
    expect(run(messages, 'adk_compaction', options).fates[0]?.reason).toBe(
      'the prompt held 210 tokens ≥ 200 (token_threshold); a placeholder replaces it',
    );
  });

  it('a later compaction by size takes the place of the one before', () => {
    const options = { compaction_interval: 0, token_threshold: 40, event_retention_size: 1 };
    expect(spans(turns(6), options)).toEqual(['0-11', '11']);
  });
});
