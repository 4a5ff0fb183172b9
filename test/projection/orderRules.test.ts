import { describe, expect, it } from 'vitest';
import { orderWarnings } from '../../core/projection/orderRules.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { PRESETS, presetsFor } from '../../core/projection/presets.ts';
import { STAGES } from '../../core/projection/stages.ts';

const FAMILY: Readonly<Record<string, string>> = {
  recorded_compaction: 'recorded',
  reachability_gc: 'harn',
  clean_tool_repair: 'harn',
  raw: 'harn',
  tool_result_retention: 'reducers',
  sliding_window: 'reducers',
  summary: 'reducers',
  injection: 'reducers',
  clear_tool_uses: 'vendors',
  hygiene: 'hygiene',
};

/** Stages by kind; a kind with `-` in front is switched off. */
const stages = (...kinds: readonly string[]) =>
  kinds.map((given) => {
    const kind = given.replace('-', '');
    return {
      kind,
      family: FAMILY[kind] ?? 'unknown',
      title: kind,
      enabled: kind === given,
      traits: STAGES.traitsOf(kind),
    };
  });

const found = (...kinds: readonly string[]) =>
  orderWarnings(stages(...kinds)).map(({ code, where }) => `${where?.path} ${code}`);

describe('the order of stages', () => {
  it.each<readonly [readonly string[], readonly string[]]>([
    [[], []],
    [['raw'], []],
    [['recorded_compaction', 'clean_tool_repair', 'reachability_gc', 'sliding_window', 'injection', 'hygiene'], []],
    [['reachability_gc', 'clean_tool_repair'], []],
    [['sliding_window', 'clear_tool_uses', 'sliding_window'], []],
    [['tool_result_retention', 'sliding_window', 'summary'], []],
    [['summary', 'sliding_window'], ['stages[1] spec.dear_before_cheap']],
    [
      ['summary', 'sliding_window', 'tool_result_retention'],
      ['stages[1] spec.dear_before_cheap', 'stages[2] spec.dear_before_cheap'],
    ],
    [['-summary', 'sliding_window'], []],
    [['anthropic_clear_thinking', 'anthropic_clear_tool_uses'], []],
    [['anthropic_clear_tool_uses', 'anthropic_clear_thinking'], ['stages[1] spec.edit_order']],
    [['-anthropic_clear_tool_uses', 'anthropic_clear_thinking'], []],
    [['clean_tool_repair', 'recorded_compaction'], ['stages[1] spec.order']],
    [['sliding_window', 'reachability_gc'], ['stages[1] spec.order']],
    [['clear_tool_uses', 'clean_tool_repair'], ['stages[1] spec.order']],
    [['injection', 'sliding_window'], ['stages[1] spec.order']],
    [['hygiene', 'reachability_gc'], ['stages[1] spec.after_hygiene']],
    [['hygiene', 'injection'], ['stages[1] spec.after_hygiene']],
    [['hygiene', 'hygiene'], []],
    [['recorded_compaction', 'recorded_compaction'], ['stages[1] spec.recorded_twice']],
    [['raw', 'reachability_gc'], ['stages[0] spec.raw_among_others']],
    [['hygiene', '-reachability_gc'], []],
    [['-hygiene', 'reachability_gc'], []],
    [['-recorded_compaction', 'recorded_compaction'], []],
    [['-reachability_gc', 'raw'], []],
    [['hygiene', 'something_else'], []],
    [
      ['hygiene', 'sliding_window', 'recorded_compaction', 'clean_tool_repair'],
      ['stages[1] spec.after_hygiene', 'stages[2] spec.after_hygiene', 'stages[3] spec.after_hygiene'],
    ],
  ])('%j: %j', (kinds, expected) => {
    expect(found(...kinds)).toEqual(expected);
  });

  it('names both stages, and why', () => {
    const [warning] = orderWarnings(stages('sliding_window', 'reachability_gc'));
    expect(warning?.text).toBe(
      'reachability_gc (stage 2) comes after sliding_window (stage 1): it looks for what the history refers to, and finds only what the earlier stage has left of it.',
    );
    expect(warning?.severity).toBe('warning');
  });

  it('is told with a parsed spec, which runs all the same', () => {
    const parsed = parseSpec({ version: 1, stages: ['hygiene', 'reachability_gc'] }, STAGES);
    expect(parsed.ok && parsed.value.stages.map(({ kind }) => kind)).toEqual(['hygiene', 'reachability_gc']);
    expect(parsed.ok && parsed.value.warnings.map(({ code }) => code)).toEqual(['spec.after_hygiene']);
  });

  it('is kept by every preset', () => {
    for (const preset of [...presetsFor(PRESETS, false), ...presetsFor(PRESETS, true, true)]) {
      const parsed = parseSpec(preset.spec, STAGES);
      expect([preset.name, parsed.ok && parsed.value.warnings]).toEqual([preset.name, []]);
    }
  });
});
