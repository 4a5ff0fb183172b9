// Tool-result retention, as its seed words it: rule by rule, and over messages of every provider.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { createBudget } from '../../core/tokens/budget.ts';
import { sha256 } from '../../core/util/hash.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { itemText } from '../../core/view/reader.ts';
import { projectedMessages, projectMessages, stagesOf, transcriptOf } from '../support/projecting.ts';

function pathsOf(spec: unknown): (string | undefined)[] {
  const parsed = parseSpec(spec, STAGES);
  const problems = parsed.ok ? parsed.value.warnings : parsed.error;
  return problems.map(({ where }) => where?.path);
}

const EXPIRED = '[result expired]';
const user = (content: unknown = 'q') => ({ role: 'user', content });
const call = (id: string, name: string) => ({ role: 'assistant', content: '', tool_calls: [{ id, name }] });
const result = (id: string, content: unknown = `body of ${id}`) => ({ role: 'tool', tool_call_id: id, content });
const retention = (options: object = {}) => ({ version: 1, stages: [{ kind: 'tool_result_retention', options }] });
/** One turn: a question, a call, its result. */
const turn = (id: string, name: string) => [user(), call(id, name), result(id)];

/** Ids of the calls whose results have expired. */
function expired(messages: readonly unknown[], options: object): string[] {
  return projectedMessages(messages, projectMessages(messages, retention(options))).flatMap((message) => {
    if (!isRecord(message)) return [];
    const { tool_call_id: id, content } = message;
    return content === EXPIRED && typeof id === 'string' ? [id] : [];
  });
}

const SEARCHES = ['a', 'b', 'c', 'd'].flatMap((id) => turn(id, 'search'));
const MIXED = [
  ...turn('a', 'search'),
  ...turn('b', 'read'),
  ...turn('c', 'search'),
  ...turn('d', 'read'),
  ...turn('e', 'list'),
];

