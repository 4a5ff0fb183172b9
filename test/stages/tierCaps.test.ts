// Caps on images, thinking and calls: what goes, what must stay, in the messages of every provider, and what is said of it.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { callPoints } from '../../core/model/turns.ts';
import { project } from '../../core/projection/project.ts';
import type { Projection } from '../../core/projection/types.ts';
import { createBudget, type Tier } from '../../core/tokens/budget.ts';
import { seededRng } from '../../core/util/rng.ts';
import { itemText } from '../../core/view/reader.ts';
import { explanationFaults } from '../support/explained.ts';
import { checkProjection, coldContext, sampled } from '../support/lawful.ts';
import { projectedMessages, stagesOf, transcriptOf } from '../support/projecting.ts';
import { SHAPES } from '../support/randomTranscript.ts';
import { IMAGE_BLOCKS, PIXEL, randomTierTranscript } from '../support/tierParts.ts';

type Caps = Readonly<Partial<Record<Tier, number>>>;

const budgetOf = (caps: Caps) =>
  createBudget({
    window: 100_000,
    reserveOutput: 0,
    injectionReserve: 0,
    caps: Object.fromEntries(Object.entries(caps).map(([tier, tokens]) => [tier, { tokens }])),
  });
const spec = (options: object) => ({ version: 1, stages: [{ kind: 'tier_caps', options: { keep: 0, ...options } }] });

function run(messages: readonly unknown[], caps: Caps, options: object = {}): Projection {
  const source = transcriptOf(messages);
  return project(source, stagesOf(spec(options)), source.length, { budget: budgetOf(caps) });
}

/** The messages after the stage. */
const remaining = (messages: readonly unknown[], caps: Caps, options: object = {}) =>
  projectedMessages(messages, run(messages, caps, options));

const user = (content: unknown = 'q') => ({ role: 'user', content });
const says = (...content: readonly unknown[]) => ({ role: 'assistant', content });
const text = (words: string) => ({ type: 'text', text: words });
const thinks = (thinking: string, more: object = {}) => ({ type: 'thinking', thinking, ...more });
const uses = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const LONG = 'x'.repeat(400);
const LABEL = '[image evicted: image/png, 1×1, over the cap on images]';
const LINKED = '[image evicted: image, linked, over the cap on images]';

describe('an image over the cap becomes a line of text', () => {
  it.each<[string, object, object]>([
    ['Anthropic', IMAGE_BLOCKS.anthropic, text(LABEL)],
    ['Anthropic, a link', IMAGE_BLOCKS.anthropicLink, text(LINKED)],
    ['OpenAI', IMAGE_BLOCKS.openai, text(LABEL)],
    ['OpenAI, a link', { type: 'image_url', image_url: { url: 'https://example.org/a.png' } }, text(LINKED)],
    ['Responses', IMAGE_BLOCKS.responses, { type: 'input_text', text: LABEL }],
    ['pi', IMAGE_BLOCKS.pi, text(LABEL)],
    [
      'a type that its bytes belie',
      { type: 'image', data: PIXEL, mimeType: 'image/jpeg' },
      text('[image evicted: image/png, 1×1, over the cap on images]'),
    ],
    [
      'bytes that tell nothing',
      { type: 'image', data: 'AAAAAAAA', mimeType: 'image/heic' },
      text('[image evicted: image/heic, 6 bytes, over the cap on images]'),
    ],
    [
      'the mark of a cache stays',
      { ...IMAGE_BLOCKS.anthropic, cache_control: { type: 'ephemeral', ttl: '1h' } },
      { ...text(LABEL), cache_control: { type: 'ephemeral', ttl: '1h' } },
    ],
  ])('%s', (_name, block, expected) => {
    const messages = [user([text('see'), block])];
    expect(remaining(messages, { image: 0 })).toEqual([user([text('see'), expected])]);
  });

  it('Gemini', () => {
    const message = { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: PIXEL } }, { text: 'see' }] };
    expect(remaining([message], { image: 0 })).toEqual([{ role: 'user', parts: [{ text: LABEL }, { text: 'see' }] }]);
    const linked = { role: 'user', parts: [{ file_data: { mime_type: 'image/webp', file_uri: 'gs://a' } }] };
    expect(remaining([linked], { image: 0 })).toEqual([
      { role: 'user', parts: [{ text: '[image evicted: image/webp, linked, over the cap on images]' }] },
    ]);
  });

  it('every other byte stays', () => {
    const image = JSON.stringify(IMAGE_BLOCKS.anthropic);
    const given = `{ "role":"user", "n": 1.0, "content" : [ ${image} , {"type":"text","text":"a"} ], "big":12345678901234567890 }`;
    const source = memorySource([given]);
    const { view } = project(source, stagesOf(spec({})), 1, { budget: budgetOf({ image: 0 }) });
    expect(itemText(view.items[0]!, source)).toBe(given.replace(image, JSON.stringify(text(LABEL))));
  });

  it('the oldest first, until the rest is under the cap', () => {
    const messages = [1, 2, 3].map(() => user([IMAGE_BLOCKS.anthropic]));
    // An image of unknown size counts as 765 here; the line in its place is none.
    const by = [2295, 2294, 1530, 1529, 765, 764].map((image) => run(messages, { image }).redactedIndices);
    expect(by).toEqual([[], [0], [0], [0, 1], [0, 1], [0, 1, 2]]);
  });

  it('keep holds the newest, every lets them go some at a time', () => {
    const messages = Array.from({ length: 5 }, () => user([IMAGE_BLOCKS.anthropic]));
    expect(run(messages, { image: 0 }, { keep: 2 }).redactedIndices).toEqual([0, 1, 2]);
    expect(run(messages, { image: 3800 }, { every: 3 }).redactedIndices).toEqual([0, 1, 2]);
    expect(run(messages, { image: 3800 }, { every: 3, keep: 3 }).redactedIndices).toEqual([0, 1]);
    expect(run(messages, { image: 0 }, { keep: 9 }).redactedIndices).toEqual([]);
  });

  it('parts are told, and one that stays is not', () => {
    const messages = [user([IMAGE_BLOCKS.anthropic, text('and'), IMAGE_BLOCKS.openai])];
    const { fates } = run(messages, { image: 800 });
    expect(fates[0]).toMatchObject({ kind: 'redacted', rule: 'over_tier_cap', parts: [{ part: 0, kind: 'redacted' }] });
    expect(fates[0]?.reason).toBe(
      'image evicted: images take 1,530 tokens, over the cap of 800; the oldest go first, this one of 765',
    );
  });
});

