// browser-safe
// The patch language of Codex. Source: openai/codex, apply_patch's instructions: `*** Begin Patch` … `*** End Patch`, of
// each file a head (`*** Add File: `, `*** Update File: `, `*** Delete File: `), then lines that begin with ` `, `-`, `+`.
import type { DiffLine, FileChange } from './types.ts';

const HEAD = /^\*\*\* (Add|Update|Delete) File: (.*)$/;
const MOVE = /^\*\*\* Move to: (.*)$/;
const CHANGE = { Add: 'write', Update: 'edit', Delete: 'delete' } as const;

/** The changes of a patch by file; null if the text is not one as a whole, or, where it is cut, as far as it goes. */
export function readPatch(text: string, isCut = false): readonly FileChange[] | null {
  const lines = text.replace(/\n+$/, '').split('\n');
  if (lines[0]?.trim() !== '*** Begin Patch') return null;
  if (lines.at(-1)?.trim() !== '*** End Patch' && !isCut) return null;
  const files: { path: string; change: FileChange['change']; movedTo: string | null; lines: DiffLine[] }[] = [];
  for (const line of lines.slice(1, -1)) {
    const [, word, path] = HEAD.exec(line) ?? [];
    if (path !== undefined && (word === 'Add' || word === 'Update' || word === 'Delete')) {
      files.push({ path, change: CHANGE[word], movedTo: null, lines: [] });
      continue;
    }
    const file = files.at(-1);
    if (file === undefined) return null;
    const moved = MOVE.exec(line)?.[1];
    if (moved !== undefined) file.movedTo = moved;
    else {
      const read = patchLine(line);
      if (read === null) return null;
      file.lines.push(read);
    }
  }
  return files.length === 0 ? null : files;
}

function patchLine(line: string): DiffLine | null {
  if (line.startsWith('@@')) return { kind: 'gap', text: line };
  if (line === '*** End of File') return { kind: 'gap', text: line };
  const text = line.slice(1);
  if (line.startsWith('+')) return { kind: 'in', text };
  if (line.startsWith('-')) return { kind: 'out', text };
  return line === '' || line.startsWith(' ') ? { kind: 'same', text } : null;
}
