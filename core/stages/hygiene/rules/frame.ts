// How a history begins and ends: a user turn first, details for the model alone, no more turns than asked for.
import { removeMember } from '../../../util/json/index.ts';
import { countOf } from '../../../view/words.ts';
import type { Draft } from '../draft.ts';
import { listKey } from '../shape.ts';
import type { Change, UserTurns } from '../types.ts';
import { defineRule, editLocal, isSystem } from './rule.ts';

const RESULT_ROLES: ReadonlySet<string> = new Set(['toolResult', 'tool_result', 'tool', 'function']);

/** `details` of tool results are for people, never for the model. Source: hygiene facts, 3.6. */
export const resultDetails = defineRule({
  name: 'result_details',
  title: 'Details of results',
  help: 'Removes `details` from tool results: they are for people, not for the model.',
  fix: (messages, context) =>
    editLocal('result_details', messages, context, (draft) => {
      if (!RESULT_ROLES.has(draft.role) || !draft.traits.details) return null;
      return {
        text: removeMember(draft.text, [], 'details'),
        objection: 'the result carries details that are not for the model',
        done: 'they were removed',
        chip: 'details',
        severity: 'warning',
      };
    }),
});

const BOOTSTRAP = '(session bootstrap)';

/** A history that begins with the assistant gets a tiny user turn before it. Source: hygiene facts, 3.9. */
export const googleBootstrap = defineRule({
  name: 'google_bootstrap',
  title: 'User turn first',
  help: 'Puts a tiny user turn first where a history begins with the assistant: Google wants a user turn first.',
  fix(messages, { around }) {
    const at = around?.hasTurnsBefore === true ? -1 : messages.findIndex((draft) => !isSystem(draft.role));
    const first = messages[at];
    if (first === undefined || first.role !== 'assistant') return { messages, changes: [] };
    const isParts = listKey(first.value) === 'parts';
    const text = isParts ? { role: 'user', parts: [{ text: BOOTSTRAP }] } : { role: 'user', content: BOOTSTRAP };
    const made = first.make(JSON.stringify(text));
    const change: Change = {
      rule: 'google_bootstrap',
      kind: 'inserted',
      before: made,
      after: made,
      objection: 'the history begins with the assistant',
      done: 'a user turn that nobody wrote was put first',
      severity: 'error',
      chip: 'bootstrap',
    };
    return { messages: [...messages.slice(0, at), made, ...messages.slice(at)], changes: [change] };
  },
});

/** Keeps the last turns of the user and what follows them; all before goes. Source: hygiene facts, 2. */
export const historyLimit = defineRule({
  name: 'history_limit',
  title: 'History limit',
  help: 'Keeps the last N user turns and what follows them.',
  fix(messages, { options, around }) {
    const cut = cutOf(messages, options.historyLimit, around?.userTurns ?? { before: 0, behind: 0 });
    if (cut === 0) return { messages, changes: [] };
    const words = { rule: 'history_limit', severity: 'info', chip: 'history limit' } as const;
    const objection = `it is older than the last ${countOf(options.historyLimit, 'user turn')} (history_limit)`;
    const changes = messages.slice(0, cut).map((before): Change => {
      return { ...words, kind: 'dropped', before, after: null, objection, done: 'it was dropped' };
    });
    return { messages: messages.slice(cut), changes };
  },
});

function cutOf(messages: readonly Draft[], limit: number, { before, behind }: UserTurns): number {
  if (limit <= 0) return 0;
  let users = behind;
  let cut = behind >= limit ? messages.length : 0;
  for (let at = messages.length - 1; at >= 0; at--) {
    if (messages[at]?.facts.beginsTurn !== true) continue;
    users++;
    if (users > limit) return cut;
    cut = at;
  }
  // Where there are no more turns than that, what stands before the first stays too.
  return users >= limit && users + before > limit ? cut : 0;
}