describe('thinking over the cap goes', () => {
  it.each<[string, unknown, unknown]>([
    ['a block', says(thinks(LONG), text('a')), says(text('a'))],
    ['all blocks of a message', says(thinks(LONG), text('a'), thinks('more')), says(text('a'))],
    [
      'a field beside the content',
      { role: 'assistant', content: 'a', reasoning_content: LONG },
      { role: 'assistant', content: 'a' },
    ],
    [
      'OpenRouter’s field, beside calls too',
      { role: 'assistant', content: '', reasoning: LONG, tool_calls: [{ id: 'a', name: 't' }] },
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 't' }] },
    ],
    [
      'Gemini',
      { role: 'model', parts: [{ text: LONG, thought: true }, { text: 'a' }] },
      { role: 'model', parts: [{ text: 'a' }] },
    ],
  ])('%s', (_name, given, expected) => {
    expect(remaining([user(), given], { thinking: 0 })).toEqual([user(), expected]);
  });

  it.each<[string, unknown]>([
    ['signed', says(thinks(LONG, { signature: 's' }), text('a'))],
    [
      'signed beside the content',
      { role: 'assistant', content: 'a', reasoning_content: LONG, thinking_signature: 's' },
    ],
    [
      'DeepSeek wants that of answers with calls back',
      { role: 'assistant', content: '', reasoning_content: LONG, tool_calls: [{ id: 'a', name: 't' }] },
    ],
  ])('but not: %s', (_name, given) => {
    expect(remaining([user(), given], { thinking: 0 })).toEqual([user(), given]);
    // Of earlier turns on request; of the last one never.
    expect(remaining([user(), given], { thinking: 0 }, { signed_thinking: true })).toEqual([user(), given]);
    const earlier = remaining([user(), given, user()], { thinking: 0 }, { signed_thinking: true });
    expect(JSON.stringify(earlier)).not.toContain(LONG);
  });

  it('a call that Gemini signed keeps what stands beside it', () => {
    const call = { functionCall: { name: 't', args: { a: LONG } }, thoughtSignature: 's' };
    const given = { role: 'model', parts: [{ text: LONG, thought: true }, call] };
    const messages = [user(), given, user()];
    expect(remaining(messages, { thinking: 0, tool_call: 0 }, { signed_thinking: true })).toEqual(messages);
  });

  it('a message that was nothing else goes with it', () => {
    const { fates, view } = run([user(), says(thinks(LONG)), says(text('a'))], { thinking: 0 });
    expect(view.items).toHaveLength(2);
    expect(fates[1]).toMatchObject({ kind: 'dropped', rule: 'over_tier_cap' });
    expect(fates[1]?.reason).toContain('nothing else was in the message');
  });
});

describe('arguments of calls over the cap are emptied', () => {
  it.each<[string, unknown, unknown]>([
    ['Anthropic', says(uses('a', 't', { path: LONG })), says(uses('a', 't', {}))],
    [
      'OpenAI',
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 't', arguments: `{"p":"${LONG}"}` } }] },
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 't', arguments: '{}' } }] },
    ],
    [
      'Gemini',
      { role: 'model', parts: [{ functionCall: { name: 't', args: { p: LONG } } }] },
      { role: 'model', parts: [{ functionCall: { name: 't', args: {} } }] },
    ],
  ])('%s', (_name, given, expected) => {
    expect(remaining([given], { tool_call: 0 })).toEqual([expected]);
  });

  it('the oldest first; never those of durable tools, nor in turns with signed reasoning', () => {
    const call = (id: string, name: string, ...more: readonly unknown[]) =>
      says(...more, uses(id, name, { path: LONG }));
    const messages = [
      call('a', 'write'),
      call('b', 'read'),
      call('c', 'read', thinks('', { signature: 's' })),
      call('d', 'read'),
    ];
    const { fates } = run(messages, { tool_call: 0 }, { never_evict: ['write'] });
    expect(fates.map(({ kind, rule }) => [kind, rule])).toEqual([
      ['kept', 'locked_never_evict'],
      ['rewritten', 'over_tier_cap'],
      ['kept', 'locked_signed'],
      ['rewritten', 'over_tier_cap'],
    ]);
  });
});

