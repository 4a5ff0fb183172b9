// Messages of Vercel's AI SDK: UI messages of v4 to v6, model messages, and streamed UI messages.

import { allBut, type Detection, type Format, type Sniff } from '../../types.ts';
import { AiSdkReader } from './reader.ts';
import { isOwn } from './shapes.ts';

const LOOKS_FOR =
  'messages with role and parts, toolInvocations, or tool-call and tool-result blocks with a toolCallId, bare, in lists or as {"message"}, and UI message stream chunks';

/** A UI message becomes what the model is given of it: an answer for each step, and its results as tool messages. */
export const aiSdk: Format = {
  id: 'ai-sdk',
  title: 'AI SDK messages',
  looksFor: LOOKS_FOR,
  recovers: allBut('folder', 'compactions', 'sub-agents', 'branches'),
  detect,
  elements: [['*'], ['messages', '*']],
  open: (sink) => new AiSdkReader(sink),
};

function detect(sniff: Sniff): Detection {
  const isMine = sniff.values.some(isOwn);
  return isMine ? { score: 0.92, why: 'messages of the AI SDK' } : { score: 0, why: `looked for ${LOOKS_FOR}` };
}