describe('which results expire', () => {
  it.each([
    ['age: those with that many later turns', SEARCHES, { value: 2 }, ['a', 'b']],
    ['the default is 6 turns', [...SEARCHES, user(), user(), user()], {}, ['a']],
    ['age 0: all of them', SEARCHES, { value: 0 }, ['a', 'b', 'c', 'd']],
    ['count: all but the last ones of a tool', SEARCHES, { mode: 'count', value: 1 }, ['a', 'b', 'c']],
    ['counts are per tool', MIXED, { mode: 'count', value: 1 }, ['a', 'b']],
    ['count 0: all of them', MIXED, { mode: 'count', value: 0 }, ['a', 'b', 'c', 'd', 'e']],
    ['never: none', MIXED, { mode: 'never', value: 0 }, []],
    [
      'a tool’s rule replaces the default wholly',
      MIXED,
      { value: 1, per_tool: { read: { mode: 'count', value: 1 } } },
      ['a', 'b', 'c'],
    ],
    [
      'a tool’s rule without a value has the default’s 6',
      MIXED,
      { value: 1, per_tool: { read: { mode: 'age' } } },
      ['a', 'c'],
    ],
    [
      'never_evict is asked before a tool’s rule',
      MIXED,
      { value: 0, never_evict: ['read'], per_tool: { read: { mode: 'age', value: 0 } } },
      ['a', 'c', 'e'],
    ],
    [
      'never_evict in a tool’s row',
      MIXED,
      { value: 0, per_tool: { read: { never_evict: true, mode: 'age', value: 0 } } },
      ['a', 'c', 'e'],
    ],
    ['never_evict for a row', MIXED, { value: 0, per_tool: { read: 'never_evict' } }, ['a', 'c', 'e']],
    ['never_evict as a mode', MIXED, { value: 0, per_tool: { read: { mode: 'never_evict' } } }, ['a', 'c', 'e']],
    ['the default as an object', MIXED, { default: { mode: 'count', value: 1 } }, ['a', 'b']],
    ['a default that never evicts', MIXED, { default: { never_evict: true }, per_tool: { list: { value: 0 } } }, ['e']],
    [
      'mode and value stand above the default as an object',
      MIXED,
      { default: { mode: 'count', value: 1 }, mode: 'age', value: 3 },
      ['a', 'b'],
    ],
  ])('%s', (_name, messages, options, ids) => {
    expect(expired(messages, options)).toEqual(ids);
  });

  it('a user message of tool results alone is no turn, one that says more is', () => {
    const blocks = (...content: unknown[]) => ({ role: 'user', content });
    const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] };
    const answer = { type: 'tool_result', tool_use_id: 'a', content: 'A' };
    const only = [user(), use, blocks(answer), blocks({ type: 'tool_result', tool_use_id: 'x', content: 'X' })];
    expect(projectMessages(only, retention({ value: 1 })).redactedIndices).toEqual([]);
    const says = [
      ...only,
      blocks({ type: 'tool_result', tool_use_id: 'y', content: 'Y' }, { type: 'text', text: 'go' }),
    ];
    expect(projectMessages(says, retention({ value: 1 })).redactedIndices).toEqual([2, 3]);
  });

  it('a result of an unknown call takes the default, whatever it is called, and all of them count as one', () => {
    const orphan = (id: string, name: string) => ({ ...result(id), name });
    const messages = [...turn('a', 'read'), orphan('x', 'read'), orphan('y', 'list'), ...turn('b', 'read')];
    const options = { mode: 'count', value: 1, per_tool: { read: { mode: 'never' }, list: { mode: 'never' } } };
    expect(expired(messages, options)).toEqual(['x']);
  });

  it('a call that an earlier stage took out is unknown', () => {
    const cut = { kind: 'custom', options: { projector: '(m) => m' } };
    const stages = [cut, { kind: 'tool_result_retention', options: { value: 0, never_evict: ['read'] } }];
    const messages = [user(), call('a', 'read'), result('a')];
    const runUserCode = () =>
      ({ ok: true, resultJson: JSON.stringify([messages[0], messages[2]]), steps: 1, logs: [] }) as const;
    const projection = projectMessages(messages, { version: 1, stages }, { runUserCode });
    expect(projectedMessages(messages, projection)[1]).toEqual(result('a', EXPIRED));
  });

  it('parallel results of one turn are counted one after another', () => {
    const calls = {
      role: 'assistant',
      content: '',
      tool_calls: [
        { id: 'a', name: 't' },
        { id: 'b', name: 't' },
      ],
    };
    expect(expired([user(), calls, result('a'), result('b')], { mode: 'count', value: 1 })).toEqual(['a']);
  });
});

describe('acting only every few turns', () => {
  const at = (turns: number, options: object) =>
    expired(Array.from({ length: turns }, (_, i) => turn(`${i + 1}`, 'search')).flat(), options).map(Number);

  it('expires at turns that are a multiple, and nothing in between', () => {
    const by = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((turns) => at(turns, { value: 2, every: 3 }).length);
    // As of turn 3: turn 1 is 2 turns old. As of turn 6: turns 1 to 4 are.
    expect(by).toEqual([0, 0, 1, 1, 1, 4, 4, 4, 7]);
  });

  it('counts results as of that turn', () => {
    expect(at(7, { mode: 'count', value: 1, every: 3 })).toEqual([1, 2, 3, 4]);
  });

  it('says so', () => {
    const messages = Array.from({ length: 4 }, (_, i) => turn(`${i}`, 'search')).flat();
    const { fates } = projectMessages(messages, retention({ value: 1, every: 3 }));
    expect([fates[2]?.reason, fates[8]?.reason, fates[11]?.reason]).toEqual([
      'expired: 2 ≥ 1 turn, as of turn 3',
      'kept: retention acts every 3 turns, last at turn 3, before this result; next at turn 6',
      'kept: retention acts every 3 turns, last at turn 3, before this result; next at turn 6',
    ]);
  });
});

