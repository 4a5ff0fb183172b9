// Calls, results and approvals of a view as Vercel's AI SDK sees them, whatever format they are in.
import type { Part } from '../../../model/message.ts';
import { valueAt } from '../../../model/partText.ts';
import { isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import { exchangesOf } from '../../../view/exchangesOf.ts';
import type { ViewReader } from '../../../view/reader.ts';
import type { StageContext } from '../../../view/types.ts';

/** A part that has to do with a tool call. Positions are those of the view. */
export interface ToolPart {
  readonly message: number;
  readonly part: number;
  /** The tool's name; null where nothing gives it. */
  readonly tool: string | null;
  /**
   * What it is spared by: its call's key; an approval's own key, and behind it the key of its call, which an approval among
   * the last messages spares too.
   */
  readonly keys: readonly string[];
}

/** All tool parts in order. */
export function toolPartsOf(reader: ViewReader, context: StageContext): readonly ToolPart[] {
  const keyOf = keysByPlace(reader, context);
  const found: ToolPart[] = [];
  for (let position = 0; position < reader.length; position++) {
    const { role, parts } = reader.facts(position);
    for (const [at, part] of parts.entries()) {
      const approval = isLoneResult(part) ? approvalOf(reader, position) : null;
      if (approval !== null) found.push({ ...approval, message: position, part: at });
      else if (part.kind === 'tool_call' || part.kind === 'tool_result') {
        const key = part.callId ?? keyOf(position, at);
        found.push({ message: position, part: at, tool: part.name ?? null, keys: [key] });
      } else if (part.kind === 'other' && (role === 'assistant' || role === 'tool')) {
        const read = readOther(reader, position, part);
        if (read !== null) found.push({ ...read, message: position, part: at });
      }
    }
  }
  return withNames(found);
}

// The key of a call is its id; where ids are missing, that of the pair as it is read elsewhere in the program.
function keysByPlace(reader: ViewReader, context: StageContext): (message: number, part: number) => string {
  let keys: ReadonlyMap<string, string> | null = null;
  return (message, part) => {
    keys ??= pairKeys(reader, context);
    return keys.get(`${message} ${part}`) ?? `${message} ${part}`;
  };
}

function pairKeys(reader: ViewReader, context: StageContext): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const exchange of exchangesOf(reader, context)) {
    for (const { message, part, results } of exchange.calls) {
      const places = [{ message, part }, ...results];
      const ids = places.map((place) => reader.facts(place.message).parts[place.part]?.callId);
      const key = ids.find((id) => typeof id === 'string') ?? `${message} ${part}`;
      for (const place of places) keys.set(`${place.message} ${place.part}`, key);
    }
  }
  return keys;
}

// A tool message without a call's id may hold the answer to a request for approval, and nothing else.
function isLoneResult({ kind, path, callId }: Part): boolean {
  return kind === 'tool_result' && path.length === 0 && (callId ?? null) === null;
}

function approvalOf(reader: ViewReader, position: number): Omit<ToolPart, 'message' | 'part'> | null {
  const message: unknown = JSON.parse(reader.text(position));
  const content = isRecord(message) ? ownAt(message, 'content') : undefined;
  const [block]: readonly unknown[] = Array.isArray(content) ? content : [];
  return isRecord(block) ? readBlock(block) : null;
}

// Approvals, and results that the provider gave inside the assistant's own message.
function readOther(reader: ViewReader, position: number, { path }: Part): Omit<ToolPart, 'message' | 'part'> | null {
  const block = valueAt(JSON.parse(reader.text(position)), path);
  return isRecord(block) ? readBlock(block) : null;
}

function readBlock(block: Readonly<Record<string, unknown>>): Omit<ToolPart, 'message' | 'part'> | null {
  const type = stringAt(block, 'type') ?? '';
  const callId = stringAt(block, 'toolCallId');
  if (type === 'tool-result' && callId !== undefined) {
    return { tool: stringAt(block, 'toolName') ?? null, keys: [callId] };
  }
  const approval = stringAt(block, 'approvalId');
  if (approval === undefined || (type !== 'tool-approval-request' && type !== 'tool-approval-response')) return null;
  return { tool: null, keys: [`approval ${approval}`, ...(callId === undefined ? [] : [callId])] };
}

// An approval is known by its id, and asked for by a request that names the call; the call names the tool.
function withNames(parts: readonly ToolPart[]): readonly ToolPart[] {
  const tools = new Map<string, string>();
  const calls = new Map<string, string>();
  for (const { keys, tool } of parts) {
    const [key, call] = keys;
    if (key === undefined) continue;
    if (tool !== null) tools.set(key, tool);
    if (call !== undefined) calls.set(key, call);
  }
  return parts.map((part) => {
    const [key = '', own] = part.keys;
    const call = own ?? calls.get(key);
    const tool = part.tool ?? tools.get(key) ?? (call === undefined ? null : (tools.get(call) ?? null));
    return { ...part, tool, keys: call === undefined ? part.keys : [key, call] };
  });
}
