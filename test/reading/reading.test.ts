import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ansiSpans } from '../../core/reading/ansi.ts';
import { callView } from '../../core/reading/callView.ts';
import { readCutJson } from '../../core/reading/json.ts';
import { diffLines } from '../../core/reading/lineDiff.ts';
import { readPatch } from '../../core/reading/patch.ts';
import { providerView } from '../../core/reading/providerView.ts';
import { resultView } from '../../core/reading/resultView.ts';
import { TOOL_TABLE, toolFamily } from '../../core/reading/tools.ts';

describe('the table of tools', () => {
  it('has one family for a name, whoever uses it', () => {
    const families = new Map<string, string>();
    for (const { names } of TOOL_TABLE)
      for (const [family, own] of Object.entries(names))
        for (const name of own) {
          const plain = name.toLowerCase().replace(/[_-]/g, '');
          expect([plain, families.get(plain) ?? family]).toEqual([plain, family]);
          families.set(plain, family);
        }
  });

  it.each([
    ['Bash', 'shell'],
    ['exec_command', 'shell'],
    ['functions.exec_command', 'shell'],
    ['run_shell_command', 'shell'],
    ['str_replace_editor', 'editor'],
    ['todo-write', 'todo'],
    ['constructor', null],
    ['get_weather', null],
    [null, null],
  ])('%s → %s', (name, family) => expect(toolFamily(name)).toBe(family));
});

const json = (value: unknown) => JSON.stringify(value);

describe('a call', () => {
  it.each([
    [
      'Bash',
      { command: 'ls -l', description: 'List' },
      { kind: 'terminal', command: 'ls -l', title: 'List', cwd: null },
    ],
    [
      'shell',
      { command: ['bash', '-lc', 'ls | wc'] },
      { kind: 'terminal', command: 'ls | wc', title: null, cwd: null },
    ],
    ['shell', { command: ['echo', "it's"] }, { kind: 'terminal', command: `echo 'it'\\''s'`, title: null, cwd: null }],
    ['exec_command', { cmd: 'ls', workdir: '/w' }, { kind: 'terminal', command: 'ls', title: null, cwd: '/w' }],
    [
      'Read',
      { file_path: 'a.ts', offset: 11, limit: 10 },
      { kind: 'file', path: 'a.ts', range: 'from line 11, 10 lines' },
    ],
    [
      'str_replace_editor',
      { command: 'view', path: '/a', view_range: [3, 9] },
      { kind: 'file', path: '/a', range: 'lines 3–9' },
    ],
    ['Grep', { pattern: 'a+', path: 'src' }, { kind: 'search', pattern: 'a+', others: [], where: 'src' }],
    [
      'update_plan',
      {
        plan: [
          { step: 'a', status: 'completed' },
          { step: 'b', status: 'in_progress' },
        ],
      },
      {
        kind: 'todo',
        items: [
          { text: 'a', state: 'done' },
          { text: 'b', state: 'active' },
        ],
      },
    ],
    [
      'WebFetch',
      { url: 'https://a.b', prompt: 'What?' },
      { kind: 'web', target: 'https://a.b', others: [], isAddress: true, question: 'What?' },
    ],
    [
      'Task',
      { description: 'Look', prompt: 'Go', subagent_type: 'Explore' },
      { kind: 'agent', title: 'Look', type: 'Explore', prompt: 'Go' },
    ],
  ])('of %s', (name, args, body) => expect(callView(name, json(args))).toEqual({ body, rest: [] }));

  it.each([
    ['Edit', { file_path: 'a', old_string: 'x\ny', new_string: 'x\nz' }],
    ['replace', { file_path: 'a', old_string: 'x\ny', new_string: 'x\nz' }],
    ['edit', { path: 'a', edits: [{ oldText: 'x\ny', newText: 'x\nz' }] }],
    ['MultiEdit', { file_path: 'a', edits: [{ old_string: 'x\ny', new_string: 'x\nz', replace_all: false }] }],
    ['str_replace_editor', { command: 'str_replace', path: 'a', old_str: 'x\ny', new_str: 'x\nz' }],
  ])('of %s is a diff', (name, args) => {
    const lines = [
      { kind: 'same', text: 'x' },
      { kind: 'out', text: 'y' },
      { kind: 'in', text: 'z' },
    ];
    expect(callView(name, json(args))).toEqual({
      body: { kind: 'diff', files: [{ path: 'a', change: 'edit', movedTo: null, lines }] },
      rest: [],
    });
  });

  it('says a question once', () => {
    const body = { kind: 'web', target: 'Why?', others: [], isAddress: false, question: null };
    expect(callView('web_fetch', json({ prompt: 'Why?' }))).toEqual({ body, rest: [] });
  });

  it('leaves no argument out', () => {
    expect(callView('Bash', json({ command: 'ls', timeout: 5 }))?.rest).toEqual([{ name: 'timeout', value: '5' }]);
    expect(callView('mine', json({ a: 'x\ny', b: [1] }))).toEqual({
      body: { kind: 'fields' },
      rest: [
        { name: 'a', value: 'x\ny' },
        { name: 'b', value: '[\n  1\n]' },
      ],
    });
    expect(callView('mine', '{"id":1234567890123456789,"of":[1.0]}')?.rest).toEqual([
      { name: 'id', value: '1234567890123456789' },
      { name: 'of', value: '[\n  1.0\n]' },
    ]);
    expect(callView('Read', '{"file_path":"a","offset":11.0,"limit":5.0}')).toEqual(
      callView('Read', json({ file_path: 'a', offset: 11, limit: 5 })),
    );
    // What the family cannot hold as a whole is not drawn in part.
    expect(callView('TodoWrite', json({ todos: ['odd'] }))?.body).toEqual({ kind: 'fields' });
    expect(
      callView('MultiEdit', json({ edits: [{ old_string: 'a', new_string: 'b', replace_all: true }] }))?.body,
    ).toEqual({
      kind: 'fields',
    });
  });

  it('that is not JSON, or cut, is left as it is', () => {
    expect(callView('Bash', '{"command":"ls')).toBeNull();
    expect(callView('Bash', '[1]')).toBeNull();
    expect(callView('exec', 'await f()')).toBeNull();
  });
});

