// browser-safe
import type { DiffLine } from './types.ts';

/** Pairs of lines that are compared at most; beyond that the middle is all out, then all in. */
const MOST = 400_000;

/** The lines of two texts as one diff: removed before added. Equal texts have equal lines only. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = linesOf(before);
  const b = linesOf(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}

const same = (text: string): DiffLine => ({ kind: 'same', text });
const out = (text: string): DiffLine => ({ kind: 'out', text });
const within = (text: string): DiffLine => ({ kind: 'in', text });

function diffMiddle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  if (a.length === 0 || b.length === 0 || a.length * b.length > MOST) return [...a.map(out), ...b.map(within)];
  const lengths = commonLengths(a, b);
  const width = b.length + 1;
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      lines.push(same(left));
      i++;
      j++;
    } else if (
      left !== undefined &&
      (right === undefined || at(lengths, (i + 1) * width + j) >= at(lengths, i * width + j + 1))
    ) {
      lines.push(out(left));
      i++;
    } else if (right !== undefined) {
      lines.push(within(right));
      j++;
    }
  }
  return lines;
}

const at = (lengths: Uint32Array, place: number) => lengths[place] ?? 0;

/** Of each pair of places the length of the longest common sequence of lines from there on. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const place = i * width + j;
      lengths[place] =
        a[i] === b[j]
          ? at(lengths, place + width + 1) + 1
          : Math.max(at(lengths, place + width), at(lengths, place + 1));
    }
  }
  return lengths;
}
