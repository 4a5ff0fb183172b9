// OpenAI's Responses API: requests with input items, responses with output items, lists of items, logs and traces of
// these. Items are joined into messages (responsesItems.ts); histories repeated in a log are read once.

import { allBut, type Detection, type Format, type Sniff } from '../../types.ts';
import { OpenaiResponsesReader } from './reader.ts';
import { scoreOf, scoreOfLines } from './shapes.ts';

const LOOKS_FOR =
  'a Responses API request (input items with model or instructions), a response (object response), a list of items, or packets of these';

/** Requests and responses of the Responses API, folded into conversations. */
export const openaiResponses: Format = {
  id: 'openai-responses',
  title: 'OpenAI Responses API',
  looksFor: LOOKS_FOR,
  recovers: allBut('folder', 'sub-agents', 'branches'),
  detect,
  elements: [['packets', '*'], ['input', '*'], ['output', '*'], ['data', '*'], ['*']],
  open: (sink) => new OpenaiResponsesReader(sink),
};

function detect({ values, shape }: Sniff): Detection {
  const score = shape === 'json' ? scoreOf(values[0]) : scoreOfLines(values);
  return { score, why: score > 0 ? 'items of the Responses API' : `looked for ${LOOKS_FOR}` };
}
