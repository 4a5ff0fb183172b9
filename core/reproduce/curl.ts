import { shellWord } from '../util/shellWord.ts';
import { jsonForTerminal } from '../util/unseen.ts';
import type { WireTarget } from '../wire/types.ts';
import { requestJson, type SentRequest } from './request.ts';

const HEADERS: Readonly<Record<WireTarget, readonly string[]>> = {
  anthropic: ['x-api-key: $ANTHROPIC_API_KEY', 'anthropic-version: 2023-06-01'],
  openai: ['authorization: Bearer $OPENAI_API_KEY'],
  responses: ['authorization: Bearer $OPENAI_API_KEY'],
  gemini: ['x-goog-api-key: $GEMINI_API_KEY'],
};

/** The request as a curl command for a POSIX shell; the key comes from the environment. The body is exactly the one written. */
export function curlCommand(request: SentRequest): string {
  const body = jsonForTerminal(requestJson(request));
  const mark = markFor(body);
  const headers = [
    ...HEADERS[request.target],
    ...(request.betas.length === 0 ? [] : [`anthropic-beta: ${request.betas.filter(isHeaderValue).join(',')}`]),
    'content-type: application/json',
  ];
  const flags = request.isStreamed ? '-sSN' : '-sS';
  return [
    ...request.about.map((line) => `# ${line}`),
    `curl ${flags} --fail-with-body ${shellWord(request.url)} \\`,
    ...headers.map((header) => `  -H "${header}" \\`),
    `  --data-binary @- <<'${mark}'`,
    body,
    mark,
    '',
  ].join('\n');
}

// What was recorded may hold anything; a header's value is a plain word.
function isHeaderValue(value: string): boolean {
  return /^[\w.:-]+$/.test(value);
}

// The line that ends the body must not be a line of it: JSON may have been recorded on several.
function markFor(body: string): string {
  const lines = new Set(body.split('\n'));
  let mark = 'BODY';
  while (lines.has(mark)) mark += '_';
  return mark;
}
