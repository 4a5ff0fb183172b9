// When two messages of successive requests are the same one.

import { canonicalJson, removeMember } from '../../../util/json/index.ts';
import { isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import type { FoldMessage } from '../../reading/requestFolder.ts';
import { elementSpans, sliceAt, spanAt } from '../../reading/slices.ts';

/** Role and blocks without cache_control (on blocks and inside results); a bare string is one text block. */
export function identityOf({ text, value }: FoldMessage): string {
  if (!isRecord(value)) return text;
  const content = sliceAt(text, ['content']) ?? 'null';
  return `${stringAt(value, 'role') ?? ''}:${contentIdentity(content, 2)}`;
}

function contentIdentity(content: string, depth: number): string {
  if (content.startsWith('"')) return canonicalJson(`[{"type":"text","text":${content}}]`);
  if (!content.startsWith('[') || !content.includes('"cache_control"')) return canonicalJson(content);
  const blocks = elementSpans(content, 0).map(({ start, end }) => blockIdentity(content.slice(start, end), depth));
  return `[${blocks.join(',')}]`;
}

function blockIdentity(block: string, depth: number): string {
  if (!block.startsWith('{') || !block.includes('"cache_control"')) return canonicalJson(block);
  const bare = removeMember(block, [], 'cache_control');
  const inner = spanAt(bare, ['content']);
  if (!inner || depth === 0 || bare[inner.start] !== '[') return canonicalJson(bare);
  const content = contentIdentity(bare.slice(inner.start, inner.end), depth - 1);
  return canonicalJson(bare.slice(0, inner.start) + content + bare.slice(inner.end));
}

/** What an answer says: its texts and calls. Reasoning is left out: traces record it without the signature it is sent back with. */
export function answerOf({ value }: FoldMessage): string {
  const content = isRecord(value) ? ownAt(value, 'content') : undefined;
  const role = isRecord(value) ? (stringAt(value, 'role') ?? '') : '';
  if (typeof content === 'string') return `${role}:text ${content}`;
  if (!Array.isArray(content)) return `${role}:${typeof content}`;
  const said = content.filter(isRecord).flatMap((block) => {
    const type = stringAt(block, 'type') ?? '';
    if (type.includes('thinking')) return [];
    return [`${type} ${stringAt(block, 'id') ?? stringAt(block, 'tool_use_id') ?? stringAt(block, 'text') ?? ''}`];
  });
  return `${role}:${said.join('\n')}`;
}
