import { describe, expect, it } from 'vitest';
import { alignParts } from '../../core/insight/alignParts.ts';
import type { MessageFacts } from '../../core/model/message.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import type { Fate, SourceItem } from '../../core/view/types.ts';

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

const item = (origins?: SourceItem['origins']): SourceItem => ({
  kind: 'source',
  index: 3,
  text: '{}',
  ...(origins && { origins }),
});
const from = (...parts: readonly number[]) => parts.map((part) => [{ message: 3, part }]);

describe('alignParts', () => {
  it('keeps parts that are equal in content, whatever the message’s fate', () => {
    const aligned = alignParts(item(), RAW, 3, fate('redacted'), (raw, at) => raw === at && raw !== 1);
    expect(aligned.map(({ kind, projected }) => [kind, projected])).toEqual([
      ['kept', 0],
      ['redacted', 1],
      ['kept', 2],
    ]);
    expect(aligned.map(({ reason }) => reason)).toEqual(['', 'the reason', '']);
  });

  it('leaves out the parts that the edit took out, in the words of the fate', () => {
    const dropped = fate('rewritten', [{ part: 1, kind: 'dropped', reason: 'repaired' }]);
    expect(alignParts(item(from(0, 2)), RAW, 2, dropped, () => true)).toEqual([
      { kind: 'kept', reason: '', projected: 0 },
      { kind: 'dropped', reason: 'repaired', projected: null },
      { kind: 'kept', reason: '', projected: 1 },
    ]);
  });

  it('follows a renamed call: not its id tells which it is', () => {
    const aligned = alignParts(item(from(2)), RAW, 1, fate('rewritten'), () => false);
    expect(aligned.map(({ kind, projected }) => [kind, projected])).toEqual([
      ['dropped', null],
      ['dropped', null],
      ['rewritten', 0],
    ]);
  });

  it('passes over parts of other messages', () => {
    const merged = item([[{ message: 2, part: 0 }], ...from(0)]);
    expect(alignParts(merged, assistant(text('a')), 2, fate('rewritten'), () => true)[0]?.projected).toBe(1);
  });

  it('calls an edit an edit, even if the fate says kept', () => {
    expect(alignParts(item(), assistant(text('a')), 1, fate('kept'), () => false)[0]?.kind).toBe('rewritten');
  });

  it('believes a later stage that took a part out, or put it back, rather than an earlier word for it', () => {
    const cleared = fate('rewritten', [{ part: 0, kind: 'redacted', reason: 'cleared' }]);
    expect(alignParts(item([]), assistant(text('a')), 0, cleared, () => true)[0]?.kind).toBe('dropped');
    const gone = fate('rewritten', [{ part: 0, kind: 'dropped', reason: 'gone' }]);
    expect(alignParts(item(), assistant(text('a')), 1, gone, () => true)[0]?.kind).toBe('kept');
  });
});