describe('what is left of a result', () => {
  it.each([
    ['a string', result('a'), result('a', EXPIRED)],
    ['blocks', result('a', [{ type: 'text', text: 'A' }, { type: 'image' }]), result('a', EXPIRED)],
    [
      'an error keeps its flag',
      { ...result('a', 'Error: no'), is_error: true },
      { ...result('a', EXPIRED), is_error: true },
    ],
    [
      'pi asks for blocks',
      { role: 'toolResult', toolCallId: 'a', toolName: 't', content: [{ type: 'text', text: 'A' }], details: { n: 1 } },
      {
        role: 'toolResult',
        toolCallId: 'a',
        toolName: 't',
        content: [{ type: 'text', text: EXPIRED }],
        details: { n: 1 },
      },
    ],
    [
      'a block among others',
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'A' },
          { type: 'text', text: 'and' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: EXPIRED },
          { type: 'text', text: 'and' },
        ],
      },
    ],
    [
      'Gemini',
      { role: 'user', parts: [{ functionResponse: { name: 't', response: { rows: [1, 2] } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 't', response: { output: EXPIRED } } }] },
    ],
  ])('%s', (_name, before, after) => {
    const projection = projectMessages([before], retention({ value: 0 }));
    expect(projectedMessages([before], projection)).toEqual([after]);
    expect(projection.fates[0]).toMatchObject({ kind: 'redacted', rule: 'result_expired' });
  });

  it('every other byte stays', () => {
    const text = '{ "role":"tool", "n": 1.0, "tool_call_id" : "a","content":"A", "big":12345678901234567890 }';
    const source = memorySource([text]);
    const { view } = project(source, stagesOf(retention({ value: 0 })), 1);
    expect(itemText(view.items[0]!, source)).toBe(text.replace('"A"', `"${EXPIRED}"`));
  });

  it('a result without a body, or expired before, stays', () => {
    const messages = [{ role: 'tool', tool_call_id: 'a' }, result('b', EXPIRED)];
    const { view, fates } = projectMessages(messages, retention({ value: 0 }));
    expect(view.items.every((item) => item.text === undefined)).toBe(true);
    expect(fates.map(({ reason }) => reason)).toEqual(
      Array(2).fill('kept: expired before, or without a body; nothing is left to take'),
    );
  });
});

describe('pointers to what has gone', () => {
  it('lead to the raw body, and name call, tool, size and reason', () => {
    const body = 'ü'.repeat(100);
    const messages = [user(), call('a', 'read'), result('a', body)];
    const projection = projectMessages(messages, retention({ value: 0 }));
    expect(projection.fates[2]?.pointers).toEqual([
      {
        policy: 'tool_result_retention',
        source: 'transcript.messages[2].content',
        source_index: 2,
        source_block_index: null,
        content_hash: `sha256:${sha256().update(body).hex()}`,
        content_chars: 100,
        estimated_tokens_reclaimed: 21,
        tool_call_id: 'a',
        tool_name: 'read',
        reason: 'result_expired',
      },
    ]);
    expect(projection.pointers).toEqual(projection.fates[2]?.pointers);
    expect(JSON.parse(JSON.stringify(projection)).pointers).toEqual(projection.pointers);
  });

  it('of blocks, one each; none for what stays', () => {
    const block = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `body of ${id}` });
    const uses = ['a', 'b', 'c'].map((id) => ({ type: 'tool_use', id, name: id === 'b' ? 'keep' : 'read', input: {} }));
    const messages = [
      user(),
      { role: 'assistant', content: uses },
      { role: 'user', content: [block('a'), block('b'), block('c')] },
    ];
    const { pointers } = projectMessages(messages, retention({ value: 0, never_evict: ['keep'] }));
    expect(pointers.map(({ source, tool_name }) => [source, tool_name])).toEqual([
      ['transcript.messages[2].content[0].content', 'read'],
      ['transcript.messages[2].content[2].content', 'read'],
    ]);
  });

  it('are hashed when they are read, not before', () => {
    let hashed = 0;
    const counting = () => {
      hashed++;
      return sha256();
    };
    const source = transcriptOf([user(), call('a', 'read'), result('a')]);
    const projection = project(source, stagesOf(retention({ value: 0 })), source.length, { sha256: counting });
    expect(hashed).toBe(0);
    expect([projection.pointers.length, projection.fates[2]?.pointers?.length, hashed]).toEqual([1, 1, 1]);
  });

  it('stay when another stage edits the message too', () => {
    const stages = [
      { kind: 'tool_result_retention', options: { value: 0 } },
      { kind: 'hygiene', options: { profile: 'anthropic' } },
    ];
    const use = { type: 'tool_use', id: 'a b', name: 'read', input: {} };
    const answer = { type: 'tool_result', tool_use_id: 'a b', content: 'A' };
    const messages = [user(), { role: 'assistant', content: [use] }, { role: 'user', content: [answer] }];
    const [, , fate] = projectMessages(messages, { version: 1, stages }).fates;
    expect(fate?.reason).toMatch(/^expired: .*; then: /);
    expect(fate?.pointers?.map(({ source }) => source)).toEqual(['transcript.messages[2].content[0].content']);
  });
});

