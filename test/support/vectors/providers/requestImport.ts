// The request or the exchange of a case as a file of its API, and read as one.
import { type ImportedTranscript, importText } from '../../../../core/importers/memory.ts';
import { recordAt, stringAt } from '../../../../core/util/unknown.ts';
import type { ProviderVector } from './index.ts';

const HEAD = {
  anthropic: { model: 'claude-opus-5-5', max_tokens: 1024, system: 'You are careful.' },
  openai: { model: 'gpt-5.6', instructions: 'You are careful.', max_output_tokens: 1024 },
};

/** The transcript that comes of a case's request, and of its answer if it has one. Throws if it is not one. */
export function importedFrom(vector: ProviderVector): ImportedTranscript {
  const head = stringAt(vector, 'provider') === 'openai' ? HEAD.openai : HEAD.anthropic;
  const model = stringAt(vector, 'model');
  const request = { ...head, ...(model !== undefined && { model }), ...recordAt(vector, 'request') };
  const response = recordAt(vector, 'response');
  const answer = { id: 'msg_1', type: 'message', role: 'assistant', model: request.model, content: [], ...response };
  const asked = response !== undefined && recordAt(vector, 'request') === undefined;
  const messages = asked ? { messages: [{ role: 'user', content: 'Go on.' }] } : {};
  const file = response === undefined ? request : { request: { ...request, ...messages }, response: answer };
  const [transcript] = importText(Buffer.from(JSON.stringify(file))).transcripts;
  if (transcript === undefined) throw new Error('the request was not read');
  return transcript;
}
