import { describe, expect, it } from 'vitest';
import type { DetailPart, MessageDetail } from '../../core/protocol/types.ts';
import { openedPart } from '../../renderer/timeline/openedText.ts';
import { makeRow } from './support.ts';

function makePart(over: Partial<DetailPart>): DetailPart {
  const blank = { part: 0, kind: 'tool_result', category: 'tool_result', label: 'result', name: null, callId: null };
  const counts = { isError: false, signed: false, truncated: false, chars: 3, tokens: 1, assetIds: [] };
  return { ...blank, ...counts, tokensProvenance: 'exact', text: 'raw', ...over } as DetailPart;
}

function makeDetail(parts: readonly DetailPart[], projected: unknown): MessageDetail {
  const projectedJson = projected === null ? null : JSON.stringify(projected);
  return {
    index: 3,
    role: 'user',
    rawJson: '{}',
    rawChars: 2,
    projectedJson,
    projectedChars: projectedJson?.length ?? 0,
    truncated: false,
    parts,
    fate: {
      kind: 'redacted',
      stage: 0,
      stageTitle: null,
      rule: null,
      reason: '',
      because: null,
      evidence: null,
      parts: [],
      pointers: [],
    },
    meta: { id: null, timestamp: null, model: null, stopReason: null, usage: null, injected: false, apiError: false },
    refs: { requestId: null, callId: null, iteration: null },
    contentHash: '',
    origins: [],
    pairs: [],
  };
}

const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });
const both = [makePart({ part: 0, callId: 'a', text: 'raw a' }), makePart({ part: 1, callId: 'b', text: 'raw b' })];
const redacted = makeRow({ index: 3, part: 1, partKind: 'tool_result', fate: 'redacted' });

describe('an opened row', () => {
  it('shows the changed part as the request holds it, found by the call it answers', () => {
    const detail = makeDetail(both, { role: 'user', content: [result('b', '[reclaimed]')] });
    expect(openedPart(detail, redacted)).toMatchObject({ raw: { body: 'raw b' }, projected: { body: '[reclaimed]' } });
  });

  it('falls back on the place among the parts, then on the whole message', () => {
    const nameless = [makePart({ part: 0, text: 'x' }), makePart({ part: 1, text: 'y' })];
    const same = { role: 'user', content: [result('', 'p'), result('', 'q')] };
    expect(openedPart(makeDetail(nameless, same), redacted).projected?.body).toBe('q');
    const fewer = { role: 'user', content: [result('', 'p')] };
    expect(openedPart(makeDetail(nameless, fewer), redacted).projected?.body).toContain('"role": "user"');
  });

  it('shows the message where its text is cut, and nothing where nothing is left', () => {
    const detail = { ...makeDetail(both, { role: 'user', content: [result('b', 'z')] }), projectedChars: 9_000 };
    expect(openedPart(detail, redacted).projected).toMatchObject({ cut: true, chars: 9_000 });
    expect(openedPart(makeDetail(both, null), { ...redacted, projected: null }).projected).toBeNull();
  });

  it('shows the same text on both sides of a kept part', () => {
    const opened = openedPart(makeDetail(both, {}), makeRow({ index: 3, part: 0 }));
    expect(opened.projected).toBe(opened.raw);
  });
});
