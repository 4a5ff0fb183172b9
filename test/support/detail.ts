import type { DetailPart, MessageDetail } from '../../core/protocol/types.ts';
import { PLAIN_DETAIL } from '../../renderer/dev/plainDetail.ts';

/** The detail of a kept message with one part; `over` changes the part. */
export function detailOf(over: Partial<DetailPart>): MessageDetail {
  const part: DetailPart = {
    part: 0,
    kind: 'text',
    category: 'user',
    label: 'user',
    name: null,
    callId: null,
    isError: false,
    signed: false,
    truncated: false,
    text: 'text',
    chars: 4,
    tokens: 1,
    assetIds: [],
    ...over,
  };
  return detailWith({ parts: [part] });
}

/** The detail of a kept message without parts; `over` changes it. */
export function detailWith(over: Partial<MessageDetail>): MessageDetail {
  return {
    index: 2,
    role: 'user',
    rawJson: '{}',
    rawChars: 2,
    projectedJson: '{}',
    projectedChars: 2,
    truncated: false,
    parts: [],
    fate: {
      kind: 'kept',
      stage: null,
      stageTitle: null,
      rule: null,
      reason: '',
      because: null,
      evidence: null,
      parts: [],
      pointers: [],
    },
    ...PLAIN_DETAIL,
    contentHash: '',
    ...over,
  };
}
