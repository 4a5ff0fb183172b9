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

/** Always in sight. */
export const MAIN_FIELDS: readonly FieldInfo<RuleField>[] = [
  { field: 'text', label: 'Text', hint: '@.content', scope: 'message' },
];

/** Folded while they are empty. */
export const GROUPS: readonly Group[] = [
  {
    title: 'Reasoning and blocks',
    fields: [
      { field: 'reasoning', label: 'Reasoning', hint: '@.thinking', scope: 'message' },
      { field: 'blocks', label: 'Content blocks', hint: '@.parts[*]', scope: 'message' },
    ],
  },
  {
    title: 'Tool calls',
    fields: [
      { field: 'calls.at', label: 'Tool-call path', hint: '@.tool_calls[*]', scope: 'message' },
      { field: 'calls.id', label: 'Id', hint: '@.id', scope: 'call' },
      { field: 'calls.name', label: 'Tool', hint: '@.name', scope: 'call' },
      { field: 'calls.arguments', label: 'Arguments', hint: '@.arguments', scope: 'call' },
    ],
  },
  {
    title: 'Tool results',
    fields: [
      {
        field: 'results.at',
        label: 'Tool-result path',
        hint: 'empty: a message of the role tool is one',
        scope: 'message',
      },
      { field: 'results.callId', label: 'Id of the call', hint: '@.call_id', scope: 'result' },
      { field: 'results.name', label: 'Tool', hint: '@.name', scope: 'result' },
      { field: 'results.text', label: 'Output', hint: 'empty: the text of the message', scope: 'result' },
      { field: 'results.error', label: 'Failed if', hint: '@.is_error', scope: 'result' },
    ],
  },
  {
    title: 'Time, model, ids',
    fields: [
      { field: 'time', label: 'Time', hint: '@.timestamp', scope: 'message' },
      { field: 'model', label: 'Model', hint: '@.model', scope: 'message' },
      { field: 'id', label: 'Id', hint: '@.id', scope: 'message' },
      { field: 'parent', label: 'Id of its parent', hint: '@.parent_id', scope: 'message' },
    ],
  },
  {
    title: 'Tokens',
    fields: [
      { field: 'usage.input', label: 'Input', scope: 'message' },
      { field: 'usage.output', label: 'Output', scope: 'message' },
      { field: 'usage.cacheRead', label: 'Cache read', scope: 'message' },
      { field: 'usage.cacheWrite', label: 'Cache written', scope: 'message' },
      { field: 'usage.reasoning', label: 'Reasoning', scope: 'message' },
      { field: 'usage.total', label: 'Total', scope: 'message' },
    ],
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
