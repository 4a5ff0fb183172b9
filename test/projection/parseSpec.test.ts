import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { createRegistry, registered } from '../../core/projection/registry.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { raw } from '../../core/stages/harn/index.ts';

const KINDS = STAGES.stages.map(({ kind }) => kind).join(', ');

/** `path: text` of every problem. */
function problemsOf(input: unknown): string[] {
  const parsed = parseSpec(input, STAGES);
  const problems = parsed.ok ? parsed.value.warnings : parsed.error;
  return problems.map((problem) => `${problem.where?.path}: ${problem.text}`);
}

describe('what is a spec', () => {
  it.each([
    ['clean_tool_repair', 'clean_tool_repair', {}],
    ['context_gc', 'reachability_gc', {}],
    ['', 'raw', {}],
    ['identity', 'raw', {}],
    [null, 'raw', {}],
    [{}, 'raw', {}],
    [{ policy: 'summary_prefix', keep_last: 3 }, 'summary_prefix', { keep_last: 3 }],
    [{ kind: 'raw', strategy: 'custom' }, 'raw', {}],
    [{ strategy: 'squash_failed_calls' }, 'squash_failed_calls', {}],
    [{ policy: null, kind: 'tool_result_gc', min_chars: 1 }, 'reachability_gc', { min_chars: 1 }],
    [{ version: 1, stages: [{ kind: 'raw', options: { reason: 'x' } }] }, 'raw', { reason: 'x' }],
    [{ version: 1, stages: ['clean_tool_repair'] }, 'clean_tool_repair', {}],
  ])('%j → one stage %s %j', (input, kind, options) => {
    const parsed = parseSpec(input, STAGES);
    expect(parsed).toMatchObject({
      ok: true,
      value: { spec: { version: 1, stages: [{ kind, options }] }, warnings: [] },
    });
  });

  it('keeps name, tokenizer, window, order and what is off', () => {
    const spec = {
      version: 1,
      name: 'both',
      tokenizer: 'o200k_base',
      window: 1000,
      stages: [
        { kind: 'raw', enabled: false, options: {} },
        { kind: 'reachability_gc', options: { root_window: 3 } },
      ],
    };
    const parsed = parseSpec(spec, STAGES);
    expect(parsed.ok && parsed.value.spec).toEqual(spec);
    expect(parsed.ok && parsed.value.stages.map((stage) => stage.enabled)).toEqual([false, true]);
  });

  it('is the same when it has been through JSON and parsed again', () => {
    for (const input of ['raw', { policy: 'context_gc', roots: ['a'] }, { version: 1, stages: [] }]) {
      const first = parseSpec(input, STAGES);
      const again = first.ok ? parseSpec(JSON.parse(JSON.stringify(first.value.spec)), STAGES) : first;
      expect(first.ok && again.ok && again.value.spec).toEqual(first.ok && first.value.spec);
    }
  });
});

it.each([9007199254740991, 2 ** 63, 1e300])('a count may be as large as %d', (count) => {
  expect(problemsOf({ policy: 'summary_prefix', keep_last: count })).toEqual([]);
});

it.each([
  ['retention', 0],
  ['tier_caps', 0],
  ['sliding_window', 0],
  ['summary', 0],
  ['retention', 1.5],
])('%s does not act every %d turns: the spec says so', (kind, every) => {
  expect(problemsOf({ version: 1, stages: [{ kind, options: { every } }] })).toEqual([
    `stages[0].options.every: Option every must be a whole number, 1 or more; given: ${every} (number).`,
  ]);
});

