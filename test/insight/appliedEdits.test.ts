import { describe, expect, it } from 'vitest';
import { editAgreements, editStages, withRecordedEdits } from '../../core/insight/appliedEdits.ts';
import { describeEdit } from '../../core/insight/describeEdit.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { project } from '../../core/projection/project.ts';
import { stagesOf } from '../support/projecting.ts';

const use = (id: string) => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'r'.repeat(400) }] },
];
const messages = [{ role: 'user', content: 'go' }, ...use('a'), ...use('b'), ...use('c')];
const edit = {
  type: 'clear_tool_uses_20250919',
  trigger: { type: 'tool_uses', value: 1 },
  keep: { type: 'tool_uses', value: 1 },
};

function reportsOf(...stages: readonly unknown[]) {
  const source = memorySource(messages.map((message) => JSON.stringify(message)));
  return project(source, stagesOf({ version: 1, stages }), source.length).reports;
}

// The provider's own last step, which is reported behind the stages of the spec.
const LAST = reportsOf('raw').map((report) => ({ ...report, kind: 'preserved_thinking' }));

const cleared = (toolUses: number) => ({ appliedEdits: [{ type: 'clear_tool_uses_20250919', toolUses, tokens: 230 }] });
const stage = { kind: 'anthropic_clear_tool_uses', options: edit };

describe('what a provider says it cleared', () => {
  it('is held against the stage of that edit', () => {
    const reports = reportsOf(stage);
    expect(editAgreements(cleared(2), reports)).toEqual([
      { kind: 'anthropic_clear_tool_uses', recorded: 2, computed: 2 },
    ]);
    expect(editAgreements({ appliedEdits: [] }, reports)).toMatchObject([{ recorded: 0, computed: 2 }]);
    expect(editAgreements({}, reports)).toEqual([]);
    expect(editAgreements(cleared(2), reportsOf('raw'))).toEqual([]);
  });

  it('is told where the stage did something else, and believed', () => {
    const told = (toolUses: number, ...stages: readonly unknown[]) =>
      withRecordedEdits([...reportsOf(...stages), ...LAST], cleared(toolUses), stages.length).flatMap(
        ({ problems }) => problems,
      );
    expect(told(2, stage)).toEqual([]);
    const [problem] = told(3, stage);
    expect(problem).toMatchObject({ code: 'projection.recorded_edit', severity: 'warning' });
    expect(problem?.text).toContain(
      'cleared 3 tool uses for this request. This stage, with its options, clears 2 tool uses',
    );
  });

  it('says nothing of a policy that asks for something else', () => {
    const reports = reportsOf('clean_tool_repair', stage);
    expect(withRecordedEdits(reports, cleared(3), 2)).toBe(reports);
  });

  it('is read in words, and the edits a request asks for as stages', () => {
    expect(describeEdit({ type: 'clear_tool_uses_20250919', toolUses: 1, tokens: 12_345 })).toBe(
      '1 tool use cleared, 12,345 tok',
    );
    expect(describeEdit({ type: 'clear_thinking_20251015', thinkingTurns: 3 })).toBe('thinking of 3 turns cleared');
    expect(describeEdit({ type: 'new_edit' })).toBe('new_edit');
    expect(editStages(JSON.stringify({ context_management: { edits: [edit, { type: 'other' }] } }))).toEqual([stage]);
    expect(editStages(undefined)).toEqual([]);
  });
});
