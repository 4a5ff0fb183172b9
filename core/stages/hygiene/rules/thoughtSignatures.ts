import { removeMember } from '../../../util/json/index.ts';
import { isRecord, ownAt } from '../../../util/unknown.ts';
import { base64Bytes } from '../base64.ts';
import { listKey } from '../shape.ts';
import { blocksOf } from '../traits.ts';
import type { RuleOptions } from '../types.ts';
import { defineRule, editLocal } from './rule.ts';

/**
 * Removes thought signatures that are none: message ids (`msg_…`), and under `base64` whatever is not base64. The
 * blocks stay. Source: hygiene facts, 3.10.
 */
export const thoughtSignatures = defineRule({
  name: 'thought_signatures',
  title: 'Thought signatures',
  help: 'Removes thought signatures that the provider could not have made; what was thought stays.',
  fix: (messages, context) =>
    editLocal('thought_signatures', messages, context, (draft) => {
      if (draft.role !== 'assistant' || !draft.traits.thoughtSignatures || draft.traits.stop === 'error') return null;
      const { value } = draft;
      const list = listKey(value);
      if (list === null) return null;
      let { text } = draft;
      for (const [at, block] of blocksOf(value).entries()) {
        if (!isRecord(block)) continue;
        for (const key of badKeys(block, context.options)) text = removeMember(text, [list, at], key);
      }
      return {
        text,
        objection: 'it carries a thought signature that the provider did not make',
        done: 'the signature was removed',
        chip: 'signature',
      };
    }),
});

function badKeys(block: Readonly<Record<string, unknown>>, { signatures }: RuleOptions): readonly string[] {
  const isBase64 = signatures !== 'msg_prefix';
  const keys = signatures === 'base64' ? ['thought_signature', 'thoughtSignature'] : ['thought_signature'];
  return keys.filter((key) => {
    if (!Object.hasOwn(block, key)) return false;
    const value = ownAt(block, key);
    if (isBase64) return typeof value !== 'string' || base64Bytes(value) === 0;
    return typeof value === 'string' && value.startsWith('msg_');
  });
}