describe('a patch', () => {
  const text =
    '*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@ f\n x\n-y\n+z\n*** Add File: c\n+d\n*** Delete File: e\n*** End Patch';
  const files = [
    {
      path: 'a.ts',
      change: 'edit',
      movedTo: 'b.ts',
      lines: [
        { kind: 'gap', text: '@@ f' },
        { kind: 'same', text: 'x' },
        { kind: 'out', text: 'y' },
        { kind: 'in', text: 'z' },
      ],
    },
    { path: 'c', change: 'write', movedTo: null, lines: [{ kind: 'in', text: 'd' }] },
    { path: 'e', change: 'delete', movedTo: null, lines: [] },
  ];

  it('is read by file, alone or as an argument', () => {
    expect(readPatch(text)).toEqual(files);
    expect(callView('apply_patch', text)?.body).toEqual({ kind: 'diff', files });
    expect(callView('apply_patch', json({ input: text }))?.body).toEqual({ kind: 'diff', files });
  });

  it('is read of one operation on one file, as OpenAI’s own tool has it', () => {
    const [update, write, gone] = files;
    const diff = '@@ f\n x\n-y\n+z\n';
    const operation = (type: string, path: string, diff?: string) => json({ type, path, ...(diff && { diff }) });
    const moved = { ...update, movedTo: null };
    const body = (one: unknown) => ({ kind: 'diff', files: [one] });
    expect(callView('apply_patch', operation('update_file', 'a.ts', diff))?.body).toEqual(body(moved));
    expect(callView('apply_patch', operation('create_file', 'c', '+d'))?.body).toEqual(body(write));
    expect(callView('apply_patch', operation('delete_file', 'e'))?.body).toEqual(body(gone));
    expect(callView('apply_patch', operation('update_file', 'a', 'no diff'))?.body.kind).not.toBe('diff');
    expect(callView('apply_patch', operation('rename_file', 'a', diff))?.body.kind).not.toBe('diff');
  });

  it('with a line that is none of a patch is not guessed at', () => {
    expect(readPatch(text.replace('-y', '?y'))).toBeNull();
    expect(readPatch('*** Begin Patch\n*** End Patch')).toBeNull();
  });
});

describe('a diff of lines', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
  it('has both texts in it', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const side = (other: string) => lines.filter(({ kind }) => kind !== other).map((line) => line.text);
        expect(side('in').join('\n')).toBe(before);
        expect(side('out').join('\n')).toBe(after);
      }),
    );
  });
});

