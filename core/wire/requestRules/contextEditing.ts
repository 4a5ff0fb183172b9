// What Anthropic takes as `context_management.edits`. Source: platform.claude.com, build-with-claude/context-editing and
// /compaction (September 2026).
import { isRecord, numberAt, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import { settingAt, typeOf } from './reading.ts';
import type { ProviderRequest, RequestFinding, RequestRule } from './types.ts';

const EDITS = 'context_management.edits';
const LEAST_TRIGGER = 50_000;

function editsOf(request: ProviderRequest): readonly unknown[] {
  const edits = settingAt(request, EDITS);
  return Array.isArray(edits) ? edits : [];
}

function* thinkingFirst(request: ProviderRequest): Generator<RequestFinding> {
  const at = editsOf(request).findIndex((edit) => typeOf(edit).startsWith('clear_thinking_'));
  if (at <= 0) return;
  const text = 'the clearing of thinking must be the first edit';
  yield { rule: 'edit_order', severity: 'error', field: EDITS, text: `${text}: it is edit ${at + 1}` };
}

function* editValues(request: ProviderRequest): Generator<RequestFinding> {
  for (const [at, edit] of editsOf(request).entries()) {
    if (!isRecord(edit)) continue;
    const finding = (path: string, text: string): RequestFinding => {
      return { rule: 'edit_value', severity: 'error', field: `${EDITS}[${at}].${path}`, text };
    };
    const trigger = numberAt(recordAt(edit, 'trigger') ?? {}, 'value');
    if (typeOf(edit).startsWith('compact_') && trigger !== undefined && trigger < LEAST_TRIGGER) {
      yield finding('trigger.value', `a compaction's trigger is ${trigger}: the API takes 50,000 or more`);
    }
    const keep = recordAt(edit, 'keep') ?? {};
    if (stringAt(keep, 'type') === 'thinking_turns' && !isPositive(ownAt(keep, 'value'))) {
      yield finding('keep.value', 'thinking_turns must be 1 or more');
    }
  }
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

/** The rules of context editing. */
export const EDITING_RULES: readonly RequestRule[] = [thinkingFirst, editValues];
