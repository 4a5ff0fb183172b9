import type { RuleField, TranscriptField } from '../state/mappingDraft.ts';

/** From where a field's path goes: which paths are offered for it. */
export type Scope = 'message' | 'call' | 'result';

export interface FieldInfo<F extends string> {
  readonly field: F;
  readonly label: string;
  readonly hint?: string;
  readonly scope: Scope;
}

export interface Group {
  readonly title: string;
  readonly fields: readonly FieldInfo<RuleField>[];
}

type Row = readonly [field: RuleField, label: string, hint?: string];

const from =
  (scope: Scope) =>
  (...rows: readonly Row[]): readonly FieldInfo<RuleField>[] =>
    rows.map(([field, label, hint]) => ({ field, label, scope, ...(hint !== undefined && { hint }) }));
const fromMessage = from('message');
const fromCall = from('call');
const fromResult = from('result');

/** Always in sight. */
export const MAIN_FIELDS = fromMessage(['text', 'Text', '@.content']);

/** Folded while they are empty. */
export const GROUPS: readonly Group[] = [
  {
    title: 'Reasoning and blocks',
    fields: fromMessage(['reasoning', 'Reasoning', '@.thinking'], ['blocks', 'Content blocks', '@.parts[*]']),
  },
  {
    title: 'Tool calls',
    fields: [
      ...fromMessage(['calls.at', 'Tool-call path', '@.tool_calls[*]']),
      ...fromCall(
        ['calls.id', 'Id', '@.id'],
        ['calls.name', 'Tool', '@.name'],
        ['calls.arguments', 'Arguments', '@.arguments'],
      ),
    ],
  },
  {
    title: 'Tool results',
    fields: [
      ...fromMessage(['results.at', 'Tool-result path', 'empty: a message of the role tool is one']),
      ...fromResult(
        ['results.callId', 'Id of the call', '@.call_id'],
        ['results.name', 'Tool', '@.name'],
        ['results.text', 'Output', 'empty: the text of the message'],
        ['results.error', 'Failed if', '@.is_error'],
      ),
    ],
  },
  {
    title: 'Time, model, ids',
    fields: fromMessage(
      ['time', 'Time', '@.timestamp'],
      ['model', 'Model', '@.model'],
      ['id', 'Id', '@.id'],
      ['parent', 'Id of its parent', '@.parent_id'],
    ),
  },
  {
    title: 'Tokens',
    fields: fromMessage(
      ['usage.input', 'Input'],
      ['usage.output', 'Output'],
      ['usage.cacheRead', 'Cache read'],
      ['usage.cacheWrite', 'Cache written'],
      ['usage.reasoning', 'Reasoning'],
      ['usage.total', 'Total'],
    ),
  },
];

export const TRANSCRIPT_FIELDS: readonly {
  readonly field: TranscriptField;
  readonly label: string;
  readonly hint: string;
}[] = [
  { field: 'at', label: 'Transcript path', hint: 'empty: the file is one' },
  { field: 'by', label: 'Or messages that share', hint: '@.session_id' },
  { field: 'title', label: 'Title', hint: '@.title' },
  { field: 'id', label: 'Id', hint: '@.id' },
];