describe('a result', () => {
  it('of Codex in JSON is its output, what else is said in the head', () => {
    const text = json({ output: 'a\nb', metadata: { exit_code: 3, duration_seconds: 0.1 } });
    const head = 'exit_code: 3\nduration_seconds: 0.1\n';
    expect(resultView({ name: 'shell', text: '{}' }, text)).toEqual({ kind: 'output', head, text: 'a\nb', exit: 3 });
    // What has more than that is not Codex's, and stays whole.
    const other = json({ output: 'a', metadata: {}, more: 1 });
    expect(resultView({ name: 'shell', text: '{}' }, other)).toMatchObject({ head: '', text: other });
  });

  const call = (name: string, args: unknown = {}) => ({ name, text: json(args) });

  it('of Codex’s shell has its head apart, and its exit code', () => {
    const head = 'Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 2\nOriginal token count: 1\nOutput:\n';
    expect(resultView(call('exec_command'), `${head}x\n`)).toEqual({ kind: 'output', head, text: 'x\n', exit: 2 });
  });

  it.each([
    ['Exit code 2\nx', 2],
    ['x\n[The command completed with exit code 1.]', 1],
    ['<returncode>3</returncode>\n<output>\nx\n</output>', 3],
    ['Command: ls\nDirectory: (root)\nOutput: x\nError: (none)\nExit Code: 4\nSignal: 0\nBackground PIDs: (none)', 4],
    // What a command printed is not how it ended.
    ['grep found: exited with code 7', null],
    ['Exit code 7', null],
    ['Process exited with code 7\nx', null],
    ['Command: ls\nDirectory: (root)\nOutput: Exit Code: 7\nmore', null],
    ['Wall time: 1 seconds\nOutput:\nProcess exited with code 7', null],
  ])('says how a command ended only where its tool does: %j', (text, exit) =>
    expect(resultView(call('Bash'), text)).toMatchObject({ exit }),
  );

  it('of a file has its lines by their numbers', () => {
    expect(resultView(call('Read', { file_path: 'a.ts' }), '     9→a\n    10→b\n\n<reminder>')).toEqual({
      kind: 'lines',
      path: 'a.ts',
      head: '',
      lines: [
        { number: 9, text: 'a' },
        { number: 10, text: 'b' },
      ],
      tail: '\n\n<reminder>',
    });
  });

  it('of a search has its hits by file', () => {
    expect(resultView(call('Grep'), 'C:\\a.ts:3:x\nC:\\a.ts:4:y\nb.ts:1:z')).toMatchObject({
      groups: [
        { path: 'C:\\a.ts', lines: [{ number: 3 }, { number: 4 }] },
        { path: 'b.ts', lines: [{ number: 1, text: 'z' }] },
      ],
    });
  });

  it('of a search in one file has its hits under the file that the call names', () => {
    const where = call('Grep', { pattern: 'x', path: 'D:\\a.ts' });
    expect(resultView(where, '3:x\n4-y\n--\n9: z: 1')).toMatchObject({
      kind: 'hits',
      groups: [
        {
          path: 'D:\\a.ts',
          lines: [
            { number: 3, text: 'x' },
            { number: 4, text: 'y' },
            { number: null, text: '--' },
            { number: 9, text: ' z: 1' },
          ],
        },
      ],
    });
    // Without a hit it is a text that has dashes.
    expect(resultView(where, '2024-01-02\n2024-01-03')).toBeNull();
    expect(resultView(where, '3:x\nand more\n4:y')).toBeNull();
  });

  it('of a search has the lines around a hit with it', () => {
    const text = 'a-1.ts-2-before\na-1.ts:3:x\na-1.ts-4-after\n--\na-1.ts:9:y\n--\nb.ts-1-before\nb.ts:2:z';
    expect(resultView(call('grep'), text)).toMatchObject({
      groups: [
        {
          path: 'a-1.ts',
          lines: [{ number: 2 }, { number: 3 }, { number: 4 }, { text: '--' }, { number: 9, text: 'y' }],
        },
        { path: null, lines: [{ text: '--' }] },
        { path: 'b.ts', lines: [{ number: 1, text: 'before' }, { number: 2 }] },
      ],
    });
  });

  it('of a search of the web that is wrapped as JSON has its pages, and a page its words', () => {
    const found = { query: 'q', results: [{ title: 'One', url: 'https://a.b', age: 3 }] };
    expect(resultView(call('web_search'), json(found))).toEqual({
      kind: 'pages',
      head: '',
      pages: [{ address: 'https://a.b', title: 'One', rest: [{ name: 'age', value: '3' }] }],
      text: '',
      rest: [{ name: 'query', value: 'q' }],
    });
    expect(resultView(call('web_fetch'), json({ url: 'https://a.b', text: '# Head' }))).toEqual({
      kind: 'prose',
      text: '# Head',
      rest: [{ name: 'url', value: 'https://a.b' }],
    });
    expect(resultView(call('WebFetch'), '[Artifact "x"]')).toMatchObject({ kind: 'prose' });
    // Emphasis in a script is none.
    expect(
      resultView(call('WebFetch'), '[Artifact "x"; head follows]\n<!doctype html><script>a*b*c</script>'),
    ).toBeNull();
    expect(resultView(call('WebFetch'), 'Write `<html lang="en">` at its top. '.padStart(3_000, '- '))).not.toBeNull();
  });

  it('of Claude Code’s search of the web has its pages as a list, between what was asked and what it says of them', () => {
    const asked = 'Web search results for query: "lamps"';
    const links = json([
      { title: 'One [1]', url: 'https://a.b' },
      { title: 'Two', url: 'https://c.d' },
    ]);
    expect(resultView(call('WebSearch'), `${asked}\n\nLinks: ${links}\n\n## What is known\n- much`)).toEqual({
      kind: 'pages',
      head: asked,
      pages: [
        { address: 'https://a.b', title: 'One [1]', rest: [] },
        { address: 'https://c.d', title: 'Two', rest: [] },
      ],
      text: '## What is known\n- much',
      rest: [],
    });
    for (const other of [`${asked}\n\nNo links found.`, `${asked}\n\nLinks: [{"title":"cut`, `Links: ${links}`])
      expect(resultView(call('WebSearch'), other)).toEqual({ kind: 'prose', text: other, rest: [] });
  });

  it('of SWE-agent’s window has its lines by their numbers', () => {
    const text = '[File: a.py (2 lines total)]\n1:import os\n2:x: int = 3\n(Open file: a.py)';
    expect(resultView(call('open', { path: 'a.py' }), text)).toMatchObject({
      kind: 'lines',
      lines: [
        { number: 1, text: 'import os' },
        { number: 2, text: 'x: int = 3' },
      ],
      tail: '\n(Open file: a.py)',
    });
  });

  it('of an unknown tool is left as it is', () => expect(resultView(call('mine'), 'x')).toBeNull());
});

