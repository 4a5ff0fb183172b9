// The validity lint: what the provider that speaks a wire format would refuse of these messages, and which rule repairs
// it. It looks and changes nothing, so it also checks what the rules have done.

import type { Part } from '../../../model/message.ts';
import { countOf, grouped } from '../../../util/counts.ts';
import { isRecord, stringAt } from '../../../util/unknown.ts';
import { callFault } from '../callFault.ts';
import type { Draft } from '../draft.ts';
import { isValidId } from '../ids.ts';
import { findPairs, type Pairs } from '../pairs.ts';
import { isOutOfOrder } from '../rules/content.ts';
import { orphanReasoning, switchedReasoning } from '../rules/openai.ts';
import { isSystem } from '../rules/rule.ts';
import { callShape, listKey } from '../shape.ts';
import { blocksOf } from '../traits.ts';
import type { IdMode, RuleContext, RuleName, Wire } from '../types.ts';
import { WIRES, type WireRules } from './wires.ts';

/** What the provider would refuse: where, why, and which repair rule repairs it (null: none can). */
export interface Finding {
  /** Stable, `lint.` and what is wrong. */
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** One sentence. */
  readonly text: string;
  /** Position in the list that was looked at. */
  readonly position: number;
  /** Source index; null for a message that no one wrote. */
  readonly index: number | null;
  readonly repair: RuleName | null;
}

/** What is looked at, and for whom. */
export interface LintInput {
  readonly messages: readonly Draft[];
  readonly wire: Wire;
  readonly context: RuleContext;
  /** A provider that is stricter about ids than its wire format. */
  readonly idMode?: IdMode;
}

type Report = (
  position: number,
  code: string,
  severity: Finding['severity'],
  text: string,
  repair: RuleName | null,
) => void;

/** All findings, in the order of the messages. */
export function lint(input: LintInput): readonly Finding[] {
  const { messages } = input;
  const rules = WIRES[input.wire];
  const findings: Finding[] = [];
  const report: Report = (position, code, severity, text, repair) => {
    const index = messages[position]?.index ?? null;
    findings.push({ code: `lint.${code}`, severity, text: `${rules.title}: ${text}`, position, index, repair });
  };
  const pairs = input.context.same?.pairsOf(messages) ?? findPairs(messages);
  lintPairs(messages, pairs, rules, report);
  lintIds(messages, pairs, input, rules, report);
  lintTurns(messages, rules, report);
  for (const [position, draft] of messages.entries()) lintContent(position, draft, rules, report);
  if (rules.followedReasoning) lintReasoning(input, report);
  return findings.sort((a, b) => a.position - b.position);
}

function lintPairs(messages: readonly Draft[], pairs: Pairs, rules: WireRules, report: Report): void {
  for (const call of pairs.calls) {
    const name = call.part.name ?? 'a tool';
    const fault = cutOff(messages[call.message], call.part);
    if (fault !== null) report(call.message, 'malformed_call', 'error', fault, 'malformed_calls');
    if (call.result === null && fault === null) {
      report(call.message, 'unanswered_call', 'error', `the call of ${name} has no result`, 'pairing');
    } else if (
      call.result !== null &&
      rules.results === 'adjacent' &&
      !isAdjacent(messages, call.message, call.result.message)
    ) {
      const text = `the result of ${name} does not follow its turn directly`;
      report(call.result.message, 'displaced_result', 'error', text, 'pairing');
    }
  }
  for (const { message, part, call, duplicateOf } of pairs.results) {
    if (call !== null) continue;
    const id = part.callId ?? part.name ?? '';
    if (duplicateOf !== null) report(message, 'duplicate_result', 'error', `a second result for "${id}"`, 'pairing');
    else report(message, 'orphan_result', 'error', `no call goes with the result "${id}"`, 'pairing');
  }
}

// What a call lacks that nobody can give it: such a call is dropped. An id can be given.
function cutOff(draft: Draft | undefined, part: Part): string | null {
  if (draft === undefined || draft.traits.wholeCalls) return null;
  return callFault(draft.value, { ...part, callId: part.callId || 'given' });
}

// Between a turn and its result stand only other results.
function isAdjacent(messages: readonly Draft[], from: number, to: number): boolean {
  for (let at = from + 1; at < to; at++) {
    if (messages[at]?.facts.parts.some((part) => part.kind === 'tool_result') !== true) return false;
  }
  return true;
}

function lintIds(messages: readonly Draft[], pairs: Pairs, input: LintInput, rules: WireRules, report: Report): void {
  const seen = new Map<string, number>();
  for (const { message, part } of pairs.calls) {
    const id = part.callId ?? '';
    if (id === '') {
      if (needsId(messages[message], part, rules))
        report(message, 'missing_id', 'error', `a call of ${part.name ?? 'a tool'} has no id`, 'tool_ids');
      continue;
    }
    const words = idFault(id, input, rules);
    if (words !== null) report(message, 'bad_id', 'error', `the tool id "${id}" must be ${words}`, 'tool_ids');
    const first = seen.get(id);
    if (first !== undefined) {
      const where = first === message ? 'in the same turn' : 'in an earlier turn';
      const severity = first === message ? 'error' : 'warning';
      report(message, 'repeated_id', severity, `the tool id "${id}" was used ${where}`, 'tool_ids');
    }
    seen.set(id, message);
  }
  for (const { message, part, call } of pairs.results) {
    const id = part.callId ?? '';
    if (call !== null && id === '' && (call.part.callId ?? '') !== '' && rules.needsIds) {
      report(message, 'missing_id', 'error', 'a result does not name its call', 'pairing');
    }
  }
}

