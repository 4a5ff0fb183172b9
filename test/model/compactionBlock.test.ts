import { describe, expect, it } from 'vitest';
import { partExactText } from '../../core/model/partText.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { partTokens } from '../../core/tokens/partTokens.ts';

const counter = { id: 'estimate', exact: false, count: (text: string) => text.length } as const;
const read = (block: object) => {
  const message = { role: 'assistant', content: [block] };
  const facts = readMessage(message);
  const [part] = facts.parts;
  if (part === undefined) throw new Error('no part');
  return { kind: part.kind, text: partExactText(message, part), tokens: partTokens(message, facts, counter).tokens };
};

describe('a compaction block', () => {
  it('counts as its words, whatever stands beside them', () => {
    const block = { type: 'compaction', content: 'S one', signature: 'x'.repeat(99), tool_changes: [] };
    expect(read(block)).toEqual({ kind: 'other', text: 'S one', tokens: [5] });
    expect(read({ ...block, encrypted_content: 'y'.repeat(99) })).toEqual({
      kind: 'other',
      text: 'S one',
      tokens: [5],
    });
  });

  it('that only the provider can read has no count', () => {
    expect(read({ type: 'compaction', id: 'cmp_1', encrypted_content: 'enc' })).toEqual({
      kind: 'opaque',
      text: '',
      tokens: [0],
    });
  });
});