describe('colours of a terminal', () => {
  it('are told by word, and reset', () => {
    expect(ansiSpans('a\x1b[1;31mb\x1b[0mc').map(({ text, color, isBold }) => [text, color, isBold])).toEqual([
      ['a', null, false],
      ['b', 'red', true],
      ['c', null, false],
    ]);
    expect(ansiSpans('\x1b[38;5;9mx')[0]?.color).toBe('red');
    expect(ansiSpans('\x1b[38;2;10;200;10mx')[0]?.color).toBe('green');
  });

  it('hide nothing: only colour sequences are taken from the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\x1b', '[', '8', 'm', '0', ';', 'H', 'a', '\r', '\n') }),
        (text) => {
          const plain = text.replace(/\x1b\[[\d;:]{0,64}m/g, '');
          expect(
            ansiSpans(text)
              .map((span) => span.text)
              .join(''),
          ).toBe(plain);
        },
      ),
    );
  });
});

describe('a call of which only the beginning is here', () => {
  it('has what is whole, and a string as far as it goes', () => {
    expect(readCutJson('{"a":1,"b":{"c":["x","y\\n')).toEqual({ a: 1, b: { c: ['x', 'y\n'] } });
    expect(readCutJson('{"a":"x","b":12')).toEqual({ a: 'x' });
    expect(readCutJson('{"a":"x","bc')).toEqual({ a: 'x' });
    expect(readCutJson('{"a":"\\u00')).toEqual({ a: '' });
    expect(readCutJson('no JSON')).toBeNull();
  });

  it('wherever it was cut says nothing that is not in it', () => {
    const value = fc.object({
      maxDepth: 3,
      // No backslash: V8 of Node 24 takes a key for another one that it has seen in its place, and that is how this one is
      // written (a quote for a backslash).
      key: fc.string({ unit: fc.constantFrom('a', '"', 'é', '{', ',') }),
      values: [
        fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '}', ',', 'é', '\u0001') }),
        fc.integer(),
        fc.boolean(),
      ],
    });
    fc.assert(
      fc.property(value, fc.nat(), (whole, at) => {
        const text = json(whole);
        const read = readCutJson(text.slice(0, 1 + (at % text.length)));
        expect(read === null ? null : isBeginning(read, JSON.parse(text))).toBe(true);
      }),
    );
  });

  it.each([
    ['Write', { file_path: 'a.ts', content: 'one\ntwo\n'.repeat(90) }, 'diff'],
    ['Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'one\ntwo\n'.repeat(90) }, 'diff'],
    ['Bash', { command: 'echo one; '.repeat(90) }, 'terminal'],
    ['Agent', { description: 'Look', prompt: 'words '.repeat(90) }, 'agent'],
  ])('is drawn by its tool: %s', (name, args, kind) => {
    const view = callView(name, json(args).slice(0, 300), true);
    expect(view?.body.kind).toBe(kind);
    if (view?.body.kind === 'diff') expect(view.body.files).toMatchObject([{ path: 'a.ts', isCut: true }]);
    // A text that no one cut and that is no JSON is shown as it is.
    expect(callView(name, json(args).slice(0, 300))).toBeNull();
  });

  it('is drawn where it is a patch', () => {
    const text = '*** Begin Patch\n*** Update File: a.ts\n@@\n-old\n+new\n+mo';
    const lines = [{ kind: 'gap' }, { kind: 'out', text: 'old' }, { kind: 'in', text: 'new' }];
    const files = [{ path: 'a.ts', isCut: true, lines }];
    expect(callView('apply_patch', text, true)).toMatchObject({ body: { kind: 'diff', files } });
    expect(callView('apply_patch', json({ input: text }).slice(0, -2), true)).toMatchObject({ body: { files } });
  });
});

