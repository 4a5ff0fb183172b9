import { grouped } from '../../view/words.ts';

/** A size in bytes for people: `812 B`, `2.1 kB`, `182 kB`, `4.8 MB` (1 kB = 1,000 B). */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${scaled(bytes / 1000)} kB`;
  return `${scaled(bytes / 1_000_000)} MB`;
}

function scaled(value: number): string {
  return value < 10 ? value.toFixed(1) : grouped(Math.round(value));
}

/** A signed difference in tokens as a chip: `−4,751`, `+120`. */
export function formatDelta(delta: number): string {
  return delta < 0 ? `−${grouped(-delta)}` : `+${grouped(delta)}`;
}

// Terminal colours and other control characters: a row shows the words. What turns the direction of what follows, or takes
// no room, stays: the screen draws it by its code.
const UNSEEN = /\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x08\x0e-\x1f\x7f]/g;
// A byte order mark counts as white space in regular expressions, but says more.
const SPACE = /[^\S\ufeff]+/g;

/** One line of at most `limit` UTF-16 units: white space collapsed, cut with an ellipsis. Looks at no more than it needs. */
export function oneLine(text: string, limit: number): string {
  const start = firstVisible(text);
  // Runs of white space shrink; looking at four times the limit nearly always fills the line, and bounds the work.
  const end = start + limit * 4;
  const line = text.slice(start, end).replace(UNSEEN, '').replace(SPACE, ' ').replace(/^ | $/g, '');
  if (line.length > limit) return `${cutPair(line.slice(0, limit - 1))}…`;
  return end < text.length ? `${cutPair(line)}…` : line;
}

function firstVisible(text: string): number {
  const at = text.search(/[\S\ufeff]/);
  return Math.max(at, 0);
}

/** Drops half a surrogate pair left at the end by a cut. */
export function cutPair(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
