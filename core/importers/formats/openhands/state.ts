// The state the SDK keeps beside a conversation's events.

import type { TranscriptMeta } from '../../../model/transcript.ts';
import { type Fields, numberAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, windowFrom } from '../../reading/shared.ts';

const MARKS = ['workspace', 'persistence_dir', 'confirmation_policy', 'execution_status', 'agent_status', 'stats'];

/** True for a `base_state.json`. */
export function isBaseState(fields: Fields): boolean {
  if (stringAt(fields, 'id') === undefined || recordAt(fields, 'agent') === undefined) return false;
  return MARKS.filter((key) => Object.hasOwn(fields, key)).length >= 2;
}

/** What it says of the conversation. */
export function stateMeta(fields: Fields): Partial<TranscriptMeta> {
  const llm = recordAt(recordAt(fields, 'agent') ?? {}, 'llm') ?? {};
  const model = stringAt(llm, 'model');
  return defined({
    sessionId: stringAt(fields, 'id'),
    cwd: stringAt(recordAt(fields, 'workspace') ?? {}, 'working_dir'),
    models: model === undefined ? undefined : [model],
    contextWindow: windowFrom(numberAt(llm, 'max_input_tokens')),
  });
}
