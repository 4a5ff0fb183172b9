// Calls that only look at what is there: files, listings, manuals. What they give stays as it is until something is done; a
// call that runs checks or asks for a state (tests, `git status`, a screenshot) is made again to see what has become of it.
import type { Part } from '../model/message.ts';
import { actsOf } from './autopsy/acts.ts';

const READS = /read|view|grep|glob|search|list|^ls$|^cat$|fetch|find|look/i;
const READERS: ReadonlySet<string> = new Set(
  'cat cd cut dir du echo egrep file find grep head jq less ls more nl pwd rg sed sort stat tail test tree true type uniq wc which get-content get-childitem select-string'.split(
    ' ',
  ),
);
/** What these run may have changed. */
const RUNNERS =
  /^(?:\S*\/)?(?:bun|bunx|cargo|deno|go|make|node|npm|npx|pnpm|python\d?|ruby|tsx|uv|uvx|yarn)\b|^\.{0,2}\//;
const HELP = /\s(?:--help|-h|help)(?:\s+2>&1)?$/;
/** Writing to a file, in place, or running something for each file. */
const WRITES = />(?!&\d|\s*\/dev\/null)|\s-i\b|\s--in-place\b|\s-(?:delete|exec|execdir|ok)\b/;

/** True if a call of a parsed message only looks at what is there. */
export function looksOnly(message: unknown, call: Part): boolean {
  const { commands, edits } = actsOf(message, call);
  if (edits) return false;
  return commands.length > 0 ? commands.every(isReading) : READS.test(call.name ?? '');
}

function isReading(line: string): boolean {
  const pieces = line.split(/&&|\|\||[;|\n]/).map((piece) => piece.trim());
  return pieces.every((piece) => {
    if (piece === '') return true;
    const [first = ''] = piece.split(/\s/, 1);
    if (HELP.test(piece)) return !RUNNERS.test(piece);
    return READERS.has(first.toLowerCase()) && !WRITES.test(piece.replace(/'[^']*'|"[^"]*"/g, '""'));
  });
}
