import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { LintFindingInfo, LintInfo } from '../../core/protocol/types.ts';
import { applyProfile, applyRule, namesIn } from '../../renderer/lint/applyRepair.ts';
import { groupFindings, otherRepairs } from '../../renderer/lint/groups.ts';
import { chosenFinding, resolveChoice } from '../../renderer/lint/repairChoice.ts';
import { describeFinding, describeOutcome, repairTexts } from '../../renderer/lint/repairText.ts';
import { targetTitle } from '../../renderer/lint/target.ts';
import { OWN_TARGET } from '../../renderer/state/initial.ts';

const ANTHROPIC = { provider: 'anthropic', api: 'anthropic-messages', model: '' };
const GC = { kind: 'reachability_gc' };

const spec = (...stages: ProjectionSpec['stages']): ProjectionSpec => ({ version: 1, stages });
const hygiene = (options?: Record<string, unknown>) => ({ kind: 'hygiene', ...(options && { options }) });

describe('a rule put into the policy', () => {
  it.each<readonly [string, ProjectionSpec, readonly unknown[]]>([
    ['no hygiene stage: one is added that runs it alone', spec(GC), [GC, hygiene({ only: ['pairing'] })]],
    ['rules one by one: one more', spec(hygiene({ only: 'images' })), [hygiene({ only: ['images', 'pairing'] })]],
    ['it is there already: once', spec(hygiene({ only: ['pairing'] })), [hygiene({ only: ['pairing'] })]],
    ['left out: no longer', spec(hygiene({ off: ['pairing', 'images'] })), [hygiene({ off: ['images'] })]],
    ['the last left out: nothing is', spec(hygiene({ off: 'pairing' })), [hygiene()]],
    ['not of the profile: on', spec(hygiene()), [hygiene({ on: ['pairing'] })]],
    ['off as a stage: on', spec({ ...hygiene(), enabled: false }), [hygiene({ on: ['pairing'] })]],
  ])('%s', (_title, before, stages) => {
    const after = applyRule(before, 'pairing', OWN_TARGET);
    expect(after.stages).toEqual(stages);
    expect(parseSpec(after, STAGES).ok).toBe(true);
  });

  it('for another provider: the stage is told which', () => {
    expect(applyRule(spec(hygiene({ profile: 'google', only: ['images'] })), 'pairing', ANTHROPIC).stages).toEqual([
      hygiene({ provider: 'anthropic', model_api: 'anthropic-messages', only: ['images', 'pairing'] }),
    ]);
  });
});

describe('the whole profile', () => {
  it('is the last stage, with nothing left out', () => {
    expect(applyProfile(spec(GC), OWN_TARGET).stages).toEqual([GC, hygiene()]);
    const narrowed = spec(hygiene({ only: ['images'], off: ['pairing'], image_max_side: 800 }), GC);
    expect(applyProfile(narrowed, ANTHROPIC).stages).toEqual([
      hygiene({ image_max_side: 800, provider: 'anthropic', model_api: 'anthropic-messages' }),
      GC,
    ]);
  });
});

it('names stand in a list or in a text', () => {
  expect(namesIn(undefined)).toEqual([]);
  expect(namesIn('a, b c')).toEqual(['a', 'b', 'c']);
  expect(namesIn(['a', 7, 'b'])).toEqual(['a', 'b']);
});

const finding = (repair: string | null, severity: LintFindingInfo['severity'], index: number): LintFindingInfo => ({
  code: `lint.${repair}`,
  severity,
  text: `Wire: it is ${repair}`,
  position: index,
  index,
  repair,
  advice: [],
  repairTitle: repair?.toUpperCase() ?? null,
  done: null,
  before: null,
  after: null,
  cut: false,
});

const INFO: LintInfo = {
  wire: 'Wire',
  source: '',
  how: '',
  target: 'anthropic',
  total: 4,
  findings: [
    finding('images', 'warning', 1),
    finding('pairing', 'warning', 2),
    finding(null, 'error', 3),
    finding('pairing', 'error', 4),
  ],
  repairs: [
    { rule: 'images', title: 'Images', help: '', count: 1 },
    { rule: 'tool_ids', title: 'Ids', help: '', count: 9 },
    { rule: 'pairing', title: 'Pairs', help: 'help', count: 2 },
  ],
};

describe('findings', () => {
  it('are grouped by the rule that mends them, the gravest first', () => {
    const groups = groupFindings(INFO);
    expect(groups.map(({ rule, severity, findings }) => [rule, severity, findings.length])).toEqual([
      ['pairing', 'error', 2],
      [null, 'error', 1],
      ['images', 'warning', 1],
    ]);
    expect(otherRepairs(INFO).map(({ rule }) => rule)).toEqual(['tool_ids']);
  });

  it('keep the choice as far as it is there', () => {
    const groups = groupFindings(INFO);
    const others = otherRepairs(INFO);
    expect(resolveChoice(null, groups, others)).toEqual({ kind: 'finding', group: 'pairing', at: 0 });
    expect(resolveChoice({ kind: 'finding', group: 'pairing', at: 7 }, groups, others)).toEqual({
      kind: 'finding',
      group: 'pairing',
      at: 1,
    });
    expect(resolveChoice({ kind: 'rule', rule: 'gone' }, groups, others)?.kind).toBe('finding');
    expect(resolveChoice({ kind: 'rule', rule: 'tool_ids' }, groups, others)?.kind).toBe('rule');
    expect(resolveChoice({ kind: 'rule', rule: 'gone' }, [], others)).toEqual({ kind: 'profile' });
    expect(resolveChoice({ kind: 'profile' }, [], [])).toBeNull();
    expect(chosenFinding({ kind: 'finding', group: 'pairing', at: 1 }, groups)?.index).toBe(4);
    expect(chosenFinding({ kind: 'profile' }, groups)).toBeNull();
  });
});

describe('words', () => {
  it('of a finding leave out the name of the wire', () => {
    expect(describeFinding('Wire: it says nothing', 'Wire')).toBe('It says nothing');
    expect(describeFinding('the image is large', 'Wire')).toBe('The image is large');
  });

  it('of a repair say what it comes to', () => {
    expect(describeOutcome({ total: 0, changes: [], left: 3 })).toBe('It would change nothing.');
    expect(describeOutcome({ total: 2, changes: [], left: 1 }, 'Help.')).toBe(
      '2 messages touched (the first 0 below), 1 finding left. Help.',
    );
  });

  it('of a target', () => {
    expect(targetTitle(OWN_TARGET)).toBe('The transcript’s own');
    expect(targetTitle(ANTHROPIC)).toBe('Anthropic Messages');
    expect(targetTitle({ provider: 'a', api: '', model: 'm' })).toBe('a · m');
  });
});

it('a repair is two texts, a message under its head', () => {
  const change = { rules: ['r'], reason: 'why' };
  const changes = [
    { ...change, kind: 'rewritten' as const, index: 3, before: '{"a":1}', after: '{"a":2}', cut: false },
    { ...change, kind: 'inserted' as const, index: null, before: null, after: '{"b":1', cut: true },
  ];
  expect(repairTexts(changes)).toEqual({
    before: '// #3 rewritten · why\n{\n  "a": 1\n}\n\n// new message put in · why',
    after: '// #3 rewritten · why\n{\n  "a": 2\n}\n\n// new message put in · why\n{\n  "b": 1\n// … cut',
  });
});
