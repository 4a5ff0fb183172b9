import { describe, expect, it } from 'vitest';
import { alignParts } from '../../core/insight/alignParts.ts';
import type { MessageFacts } from '../../core/model/message.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import type { Fate } from '../../core/view/types.ts';

const text = (value: string) => ({ type: 'text', text: value });
const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { path: id } });
const assistant = (...content: unknown[]): MessageFacts => readMessage({ role: 'assistant', content });
const fate = (kind: Fate['kind'], parts?: Fate['parts']): Fate => ({
  kind,
  stage: 0,
  rule: 'r',
  reason: 'the reason',
  ...(parts && { parts }),
});

const RAW = assistant(text('a'), call('t1'), call('t2'));
const same = (raw: number, projected: number) => raw === projected;

describe('alignParts', () => {
  it('keeps parts that are equal in content, whatever the message’s fate', () => {
    const aligned = alignParts(RAW, RAW, fate('redacted'), (raw, at) => raw === at && raw !== 1);
    expect(aligned.map(({ kind, projected }) => [kind, projected])).toEqual([
      ['kept', 0],
      ['redacted', 1],
      ['kept', 2],
    ]);
    expect(aligned.map(({ reason }) => reason)).toEqual(['', 'the reason', '']);
  });

  it('leaves out the parts a fate drops', () => {
    const edited = assistant(text('a'), call('t2'));
    const dropped = fate('rewritten', [{ part: 1, kind: 'dropped', reason: 'repaired' }]);
    const aligned = alignParts(RAW, edited, dropped, (raw, at) => (raw === 0 ? at === 0 : at === 1));
    expect(aligned).toEqual([
      { kind: 'kept', reason: '', projected: 0 },
      { kind: 'dropped', reason: 'repaired', projected: null },
      { kind: 'kept', reason: '', projected: 1 },
    ]);
  });

  it('finds parts by call id where the fate does not say what is gone', () => {
    const aligned = alignParts(RAW, assistant(call('t2')), fate('rewritten'), same);
    expect(aligned.map(({ kind, projected }) => [kind, projected])).toEqual([
      ['dropped', null],
      ['dropped', null],
      ['rewritten', 0],
    ]);
  });

  it('calls an edit an edit, even if the fate says kept', () => {
    expect(alignParts(assistant(text('a')), assistant(text('b')), fate('kept'), () => false)[0]?.kind).toBe(
      'rewritten',
    );
  });
});