describe('what is said', () => {
  it('without a cap, and under it', () => {
    const messages = [user([IMAGE_BLOCKS.anthropic])];
    const summaries = [run(messages, {}), run(messages, { image: 765 })].map(({ reports }) => reports[0]?.summary);
    expect(summaries).toEqual([
      'no cap on images, thinking or calls is set: caps are part of the budget',
      'within the caps',
    ]);
    expect(run(messages, { image: 765 }).fates[0]?.reason).toBe('kept: images take 765 tokens ≤ 765, their cap');
  });

  it('of a tier that is over its cap still: by how much, what holds it, and what would help', () => {
    const messages = [
      user(),
      says(thinks(LONG, { signature: 's' }), text('a')),
      says(thinks(LONG), text('b')),
      says(thinks(LONG), text('c')),
    ];
    const advice = (last: readonly unknown[]) =>
      run([...messages, ...last], { thinking: 150 }, { keep: 1 }).problems[0]?.text;
    const { problems, reports } = run(messages, { thinking: 150 }, { keep: 1 });
    expect(reports[0]?.summary).toBe('1 thought evicted');
    expect(problems).toMatchObject([{ code: 'caps.still_over', severity: 'warning' }]);
    expect(problems[0]?.text).toBe(
      'Thinking takes 200 tokens, 50 over the cap of 150; nothing more can go: the newest 1 stay (keep), 100 are in turns with signed reasoning. Lower keep, raise the cap, or let turns go from a window.',
    );
    expect(advice([user()])).toContain('Turn on signed_thinking for 100 tokens of earlier turns, lower keep,');
  });
});

describe('before a window', () => {
  it('parts go first, and whole turns only where parts do not suffice', () => {
    const turn = (...content: readonly unknown[]) => [user(), says(...content, text('a'))];
    const messages = [
      ...turn(thinks(LONG, { signature: 's' })),
      ...turn(thinks(LONG)),
      ...turn(thinks(LONG)),
      ...turn(uses('a', 't', {})),
    ];
    const source = transcriptOf(messages);
    const gone = (thinking: number, ...stages: readonly string[]) => {
      const given = { budget: budgetOf({ thinking }) };
      const { fates } = project(source, stagesOf({ version: 1, stages }), source.length, given);
      return fates.flatMap(({ kind, stage }, index) => (kind === 'kept' ? [] : [`#${index} ${kind} by ${stage}`]));
    };
    expect(gone(250, 'sliding_window')).toEqual(['#0 dropped by 0', '#1 dropped by 0']);
    expect(gone(250, 'tier_caps', 'sliding_window')).toEqual(['#3 rewritten by 0']);
    // The one that is signed stays with its turn, until that goes.
    expect(gone(150, 'tier_caps', 'sliding_window')).toEqual([
      '#0 dropped by 1',
      '#1 dropped by 1',
      '#3 rewritten by 0',
    ]);
  });
});

describe('whatever the transcript and the options', () => {
  it('keeps the laws, and explains every message; signed turns stay', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const shape = SHAPES[seed % SHAPES.length]!;
      const source = memorySource(
        randomTierTranscript({ seed, turns: 14, shape, broken: seed % 3 === 0, signed: true }),
      );
      const rng = seededRng(seed * 7919);
      const options = {
        keep: rng.below(3),
        every: rng.pick([1, 1, 3]),
        signed_thinking: rng.chance(),
        never_evict: rng.chance() ? ['read'] : [],
      };
      const caps = { image: rng.pick([0, 900, 3000]), thinking: rng.pick([0, 80]), tool_call: rng.pick([0, 50]) };
      const stages = stagesOf(spec(options));
      const why = `replay: seed ${seed}, shape ${shape}, ${JSON.stringify({ options, caps })}`;
      const budget = budgetOf(caps);
      for (const at of sampled(callPoints(source), 4)) {
        const { fates } = project(source, stages, at, { budget });
        expect(explanationFaults(stages, fates), `${why}, at ${at}`).toEqual([]);
        expect(checkProjection(source, stages, at, coldContext(budget)), `${why}, at ${at}`).toEqual([]);
        for (const [index, { kind }] of fates.entries()) {
          if (source.facts(index).signed && !options.signed_thinking) expect(kind, `${why}, #${index}`).toBe('kept');
        }
      }
    }
  });
});
