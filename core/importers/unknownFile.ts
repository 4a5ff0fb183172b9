// What is said of a file that no format claims: what it is, and what to do. Hosts add where they list their formats.
import type { Problem } from '../model/problem.ts';
import { arrayAt, isRecord, ownAt } from '../util/unknown.ts';
import type { Sniff } from './types.ts';

/**
 * `import.empty_file`, `import.binary_file` (images, archives, bytes), `import.not_transcript` (other text, or a file of
 * this program of another kind), `import.not_recognised`: JSON, whose fields a person may map.
 */
export function unknownFile(sniff: Sniff): Problem {
  const { code, text } = said(sniff);
  return { code, severity: 'error', text };
}

function said({ head, shape, values, looksLike }: Sniff): Pick<Problem, 'code' | 'text'> {
  if (shape === 'zip') return binary(`${looksLike}. Unpack it, and import the session file in it.`);
  if (shape === 'other' && head === '' && looksLike !== EMPTY) {
    const saysWhatToDo = /unpack|save/.test(looksLike);
    return binary(`${looksLike}.${saysWhatToDo ? '' : ' Import the file that the tool logs its session to.'}`);
  }
  if (shape === 'other' && head.trim() === '') {
    const text = 'The file is empty. If a tool is still writing it, import it again later.';
    return { code: 'import.empty_file', text };
  }
  if (shape === 'other') {
    const text = `Not a transcript: ${looksLike}. Transcripts are JSON or JSON lines.`;
    return { code: 'import.not_transcript', text };
  }
  if (isPolicy(values)) {
    const text = 'This is a policy, not a transcript. Open it with “Import a policy” in the policy panel.';
    return { code: 'import.not_transcript', text };
  }
  return { code: 'import.not_recognised', text: `Unknown format: ${looksLike}. If it holds messages, map its fields.` };
}

const EMPTY = 'an empty file';

function binary(what: string): Pick<Problem, 'code' | 'text'> {
  return { code: 'import.binary_file', text: `Not a transcript: ${what}` };
}

// A saved spec: its version, and stages each with a kind.
function isPolicy([value]: readonly unknown[]): boolean {
  const stages = isRecord(value) ? arrayAt(value, 'stages') : undefined;
  const isVersioned = isRecord(value) && ownAt(value, 'version') === 1;
  return isVersioned && stages?.every((stage) => isRecord(stage) && typeof ownAt(stage, 'kind') === 'string') === true;
}