describe('a cap on tool results', () => {
  const messages = ['a', 'b', 'c'].flatMap((id) => [
    user(),
    call(id, id === 'b' ? 'keep' : 'read'),
    result(id, 'x'.repeat(400)),
  ]);
  const run = (cap: number, options: object = {}) => {
    const budget = createBudget({
      window: 10_000,
      reserveOutput: 0,
      injectionReserve: 0,
      caps: { tool_result: { tokens: cap } },
    });
    const source = transcriptOf(messages);
    return project(source, stagesOf(retention(options)), source.length, { budget });
  };

  it('lets the oldest go before their time, until the rest is under it', () => {
    expect(run(300).redactedIndices).toEqual([]);
    expect(run(299).redactedIndices).toEqual([2]);
    expect(run(150).redactedIndices).toEqual([2, 5]);
    expect(run(0).redactedIndices).toEqual([2, 5, 8]);
  });

  it('leaves durable facts alone, and says that they are too much', () => {
    const { redactedIndices, fates, problems } = run(50, { never_evict: ['keep'] });
    expect(redactedIndices).toEqual([2, 8]);
    expect(fates[5]?.reason).toBe(
      'kept: results of keep never expire (never_evict); all results take 108 tokens > their cap of 50',
    );
    expect(problems).toMatchObject([{ code: 'retention.over_cap', where: { path: 'budget.caps.tool_result' } }]);
    expect(problems[0]?.text).toContain('108 tokens, 58 over their cap of 50');
  });

  it('says so in the fate', () => {
    expect(run(299).fates[2]).toMatchObject({
      rule: 'over_tier_cap',
      reason:
        'expired early: tool results take 300 tokens, over their cap of 299; the oldest go first, this one of 100',
    });
  });
});

describe('every message is explained', () => {
  it('with the rule, the value and the threshold', () => {
    const { fates } = projectMessages(
      MIXED,
      retention({ value: 3, per_tool: { read: { mode: 'count', value: 1 } }, never_evict: ['list'] }),
    );
    expect(fates.map(({ reason }) => reason).filter((reason) => !reason.includes('no tool result'))).toEqual([
      'expired: 4 ≥ 3 turns',
      'expired: 1 ≥ 1 later result of read (rule of read)',
      'kept: younger than 3 turns (2)',
      'kept: fewer than 1 later result of read (0) (rule of read)',
      'kept: results of list never expire (never_evict)',
    ]);
  });
});

describe('options', () => {
  it.each([
    [{ mode: 'old' }, 'stages[0].options.mode'],
    [{ default: { mode: 'old' } }, 'stages[0].options.default.mode'],
    [{ default: { value: -1 } }, 'stages[0].options.default.value'],
    [{ per_tool: { read: { value: 'x' } } }, 'stages[0].options.per_tool.read.value'],
    [{ per_tool: { read: 3 } }, 'stages[0].options.per_tool.read'],
    [{ per_tool: ['read'] }, 'stages[0].options.per_tool'],
    [{ never_evict: [1] }, 'stages[0].options.never_evict'],
    [{ every: 0 }, 'stages[0].options.every'],
  ])('%j is refused at %s', (options, path) => {
    expect(() => stagesOf(retention(options))).toThrow();
    expect(pathsOf(retention(options))).toEqual([path]);
  });

  it('warns of what has no effect', () => {
    expect(pathsOf(retention({ evry: 2, per_tool: { read: { mod: 1 } } })).sort()).toEqual([
      'stages[0].options.evry',
      'stages[0].options.per_tool.read.mod',
    ]);
  });
});
