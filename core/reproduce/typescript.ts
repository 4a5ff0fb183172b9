import type { JsonNode } from '../wire/jsonNode.ts';
import type { WireTarget } from '../wire/types.ts';
import { importLine, type LiteralStyle, literalOf, TYPESCRIPT } from './literals.ts';
import { isBetaMember } from './parameters.ts';
import type { SentRequest } from './request.ts';

/** The request as a call of the provider's TypeScript SDK; the client reads the key from the environment. */
export function typescriptCall(request: SentRequest): string {
  const { about, isStreamed } = request;
  const { head, call } = request.target === 'gemini' ? geminiCall(request) : sdkCall(request);
  const end = isStreamed
    ? ['for await (const event of answer) console.log(JSON.stringify(event));']
    : ['console.log(JSON.stringify(answer, null, 2));'];
  return [...about.map((line) => `// ${line}`), ...head, '', `const answer = await ${call};`, ...end, ''].join('\n');
}

interface Call {
  readonly head: readonly string[];
  readonly call: string;
}

const METHOD: Readonly<Record<Exclude<WireTarget, 'gemini'>, string>> = {
  anthropic: 'client.messages.create',
  openai: 'client.chat.completions.create',
  responses: 'client.responses.create',
};

function sdkCall(request: SentRequest): Call {
  const { target, betas, members } = request;
  const isAnthropic = target === 'anthropic';
  const head = isAnthropic
    ? [importLine('Anthropic', '@anthropic-ai/sdk'), '', 'const client = new Anthropic();']
    : [importLine('OpenAI', 'openai'), '', 'const client = new OpenAI();'];
  const isBeta = isAnthropic && (betas.length > 0 || [...members.keys()].some(isBetaMember));
  const method = isBeta ? 'client.beta.messages.create' : METHOD[target === 'gemini' ? 'openai' : target];
  const given = [...members].map(([name, { text }]) => [name, text] as const);
  if (betas.length > 0) given.push(['betas', JSON.stringify(betas)]);
  return { head, call: `${method}(${objectOf(given, target === 'responses' ? SENT_BACK : TYPESCRIPT)})` };
}

/** Members of Gemini's body that its SDK's method takes beside `config`. */
const CONTENTS = 'contents';
const GENERATION = 'generationConfig';

// The method takes the model by name, and everything but the contents in one `config`, the settings of the answer among it.
function geminiCall({ members, url }: SentRequest): Call {
  const model = decodeURIComponent(/models\/([^/]*):/.exec(url)?.[1] ?? '');
  const config: (readonly [string, string])[] = [];
  for (const [name, node] of members) {
    if (name === CONTENTS) continue;
    if (name !== GENERATION) config.push([name, node.text]);
    else for (const [inner, each] of node.members) config.push([inner, each.text]);
  }
  const given: (readonly [string, string])[] = [
    ['model', JSON.stringify(model)],
    [CONTENTS, members.get(CONTENTS)?.text ?? '[]'],
  ];
  if (config.length > 0)
    given.push(['config', `{${config.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`]);
  const names = config.length === 0 ? 'GoogleGenAI' : 'type GenerateContentConfig, GoogleGenAI';
  return {
    head: [importLine(`{ ${names} }`, '@google/genai'), '', 'const client = new GoogleGenAI({});'],
    call: `client.models.generateContent(${objectOf(given, GEMINI)})`,
  };
}

// The SDK's enums take no plain words, which the API does.
const GEMINI: LiteralStyle = {
  ...TYPESCRIPT,
  around: (_node, path) =>
    path.length === 1 && path[0] === 'config' ? ['', ' as unknown as GenerateContentConfig'] : null,
};

// Answers are sent back without ids, states and annotations (`store: false`), which the API takes and its types ask for.
const SENT_BACK: LiteralStyle = {
  ...TYPESCRIPT,
  around: (node, path) =>
    path.length === 2 && path[0] === 'input' && lacksItsOwn(node)
      ? ['', ' as unknown as OpenAI.Responses.ResponseInputItem']
      : null,
};

function lacksItsOwn(node: JsonNode): boolean {
  const type = node.string('type') ?? 'message';
  if (type === 'reasoning' || type === 'web_search_call') return node.get('id') === null;
  if (type !== 'message' || node.string('role') !== 'assistant' || node.get('content')?.isArray !== true) return false;
  const isBare = node.get('id') === null || node.get('status') === null;
  return isBare || (node.get('content')?.elements ?? []).some((block) => block.get('annotations') === null);
}

// One member a line, whatever its length.
function objectOf(members: readonly (readonly [string, string])[], style: LiteralStyle): string {
  const lines = members.map(([name, json]) => `  ${style.key(name)}: ${memberLiteral(name, json, style)},\n`);
  return `{\n${lines.join('')}}`;
}

function memberLiteral(name: string, json: string, style: LiteralStyle): string {
  const { around } = style;
  if (around === undefined) return literalOf(json, style, 1);
  const below: LiteralStyle = { ...style, around: (node, path) => around(node, [name, ...path]) };
  return literalOf(json, below, 1);
}
