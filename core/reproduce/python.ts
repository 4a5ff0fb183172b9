import type { WireTarget } from '../wire/types.ts';
import { literalOf, PYTHON } from './literals.ts';
import { isBetaMember, isParameter } from './parameters.ts';
import type { SentRequest } from './request.ts';

type PythonTarget = Exclude<WireTarget, 'gemini'>;

const METHOD: Readonly<Record<PythonTarget, string>> = {
  anthropic: 'client.messages.create',
  openai: 'client.chat.completions.create',
  responses: 'client.responses.create',
};

/**
 * The request as a call of the provider's Python SDK; the client reads the key from the environment. Null for Gemini: its
 * package reads dictionaries otherwise than the body's JSON (bytes, names), so that the body would not be this one.
 */
export function pythonCall(request: SentRequest): string | null {
  const { target, about, isStreamed } = request;
  if (target === 'gemini') return null;
  const isAnthropic = target === 'anthropic';
  const head = isAnthropic
    ? ['import anthropic', '', 'client = anthropic.Anthropic()']
    : ['import openai', '', 'client = openai.OpenAI()'];
  const end = isStreamed ? ['for event in answer:', '    print(event)'] : ['print(answer.model_dump_json(indent=2))'];
  const given = argumentsOf(request).map(([name, literal]) => `    ${name}=${literal},`);
  return [
    ...about.map((line) => `# ${line}`),
    ...head,
    '',
    `answer = ${methodOf(request, target)}(`,
    ...given,
    ')',
    ...end,
    '',
  ].join('\n');
}

function methodOf({ betas, members }: SentRequest, target: PythonTarget): string {
  const isBeta = target === 'anthropic' && (betas.length > 0 || [...members.keys()].some(isBetaMember));
  return isBeta ? 'client.beta.messages.create' : METHOD[target];
}

// Members that the method does not know by name go out in `extra_body`, as the package merges it into the body.
function argumentsOf({ target, betas, members }: SentRequest): readonly (readonly [string, string])[] {
  const given: (readonly [string, string])[] = [];
  const others: string[] = [];
  for (const [name, { text }] of members) {
    if (isParameter(target, name)) given.push([name, literalOf(text, PYTHON, 1)]);
    else others.push(`${JSON.stringify(name)}:${text}`);
  }
  if (betas.length > 0) given.push(['betas', literalOf(JSON.stringify(betas), PYTHON, 1)]);
  if (others.length > 0) given.push(['extra_body', literalOf(`{${others.join(',')}}`, PYTHON, 1)]);
  return given;
}
