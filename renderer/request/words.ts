// What the Request tab says. One place, so that screen and tests agree.
import type { Provenance, RequestCause, RequestChange } from '../../core/protocol/types.ts';
import { formatTokens, plural } from '../ui/format.ts';

/** What is done to messages, by the kind of a cause; the stage is in front. */
const VERB: Readonly<Record<Exclude<RequestCause['kind'], 'new' | 'tools' | 'put_in' | 'taken_out'>, string>> = {
  redacted: 'cleared',
  rewritten: 'rewrote',
  dropped: 'dropped',
  summarised: 'summarised',
  merged: 'merged',
  put_back: 'no longer changes',
};

const LABEL: Readonly<Record<RequestCause['kind'], string>> = {
  new: 'New messages',
  redacted: 'Cleared',
  rewritten: 'Rewritten',
  dropped: 'Dropped',
  summarised: 'Summarised',
  merged: 'Merged',
  put_back: 'Put back',
  put_in: 'Put in',
  taken_out: 'Taken out',
  tools: 'Loaded tools',
};

/** The word a cause begins with. */
export function causeLabel({ kind }: Pick<RequestCause, 'kind'>): string {
  return LABEL[kind];
}

/** `#0–#270, 271 messages, by Recorded compaction`; where others are between them `268 messages of #0–#270, by …`. */
export function causePlace({ kind, first, last, messages, title }: RequestCause): string {
  if (kind === 'tools') return 'definitions that messages load';
  const span = first === null || last === null ? null : first === last ? `#${first}` : `#${first}–#${last}`;
  const count = messages > 1 || span === null ? plural(messages, 'message') : null;
  const hasGaps = first !== null && last !== null && messages > 1 && messages < last - first + 1;
  const place = hasGaps ? [`${count} of ${span}`] : [span, count];
  return [...place, title && `by ${title}`].filter((word) => word !== null).join(', ');
}

/** Share of the change from which one cause is all but the whole. */
const NEARLY_ALL = 0.9;

/** What changed, in a sentence or two. `isMissed`: recorded usage says that the cache was lost at this request. */
export function describeRequestChange({ before, causes, models }: RequestChange, isMissed = false): string {
  if (before === null) return 'This is the first request. There is none before it to compare with.';
  const isOtherModel = models.before !== null && models.now !== null && models.before !== models.now;
  const model = isOtherModel ? ` Model changed: ${models.before} to ${models.now}.` : '';
  const news = causes.find(({ kind }) => kind === 'new');
  const others = causes.filter(({ kind }) => kind !== 'new');
  const [main] = others;
  if (main === undefined) {
    const grown = news === undefined ? 'No messages were added' : plural(news.messages, 'new message');
    if (isMissed) return `Cache lost, though the messages only grew: ${grown}.${model}`;
    return `${grown}, nothing else changed.${model}`;
  }
  const all = causes.reduce((sum, { tokens }) => sum + Math.abs(tokens), 0);
  const isMost = all > 0 && Math.abs(main.tokens) >= NEARLY_ALL * all;
  return `${describeCause(main)}${isMost ? ' That is nearly the whole change.' : ''}${isMissed ? ' The cache was lost with it.' : ''}${model}`;
}

function describeCause({ kind, title, messages }: RequestCause): string {
  const who = title ?? 'A stage';
  switch (kind) {
    case 'new':
      return `${plural(messages, 'new message')}.`;
    case 'tools':
      return 'Messages load other tools than before.';
    case 'put_in':
      return `${who} put in ${plural(messages, 'message')}.`;
    case 'taken_out':
      return `${who} removed ${plural(messages, 'message')} that it had added.`;
    default:
      return `${who} ${VERB[kind]} ${plural(messages, 'message')}.`;
  }
}

/** `−244,410`, `≈ +916`: a difference with its sign. */
export function formatDifference(tokens: number, provenance: Provenance): string {
  const sign = tokens > 0 ? '+' : tokens < 0 ? '−' : '±';
  return `${formatTokens(Math.abs(tokens), provenance).replace(/[\d,]+$/, '')}${sign}${formatTokens(Math.abs(tokens), 'exact')}`;
}

/** What is known not to have changed, and what cannot be known. */
export function describeRest(
  { models, before, elapsed }: RequestChange,
  gap: (ms: number) => string,
  isNext = false,
): string {
  if (isNext) return 'It was not made: no model has answered it. System prompt and tools are not recorded per request.';
  const model = models.now === null ? 'Model not recorded.' : `Model ${models.now}.`;
  const time = before === null || elapsed === null ? '' : ` Time since #${before}: ${gap(elapsed)}.`;
  return `${model}${time} System prompt and tools are not recorded per request.`;
}
