// A small session that reads a file, and later the same file again: under a window of one turn because it was forgotten.

const read = (id: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: '{"path":"docs/harbour.md"}' } }],
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: `berth_9917 ${'quay '.repeat(60)}` });
const say = (role: string, content: string) => ({ role, content });

/** A window of one turn. */
export const ONE_TURN = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] };

/** Its ten messages: the file is read at #1 and #7. `first` = what it begins with. */
export const readAgain = (first = 'Read it.') => [
  ...[say('user', first), read('a'), result('a'), say('assistant', 'Yes.'), say('user', 'Think.')],
  ...[say('assistant', 'I do.'), say('user', 'Again.'), read('b'), result('b'), say('assistant', 'Done.')],
];

/** The session as a file. */
export function readAgainJson(first?: string): string {
  return JSON.stringify({ model: 'gpt-4o', messages: readAgain(first) });
}