function needsId(draft: Draft | undefined, part: Pairs['calls'][number]['part'], rules: WireRules): boolean {
  if (draft === undefined || !rules.needsIds) return false;
  const shape = callShape(draft.value, part);
  return shape !== 'gemini' && shape !== 'legacy';
}

function idFault(id: string, { idMode }: LintInput, rules: WireRules): string | null {
  if (idMode === 'strict9') return isValidId(id, 'strict9', 0) ? null : '9 letters and digits';
  return rules.ids === null || rules.ids.pattern.test(id) ? null : rules.ids.words;
}

function lintTurns(messages: readonly Draft[], rules: WireRules, report: Report): void {
  let last: string | null = null;
  for (const [position, { role }] of messages.entries()) {
    if (isSystem(role)) continue;
    if (last === null && rules.userFirst && role === 'assistant') {
      report(position, 'assistant_first', 'error', 'the first turn must be the user’s', 'google_bootstrap');
    }
    if (last === role && rules.alternation?.role === role) {
      const repair = role === 'user' ? 'merge_user_turns' : 'merge_assistant_turns';
      report(position, 'no_alternation', rules.alternation.severity, `two ${role} turns follow each other`, repair);
    }
    last = role;
  }
}

function lintContent(position: number, draft: Draft, rules: WireRules, report: Report): void {
  const { role, traits } = draft;
  if (role === 'user' || role === 'assistant') {
    if (traits.empty && rules.emptyMessage && !hasCalls(draft)) {
      report(position, 'empty_message', 'error', 'the message says nothing', 'empty_content');
    } else if (traits.blankTexts.length > 0 && rules.blankText) {
      report(position, 'blank_text', 'error', 'a text block is blank', 'empty_content');
    }
  }
  if (rules.resultsFirst && role === 'user' && isOutOfOrder(draft)) {
    report(position, 'results_not_first', 'error', 'text precedes the results of its message', 'results_first');
  }
  if (rules.signedThinking && role === 'assistant' && hasUnsignedThinking(draft)) {
    report(position, 'unsigned_thinking', 'error', 'a thinking block has no signature', 'unsigned_thinking');
  }
  lintImages(position, draft, rules, report);
}

function hasCalls(draft: Draft): boolean {
  return draft.facts.parts.some((part) => part.kind === 'tool_call');
}

function hasUnsignedThinking({ facts, value }: Draft): boolean {
  if (!facts.parts.some((part) => part.category === 'thinking' && part.signed !== true)) return false;
  if (listKey(value) !== 'content') return false;
  const blocks = blocksOf(value);
  return facts.parts.some((part) => {
    const [, at] = part.path;
    const block = typeof at === 'number' ? blocks[at] : null;
    return (
      part.category === 'thinking' && part.signed !== true && isRecord(block) && stringAt(block, 'type') === 'thinking'
    );
  });
}

function lintImages(position: number, { traits }: Draft, rules: WireRules, report: Report): void {
  for (const image of traits.images) {
    if (image.payload !== 'good') {
      const what = image.payload === 'empty' ? 'an image has no payload' : 'an image is not base64';
      report(position, 'bad_image', 'error', what, 'images');
      continue;
    }
    if (image.sniffed?.startsWith('image/') === true && image.sniffed !== image.mime) {
      report(position, 'image_type', 'error', `an image says ${image.mime} and is ${image.sniffed}`, 'images');
    }
    const side = Math.max(image.width ?? 0, image.height ?? 0);
    if (rules.image !== null && (side > rules.image.maxSide || image.bytes > rules.image.maxBytes)) {
      const text = `an image of ${grouped(side)} px and ${countOf(image.bytes, 'byte')} is over the limit`;
      report(position, 'image_too_large', 'error', text, 'images');
    }
  }
}

function lintReasoning({ messages, context }: LintInput, report: Report): void {
  const lone = new Set(orphanReasoning.check(messages, context).map((change) => change.before));
  const switched = new Map(switchedReasoning.check(messages, context).map((change) => [change.before, change]));
  for (const [position, draft] of messages.entries()) {
    const change = switched.get(draft);
    if (change !== undefined) {
      const text = `${change.objection}: encrypted reasoning that another model made may be refused`;
      report(position, 'switched_reasoning', 'warning', text, 'switched_reasoning');
    }
    if (!lone.has(draft)) continue;
    report(
      position,
      'orphan_reasoning',
      'error',
      'a reasoning item is not followed by what it led to',
      'orphan_reasoning',
    );
  }
}
