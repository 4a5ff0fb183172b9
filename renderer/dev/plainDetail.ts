import type { MessageDetail } from '../../core/protocol/types.ts';

/** What a detail says of a message of which nothing but its text is recorded. */
export const PLAIN_DETAIL: Pick<MessageDetail, 'meta' | 'refs' | 'origins' | 'pairs'> = {
  meta: {
    id: null,
    timestamp: null,
    model: null,
    stopReason: null,
    usage: null,
    injected: false,
    apiError: false,
    origin: null,
  },
  refs: { requestId: null, callId: null, iteration: null },
  origins: [],
  pairs: [],
};
