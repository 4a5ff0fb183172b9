// Tool definitions, from any form to any form: name, description, JSON schema of the arguments. Tools that a provider runs
// itself exist for that provider alone.
import { isRecord } from '../util/unknown.ts';
import { JsonNode } from './jsonNode.ts';
import type { LossList } from './losses.ts';
import { any, fits, type Shape, shape, shapeFor, text, trimmed } from './shapes.ts';
import { RESPONSES_TOOLS } from './targets/responsesShapes.ts';
import type { WireTarget } from './types.ts';
import { VENDOR_OF, type Vendor } from './vendor.ts';

const NOWHERE = { index: null, position: null };

/** A function or custom tool, its JSON texts as they stood. */
interface Tool {
  readonly name: string;
  readonly description: string | null;
  readonly schema: string | null;
  readonly strict: string | null;
  /** A tool that takes a text; its grammar. */
  readonly format: string | null;
  readonly isCustom: boolean;
}

const NO_SCHEMA = '{"type":"object","properties":{}}';

/** Definitions in the form of each target, recognised by their marks. */
type Form = WireTarget | 'other';

/** The JSON of the list of tools for a target, or null if there are none. `isVerbatim`: recorded on that very wire. */
export function toolsMember(
  target: WireTarget,
  recorded: string | null,
  isVerbatim: boolean,
  losses: LossList,
): string | null {
  if (recorded === null || isVerbatim) return recorded;
  const node = JsonNode.parse(recorded);
  if (!node.isArray) {
    losses.leftOut(NOWHERE, 'tool', ['tools'], 'tool definitions that are not a list');
    return null;
  }
  if (node.elements.length === 0) return null;
  const forms = new Set(node.elements.map(formOf));
  if (forms.size === 1 && forms.has(target)) return ownTools(node, losses);
  const written: string[] = [];
  for (const [at, tool] of node.elements.entries()) written.push(...writeTool(target, tool, ['tools', at], losses));
  if (written.length === 0) return null;
  return target === 'gemini' ? `[{"functionDeclarations":[${written.join(',')}]}]` : `[${written.join(',')}]`;
}

// Definitions in the target's own form; answers repeat those of the request with fields that requests do not have.
function ownTools(node: JsonNode, losses: LossList): string {
  const texts = node.elements.map((tool, at) => {
    const shape = shapeFor(tool, SERVER_TOOLS);
    return shape !== null && fits(tool, shape) ? trimmed(tool, shape, NOWHERE, ['tools', at], losses) : tool.text;
  });
  return texts.every((text, at) => text === node.elements[at]?.text) ? node.text : `[${texts.join(',')}]`;
}

const SERVER_TOOLS: Readonly<Record<string, Shape>> = {
  web_search: shape(
    { type: text },
    { external_web_access: any, filters: any, search_context_size: any, user_location: any },
  ),
  image_generation: shape(
    { type: text },
    {
      action: any,
      background: any,
      input_fidelity: any,
      input_image_mask: any,
      model: any,
      moderation: any,
      output_compression: any,
      output_format: any,
      partial_images: any,
      quality: any,
      size: any,
    },
  ),
};

const ANTHROPIC_TOOLS =
  /^(bash|text_editor|computer|web_search|web_fetch|code_execution|memory|tool_search_tool_\w+|(browser|computer)_toolset)_\d{8}$/;
const GEMINI_TOOLS = [
  'googleSearch',
  'googleSearchRetrieval',
  'codeExecution',
  'urlContext',
  'googleMaps',
  'fileSearch',
];

/** Whose form a definition has: a function of it, or something its provider runs itself. */
function formOf(tool: JsonNode): Form {
  const type = tool.string('type') ?? '';
  const declared = tool.get('functionDeclarations');
  if (declared !== null) return declared.elements.some(isSnake) ? 'other' : 'gemini';
  if (GEMINI_TOOLS.some((key) => tool.get(key) !== null)) return 'gemini';
  if (tool.get('function')?.isRecord === true || tool.get('custom')?.isRecord === true) return 'openai';
  if (tool.get('input_schema') !== null || ANTHROPIC_TOOLS.test(type)) return 'anthropic';
  return RESPONSES_TOOLS.has(type) && tool.get('inputSchema') === null ? 'responses' : 'other';
}

function isSnake(declaration: JsonNode): boolean {
  return declaration.get('parameters_json_schema') !== null;
}

const OWNERS: Readonly<Partial<Record<Form, Vendor>>> = {
  anthropic: 'anthropic',
  responses: 'openai',
  gemini: 'google',
};