describe('errors name what was given and what is accepted', () => {
  it.each([
    ['nonsense', [`policy: Unknown policy: "nonsense" (string). Accepted: ${KINDS}.`]],
    [{ kind: 7 }, [`kind: Unknown policy: 7 (number). Accepted: ${KINDS}.`]],
    [7, [": A spec must be an object, or a policy's name; given: 7 (number)."]],
    [[], [": A spec must be an object, or a policy's name; given: [] (list)."]],
    [
      { policy: 'context_gc', root_window: -1 },
      ['root_window: Option root_window must be a whole number, 0 or more; given: -1 (number).'],
    ],
    [
      { policy: 'context_gc', recent_messages: 1.5 },
      ['recent_messages: Option recent_messages must be a whole number, 0 or more; given: 1.5 (number).'],
    ],
    [
      { policy: 'context_gc', min_reclaim_chars: '9' },
      ['min_reclaim_chars: Option min_reclaim_chars must be a whole number, 0 or more; given: "9" (string).'],
    ],
    [
      { policy: 'context_gc', require_barrier: 1 },
      ['require_barrier: Option require_barrier must be true or false; given: 1 (number).'],
    ],
    [
      { policy: 'context_gc', barrier_refs: 1 },
      ['barrier_refs: Option barrier_refs must be a string, a list or an object; given: 1 (number).'],
    ],
    [
      { policy: 'summary_prefix', keep_last: -2, summary: [] },
      [
        'keep_last: Option keep_last must be a whole number, 0 or more; given: -2 (number).',
        'summary: Option summary must be a string; given: [] (list).',
      ],
    ],
    [
      { policy: 'raw', respect_provider_signatures: 'no' },
      ['respect_provider_signatures: Option respect_provider_signatures must be true or false; given: "no" (string).'],
    ],
    [
      { policy: 'custom' },
      ['projector: Option projector is required for policy custom: the source of a function of the messages.'],
    ],
    [{ policy: 'custom', custom: 3 }, ['custom: Option custom must be a string; given: 3 (number).']],
    [
      { version: 2, stages: [] },
      ['version: version must be 1; given: 2 (number). It was written by a newer version of the program.'],
    ],
    [{ stages: [] }, ['version: version must be 1; given: undefined (undefined).']],
    [{ version: 1 }, ['stages: stages must be a list; given: undefined (undefined).']],
    [
      {
        version: 1,
        stages: [
          3,
          { kind: 'raw', enabled: 'no' },
          { kind: 'raw', options: 1 },
          { kind: 'context_gc', options: { min_chars: -1 } },
        ],
      },
      [
        'stages[0]: A stage must be an object with a kind; given: 3 (number).',
        'stages[1].enabled: enabled must be true or false; given: "no" (string).',
        'stages[2].options: options must be an object; given: 1 (number).',
        'stages[3].options.min_chars: Option min_chars must be a whole number, 0 or more; given: -1 (number).',
      ],
    ],
    [
      { version: 1, stages: [], window: 0 },
      ['window: window must be a whole number of tokens, 1 or more; given: 0 (number).'],
    ],
  ])('%j', (input, expected) => {
    expect(parseSpec(input, STAGES).ok).toBe(false);
    expect(problemsOf(input)).toEqual(expected);
  });

  it('an option without effect is a warning, not an error', () => {
    const parsed = parseSpec({ policy: 'context_gc', rootwindow: 3 }, STAGES);
    expect(parsed.ok && parsed.value.warnings).toMatchObject([
      { code: 'spec.unknown_option', where: { path: 'rootwindow' } },
    ]);
  });

  it('options of another policy are passed over, as Harn does', () => {
    expect(problemsOf({ policy: 'raw', keep_last: 2, min_chars: -1 })).toEqual([]);
  });
});

it('a registry refuses a name used twice', () => {
  expect(() => createRegistry([registered(raw), registered(raw)])).toThrow('two stages are called "raw"');
});

describe('the descriptions of options agree with the parser', () => {
  const withOptions = STAGES.stages.filter(({ params }) => params.length > 0);
  it.each(withOptions.map((stage) => [stage.kind, stage] as const))('%s', (kind, stage) => {
    const names = stage.params.flatMap((param) => [param.name, ...(param.aliases ?? [])]);
    expect(new Set(names).size).toBe(names.length);
    // A list may be one value, of message numbers too: 3 would be one.
    const isBelowZero = new Set(['integer', 'number', 'list']);
    const wrong = Object.fromEntries(stage.params.map(({ name, type }) => [name, isBelowZero.has(type) ? -1 : 3]));
    const { bound, problems } = stage.bind(wrong);
    expect(bound, kind).toBeNull();
    expect(problems.map((problem) => problem.where?.path).sort()).toEqual(
      stage.params.map((param) => param.name).sort(),
    );
  });
});
