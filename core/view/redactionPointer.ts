import type { Part } from '../model/message.ts';
import { formatPath, type TranscriptSource } from '../model/transcript.ts';
import { scalarCount } from '../util/chars.ts';
import { compactJson, parseString, valueTextAt } from '../util/json/index.ts';
import type { RedactionPointer, StageContext } from './types.ts';

interface Body {
  readonly hash: string;
  readonly chars: number;
}

type Context = Pick<StageContext, 'source' | 'memo' | 'sha256'>;

const MOST_PARTS = 0x10000;

/**
 * Where the raw body of a tool result is (`part` of the raw message `index`), for whoever put `replacement` in its place.
 * Null for a body that no pointer can name: one that is neither `content` nor `content[i].content`. Bodies are hashed, and
 * pointers made, once.
 */
export function redactionPointer(
  index: number,
  part: number,
  replacement: string,
  policy: string,
  context: Context,
): RedactionPointer | null {
  const known = context.memo.get(
    `view.pointers ${policy} ${replacement}`,
    () => new Map<number, RedactionPointer | null>(),
  );
  const key = index * MOST_PARTS + part;
  const found = known.get(key);
  if (found !== undefined) return found;
  const pointer = makePointer(index, part, replacement, policy, context);
  known.set(key, pointer);
  return pointer;
}

/** False for a body that no pointer can name; costs no hash. */
export function mayPoint(index: number, part: number, { source }: Pick<Context, 'source'>): boolean {
  const found = source.facts(index).parts[part];
  return found !== undefined && isNameable(found);
}

function isNameable({ path }: Part): boolean {
  return path.length === 0 || (path[0] === 'content' && typeof path[1] === 'number');
}

function makePointer(
  index: number,
  part: number,
  replacement: string,
  policy: string,
  context: Context,
): RedactionPointer | null {
  const found = context.source.facts(index).parts[part];
  if (found === undefined || !isNameable(found)) return null;
  const block = found.path[1];
  const path = [...found.path, 'content'];
  const body = bodyAt(index, part, path, context);
  if (body === null) return null;
  return {
    policy,
    source: formatPath(index, path),
    source_index: index,
    source_block_index: typeof block === 'number' ? block : null,
    content_hash: body.hash,
    content_chars: body.chars,
    estimated_tokens_reclaimed: Math.floor(Math.max(0, body.chars - scalarCount(replacement)) / 4),
    tool_call_id: found.callId ?? null,
    tool_name: found.name ?? null,
    reason: policy,
  };
}

function bodyAt(
  index: number,
  part: number,
  path: readonly (string | number)[],
  { source, memo, sha256 }: Context,
): Body | null {
  const known = memo.get('view.resultBodies', () => new Map<number, Body | null>());
  const key = index * MOST_PARTS + part;
  const found = known.get(key);
  if (found !== undefined) return found;
  const content = contentAt(source, index, path);
  const body =
    content === null ? null : { hash: `sha256:${sha256().update(content).hex()}`, chars: scalarCount(content) };
  known.set(key, body);
  return body;
}

function contentAt(source: TranscriptSource, index: number, path: readonly (string | number)[]): string | null {
  const json = valueTextAt(source.text(index), path);
  if (json === null) return null;
  return json.startsWith('"') ? parseString(json, 0, json.length) : compactJson(json);
}