function writeTool(target: WireTarget, node: JsonNode, path: readonly (string | number)[], losses: LossList): string[] {
  const declarations = node.get('functionDeclarations') ?? node.get('function_declarations');
  const tools = declarations?.isArray === true ? declarations.elements : [node];
  return tools.flatMap((each, at) => {
    const place = tools.length > 1 || each !== node ? [...path, at] : path;
    const tool = readTool(each);
    if (tool !== null) return writeFunction(target, tool, each, place, losses);
    // What the target's own provider runs stands as it is.
    const form = formOf(each);
    if (form === target || (OWNERS[form] === VENDOR_OF[target] && target === 'responses')) return [each.text];
    const name = each.string('name') ?? each.string('type') ?? [...each.members.keys()][0] ?? 'a tool';
    losses.leftOut(NOWHERE, 'tool', place, `${name}: a tool that its provider runs itself`);
    return [];
  });
}

function readTool(node: JsonNode): Tool | null {
  const holder = [node.get('function'), node.get('custom')].find((each) => each?.isRecord === true) ?? node;
  const name = holder.string('name');
  const type = node.string('type') ?? '';
  const isServer = type !== '' && type !== 'function' && type !== 'custom';
  if (name === undefined || isServer) return null;
  const schema = SCHEMA_KEYS.map((key) => holder.get(key)).find((each) => each?.isRecord === true);
  const isCustom = type === 'custom' && schema === undefined;
  const description = holder.get('description');
  return {
    name: JSON.stringify(name),
    description: description?.isString === true ? description.text : null,
    schema: schema === undefined || schema === null ? null : jsonSchema(schema),
    strict: holder.get('strict')?.text ?? null,
    format: holder.get('format')?.text ?? null,
    isCustom,
  };
}

const SCHEMA_KEYS = [
  'input_schema',
  'parameters',
  'parametersJsonSchema',
  'parameters_json_schema',
  'inputSchema',
  'schema',
];

const TOOL_KEYS = ['type', 'name', 'description', 'function', 'custom', ...SCHEMA_KEYS, 'strict', 'format'];

function writeFunction(
  target: WireTarget,
  tool: Tool,
  node: JsonNode,
  path: readonly (string | number)[],
  losses: LossList,
): string[] {
  losses.unused(NOWHERE, node, path, new Set(TOOL_KEYS));
  const { name, schema, strict, format, isCustom } = tool;
  const description = tool.description === null ? '' : `,"description":${tool.description}`;
  if (isCustom && (target === 'openai' || target === 'responses')) {
    const grammar = format === null ? '' : `,"format":${customFormat(format, target)}`;
    const body = `"name":${name}${description}${grammar}`;
    return [target === 'openai' ? `{"type":"custom","custom":{${body}}}` : `{"type":"custom",${body}}`];
  }
  if (isCustom) losses.changed(NOWHERE, 'custom_tool', path, `${name}: takes a text; given as {"input": …}`);
  const strictly = strict === 'true' ? ',"strict":true' : '';
  if (strictly !== '' && target === 'gemini') {
    losses.leftOut(
      NOWHERE,
      'field',
      [...path, 'strict'],
      `${name}: arguments strictly by the schema are not to be asked for`,
    );
  }
  const parameters = isCustom ? TEXT_SCHEMA : (schema ?? NO_SCHEMA);
  switch (target) {
    case 'anthropic':
      return [`{"name":${name}${description},"input_schema":${withType(parameters)}${strictly}}`];
    case 'openai': {
      return [`{"type":"function","function":{"name":${name}${description},"parameters":${parameters}${strictly}}}`];
    }
    case 'responses':
      return [
        `{"type":"function","name":${name}${description},"parameters":${parameters},"strict":${strict ?? 'false'}}`,
      ];
    case 'gemini':
      return [`{"name":${name}${description},"parametersJsonSchema":${parameters}}`];
  }
}

// A grammar is in an object of its own in chat completions, beside its type in Responses.
function customFormat(format: string, target: 'openai' | 'responses'): string {
  const node = JsonNode.parse(format);
  if (node.string('type') !== 'grammar') return format;
  const nested = node.get('grammar');
  const holder = nested ?? node;
  const grammar = ['syntax', 'definition'].flatMap((key) => {
    const member = holder.get(key);
    return member === null ? [] : [`"${key}":${member.text}`];
  });
  const inner = grammar.join(',');
  return target === 'openai' ? `{"type":"grammar","grammar":{${inner}}}` : `{"type":"grammar",${inner}}`;
}

const TEXT_SCHEMA = '{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}';

// The Messages API asks for "type": "object".
function withType(schema: string): string {
  const node = JsonNode.parse(schema);
  return node.get('type') === null ? `{"type":"object"${schema === '{}' ? '' : ','}${schema.slice(1)}` : schema;
}

// Gemini's own schemas are OpenAPI's: types in capitals, counts as texts.
function jsonSchema(node: JsonNode): string {
  const type = node.string('type') ?? '';
  return type !== '' && type === type.toUpperCase() ? JSON.stringify(lowered(node.value)) : node.text;
}

const COUNTS: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
]);

function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'type' && typeof inner === 'string') return [key, inner.toLowerCase()];
      if (COUNTS.has(key) && typeof inner === 'string') return [key, Number(inner)];
      return [key, lowered(inner)];
    }),
  );
}
