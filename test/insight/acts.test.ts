// What a shell command does to files, as an autopsy reads it.
import { describe, expect, test } from 'vitest';
import { actsOf } from '../../core/insight/autopsy/acts.ts';
import { readMessage } from '../../core/model/readMessage.ts';

function edits(command: string): boolean {
  const input = { command };
  const message = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input }] };
  const [call] = readMessage(message).parts;
  if (call === undefined) throw new Error('no call');
  return actsOf(message, call).edits;
}

describe('a command', () => {
  test.each([
    ['echo done > notes.txt'],
    ['printf x >> src/a.ts'],
    ["cat > a.py <<'EOF'\nprint(1)\nEOF"],
    ["bash -lc 'echo done > notes.txt'"],
    ["sed -i 's/a/b/' a.ts"],
    ['git apply fix.patch'],
    ["apply_patch <<'EOF'\n*** Begin Patch\nEOF"],
  ])('that writes into a file edits: %s', (command) => {
    expect(edits(command)).toBe(true);
  });

  test.each([
    ['node -e "rows.map((k,i)=>keys.indexOf(k))"'],
    ["node -e 'const f = a=>b.c; console.log(x > y.z)'"],
    ["python3 - <<'PY'\ndef f(a) -> pkg.Type:\n    return a > b.c\nPY"],
    ['npm test 2> errors.log'],
    ['grep -n "a -> b.c" src/a.ts'],
    ['ls -la'],
  ])('that writes none does not: %s', (command) => {
    expect(edits(command)).toBe(false);
  });
});
