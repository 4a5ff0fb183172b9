import type { Usage } from '../../core/model/message.ts';
import type { MessageDetail } from '../../core/protocol/types.ts';
import { formatCount } from '../ui/format.ts';

/** What the other half of a pair is: `Its result`, `Its call`; with the tool's name where a message has several. */
export function describePair(detail: Pick<MessageDetail, 'parts' | 'pairs'>, part: number): string {
  const own = detail.parts.find((one) => one.part === part);
  const other = own?.kind === 'tool_call' ? 'result' : 'call';
  if (detail.pairs.length < 2) return `Its ${other}`;
  return `${own?.name ?? `Part ${part + 1}`}: ${other}`;
}

/** `in 12,000 · out 340 · cache read 11,000`, as recorded. */
export function describeUsage(usage: Usage): string {
  const words: readonly (readonly [string, number | undefined])[] = [
    ['in', usage.input],
    ['out', usage.output],
    ['cache read', usage.cacheRead],
    ['cache write', usage.cacheWrite],
    ['reasoning', usage.reasoning],
    ['total', usage.total],
  ];
  return words
    .filter((word): word is readonly [string, number] => word[1] !== undefined)
    .map(([name, tokens]) => `${name} ${formatCount(tokens)}`)
    .join(' · ');
}