function isBeginning(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
  if (Array.isArray(part)) return Array.isArray(whole) && part.every((one, at) => isBeginning(one, whole[at]));
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null) return false;
  const of = new Map(Object.entries(whole));
  return Object.entries(part).every(([key, one]) => of.has(key) && isBeginning(one, of.get(key)));
}

describe('a block of a tool that the provider ran', () => {
  it('is the call, by its tool', () => {
    const action = { type: 'search', query: 'weather', sources: [{ type: 'url', url: 'https://a.b' }] };
    expect(providerView(json({ type: 'web_search_call', status: 'completed', action }))).toEqual({
      call: {
        body: { kind: 'web', target: 'weather', others: [], isAddress: false, question: null },
        rest: [{ name: 'type', value: 'search' }],
      },
      pages: [{ address: 'https://a.b', title: null, rest: [] }],
      output: null,
      rest: [{ name: 'status', value: 'completed' }],
    });
    const use = { type: 'server_tool_use', id: 'u', name: 'bash_code_execution', input: { command: 'ls' } };
    expect(providerView(json(use))?.call?.body).toMatchObject({ kind: 'terminal', command: 'ls' });
    const ran = { type: 'code_interpreter_call', code: 'print(1)', outputs: [{ type: 'logs', logs: '1\n' }] };
    expect(providerView(json(ran))).toMatchObject({ call: { body: { command: 'print(1)' } }, output: { text: '1\n' } });
  });

  it('is what was found or printed', () => {
    const content = [{ type: 'web_search_result', title: 'One', url: 'https://a.b', encrypted_content: 'abc' }];
    expect(providerView(json({ type: 'web_search_tool_result', tool_use_id: 'u', content }))).toMatchObject({
      call: null,
      pages: [{ title: 'One', rest: [{ name: 'encrypted_content', value: 'abc' }] }],
    });
    const printed = { type: 'bash_code_execution_result', stdout: 'a', stderr: 'b', return_code: 2 };
    expect(providerView(json({ type: 'bash_code_execution_tool_result', content: printed }))).toMatchObject({
      output: { text: 'a\nb', exit: 2 },
    });
  });

  it('is no other block, and no text', () => {
    for (const text of [json({ type: 'text', text: 'a_call' }), json({ type: 'compaction' }), 'x', '[]'])
      expect(providerView(text)).toBeNull();
  });
});
