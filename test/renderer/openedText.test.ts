import { describe, expect, it } from 'vitest';
import type { DetailPart, MessageDetail } from '../../core/protocol/types.ts';
import { openedPart } from '../../renderer/timeline/openedText.ts';
import { detailWith } from '../support/detail.ts';
import { makeRow } from './support.ts';

function makePart(over: Partial<DetailPart>): DetailPart {
  const blank = { part: 0, kind: 'tool_result', category: 'tool_result', label: 'result', name: null, callId: null };
  const counts = { isError: false, signed: false, truncated: false, chars: 3, tokens: 1, assetIds: [] };
  return { ...blank, ...counts, tokensProvenance: 'exact', text: 'raw', ...over } as DetailPart;
}

function makeDetail(parts: readonly DetailPart[], projected: unknown): MessageDetail {
  const projectedJson = projected === null ? null : JSON.stringify(projected);
  const blank = detailWith({});
  return {
    ...blank,
    index: 3,
    projectedJson,
    projectedChars: projectedJson?.length ?? 0,
    parts,
    fate: { ...blank.fate, kind: 'redacted', stage: 0 },
  };
}

const sent = (text: string, chars = text.length) => ({ sent: { text, truncated: chars > text.length, chars } });
const both = [makePart({ part: 0, callId: 'a', text: 'raw a' }), makePart({ part: 1, callId: 'b', text: 'raw b' })];
const withSent = (of: Pick<DetailPart, 'sent'>) => makeDetail([both[0]!, { ...both[1]!, ...of }], {});
const redacted = makeRow({ index: 3, part: 1, partKind: 'tool_result', fate: 'redacted' });

describe('an opened row', () => {
  it('shows the part as the request holds it', () => {
    const opened = openedPart(withSent(sent('[reclaimed]')), redacted);
    expect(opened).toMatchObject({ raw: { body: 'raw b' }, projected: { body: '[reclaimed]', cut: false } });
  });

  it('says where the text is cut, and shows nothing where nothing is sent', () => {
    expect(openedPart(withSent(sent('z', 9_000)), redacted).projected).toMatchObject({ cut: true, chars: 9_000 });
    expect(openedPart(withSent({ sent: null }), redacted).projected).toBeNull();
    expect(openedPart(makeDetail(both, {}), makeRow({ index: 3, part: 0, fate: 'future' })).projected).toBeNull();
  });

  it('shows what a stage made of a message that had no parts', () => {
    const made = { role: 'assistant', content: 'failed' };
    expect(openedPart(makeDetail([], made), redacted).projected?.body).toContain('"content": "failed"');
  });

  it('shows the same text on both sides of a kept part', () => {
    const opened = openedPart(makeDetail(both, {}), makeRow({ index: 3, part: 0 }));
    expect(opened.projected).toBe(opened.raw);
  });
});
