// All steps in the stated order over one conversation, stage by stage: the view, what became of which message, what the
// stage reports. The snapshot is to be read; what must hold of it is said here too.
import { describe, expect, it } from 'vitest';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { project, type StageStep } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { standsInView } from '../../core/view/fates.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemText } from '../../core/view/reader.ts';
import type { Fate, FateKind, View, ViewItem } from '../../core/view/types.ts';
import { COMPOSED_SPEC, composedTranscript } from '../support/composedTranscript.ts';
import { explanationFaults } from '../support/explained.ts';
import { checkProjection } from '../support/lawful.ts';
import { hygieneFaults } from '../support/lawfulHygiene.ts';

const source = composedTranscript();
const parsed = parseSpec(COMPOSED_SPEC, STAGES);
if (!parsed.ok) throw new Error(parsed.error.map(({ text }) => text).join(' '));
const { stages, warnings } = parsed.value;

const steps: StageStep[] = [];
const projection = project(source, stages, source.length, { observe: (step) => steps.push(step) });

const SHOWN = 70;

function itemLine(item: ViewItem): string {
  const text = itemText(item, source);
  const short = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  if (item.kind === 'source') return `#${item.index}${item.text === undefined ? '' : '*'}  ${short}`;
  const { from, to } = item.covers;
  return `[${item.stage}: ${from === to ? `before #${from}` : `#${from} – #${to - 1}`}]  ${short}`;
}

const fateLine = (index: number, { kind, rule, reason }: Fate): string => `#${index} ${kind} (${rule}): ${reason}`;

/** What the stage itself says of each message it was given, in order. */
function saidBy({ before, output }: StageStep): readonly (readonly [number, Fate])[] {
  return before.items.flatMap((item, position) => {
    if (item.kind !== 'source') return [];
    const fate = output.fates.get(item.index) ?? output.explain?.(position);
    return fate === undefined ? [] : [[item.index, fate] as const];
  });
}

function stepLines(step: StageStep): readonly string[] {
  const { stage, output } = step;
  const { summary, reason, counts, reclaimedChars, reclaimedTokens } = output.report;
  const options = JSON.stringify(COMPOSED_SPEC.stages[stage.position]).slice(1, -1);
  const changed = output.view === step.before ? ['(the view is the same)'] : output.view.items.map(itemLine);
  return [
    `## ${stage.position} ${stage.title}: ${options}`,
    `report: ${summary} | ${reason} | ${JSON.stringify(counts)} | −${reclaimedChars} chars, −${reclaimedTokens} tok`,
    'fates:',
    ...saidBy(step).map(([index, fate]) => `  ${fateLine(index, fate)}`),
    'view:',
    ...changed.map((line) => `  ${line}`),
    '',
  ];
}

describe('all steps in the stated order', () => {
  it('are as the snapshot tells, stage by stage', async () => {
    const lines = [
      ...steps.flatMap(stepLines),
      '## composed',
      ...projection.fates.map((fate, index) => `  ${fateLine(index, fate)}`),
      '',
    ];
    await expect(lines.join('\n')).toMatchFileSnapshot('composition.snapshot');
  });

  it('break no rule of the order', () => {
    expect(warnings).toEqual([]);
    expect(steps.map(({ stage }) => stage.position)).toEqual(stages.map(({ position }) => position));
  });

  it('meet every kind of fate, and put in what nobody wrote', () => {
    const kinds = new Set<FateKind>(projection.fates.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['dropped', 'kept', 'merged', 'redacted', 'rewritten', 'summarised']);
    const made = projection.view.items.flatMap((item) => (item.kind === 'synthetic' ? [stages[item.stage]?.kind] : []));
    expect(new Set(made)).toEqual(new Set(['summary', 'injection', 'hygiene']));
  });

  it('keep the laws, and every message is explained', () => {
    expect(checkProjection(source, stages, source.length)).toEqual([]);
    for (let at = 0; at <= source.length; at++) {
      const { fates, view } = project(source, stages, at);
      expect(explanationFaults(stages, fates), `before message ${at}`).toEqual([]);
      expect(hygieneFaults(source, view, at, createMemo(), nodeSha256), `before message ${at}`).toEqual([]);
    }
  });
});

describe('a message that several stages touch', () => {
  const fateAt = (index: number): Fate => {
    const fate = projection.fates[index];
    if (fate === undefined) throw new Error(`no fate #${index}`);
    return fate;
  };
  const kindAfter = (index: number, kind: string): FateKind | undefined => {
    const step = steps.find(({ stage }) => stage.kind === kind);
    return step?.output.fates.get(index)?.kind;
  };
  const last = (view: View): readonly number[] =>
    view.items.flatMap((item) => (item.kind === 'source' ? [item.index] : []));

  it.each<[string, number, Partial<Fate>]>([
    ['gone with the compaction it stays so', 1, { kind: 'summarised', stage: 0, rule: 'recorded_compaction' }],
    ['kept by the compaction, then beyond the window', 0, { kind: 'dropped', stage: 4 }],
    ['redacted, then beyond the window', 7, { kind: 'dropped', stage: 4 }],
    ['kept by all before, then summarised', 9, { kind: 'summarised', stage: 5 }],
    ['dropped by the first policy that looks, and no later one', 12, { kind: 'dropped', stage: 1 }],
    ['kept by all, then merged', 24, { kind: 'merged', stage: 7 }],
    ['kept by all, then rewritten', 27, { kind: 'rewritten', stage: 7 }],
  ])('%s', (_what, index, expected) => {
    expect(fateAt(index)).toMatchObject(expected);
    expect(last(projection.view).includes(index)).toBe(standsInView(fateAt(index).kind));
  });

  it('rewritten, then redacted: both are told, with the parts and pointers of both', () => {
    expect(kindAfter(15, 'clean_tool_repair')).toBe('rewritten');
    expect(kindAfter(15, 'reachability_gc')).toBe('redacted');
    const { kind, reason, parts, pointers } = fateAt(15);
    expect(kind).toBe('redacted');
    expect(reason).toMatch(/parts hidden.*; then: .*min_chars/);
    expect(parts?.map(({ part, kind: own }) => [part, own])).toEqual([
      [0, 'dropped'],
      [1, 'redacted'],
    ]);
    // The pointer leads to the place in the raw message, not to that in the message the stage was given.
    expect(pointers?.map(({ source: place }) => place)).toEqual(['transcript.messages[15].content[1].content']);
  });

  it('summarised, and the summary itself dropped: nothing is left, and that is said', () => {
    const { kind, stage, reason } = fateAt(1);
    expect([kind, stage]).toEqual(['summarised', 0]);
    expect(reason).toMatch(/put the summary #3 in its place; then: its replacement was removed by Sliding window$/);
    // The summary behind the window is still there.
    expect(fateAt(9).reason).not.toContain('; then: its replacement');
  });

  it('the counts of the reports are of what each stage did itself', () => {
    for (const { output, stage } of steps) {
      const own = new Map<FateKind, number>();
      for (const { kind } of output.fates.values()) if (kind !== 'kept') own.set(kind, (own.get(kind) ?? 0) + 1);
      expect(output.report.counts, stage.kind).toEqual(Object.fromEntries(own));
    }
  });
});
