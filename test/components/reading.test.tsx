// @vitest-environment happy-dom
// Messages as people read them: what is drawn of Markdown, of calls and of results, and that nothing in them acts.
import { act } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { PartContent } from '../../renderer/reading/PartContent.tsx';
import type { ReadPart } from '../../renderer/reading/PartReading.tsx';
import { loadAhead } from '../../renderer/ui/lazily.tsx';
import { draw } from './support.tsx';

beforeAll(loadAhead);

const drawn = (part: Partial<ReadPart>) =>
  draw(<PartContent kind="text" name={null} call={null} text="" isCut={false} isFollowed={false} {...part} />);

const shown = (part: Partial<ReadPart>) => drawn(part).container.textContent;

describe('a file that the client attached', () => {
  const source = '# a comment\n*p = 1\nreturn __init__  # 2 * 3 * 4';
  const drawnOf = (text: string, attached: ReadPart['attached'], isCut = false) =>
    drawn({ text, isCut, ...(attached && { attached }) }).container;

  it.each(['file', 'file_change', 'memory', 'editor'] as const)('is code in its lines: %s', (attached) => {
    const container = drawnOf(`/home/me/src/a.py\n${source}`, attached);
    expect(container.querySelector('h1, em, strong, li')).toBeNull();
    expect(container.querySelector('.tool-path')?.textContent).toBe('/home/me/src/a.py');
    expect(container.querySelector('pre')?.textContent).toBe(`${source}\n`);
  });

  it('is read as Markdown if its name says so, and its path stays as it is', () => {
    const container = drawnOf('D:\\work\\.rules\\go.md\n# Rules\n\n- one', 'memory');
    expect(container.querySelector('.tool-path')?.textContent).toBe('D:\\work\\.rules\\go.md');
    expect(container.querySelector('h1')?.textContent).toBe('Rules');
  });

  it('says which lines were selected, and keeps the numbers of a snippet', () => {
    expect(drawnOf(`src/a.py:12-14\n${source}`, 'editor').querySelector('.tool-head')?.textContent).toBe(
      'src/a.pylines 12–14',
    );
    const snippet = drawnOf('src/a.py\n7\t# one\n8\t* two', 'file_change');
    expect([...snippet.querySelectorAll('.line-number')].map((one) => one.getAttribute('data-number'))).toEqual([
      '7',
      '8',
    ]);
    expect(drawnOf('src/__init__.py', 'editor').textContent).toBe('src/__init__.py');
  });

  it('without a name is plain lines, and instructions without one are prose', () => {
    expect(drawnOf(source, 'file').querySelector('h1, em')).toBeNull();
    expect(drawnOf('# Be brief\n\nand kind', 'memory').querySelector('h1')?.textContent).toBe('Be brief');
  });

  it.each([
    ['<file path="src/a.py">', '</file>'],
    ['<file name="/home/me/a.py">', '</file>'],
    ['<file_content path="src/a.py">', '</file_content>'],
    ['<attachment id="a.py" filePath="/x/a.py">', '</attachment>'],
  ])('in a wrapper of a message stays code, and what is around it Markdown: %s', (open, close) => {
    const text = `Look at **this**:\n${open}\n${source}\n${close}\n\nand *say*`;
    const container = drawnOf(text, undefined);
    expect(container.querySelector('h1, li')).toBeNull();
    expect(container.querySelector('strong')?.textContent).toBe('this');
    expect(container.querySelector('em')?.textContent).toBe('say');
    expect(container.querySelector('[data-testid="file"]')?.textContent).toBe(
      `${/"([^"]+\.py)"/.exec(open)?.[1]}${open}${source}\n${close}`,
    );
    expect(drawnOf(`${open}\n${source}`, undefined, true).querySelector('h1, em')).toBeNull();
  });

  it('is not every tag: without a name, or within a line, a text is prose', () => {
    for (const text of [
      '<file>\n# Head\n</file>',
      'see <file path="a.py"> here\n# Head',
      '<document>\n# Head\n</document>',
    ]) {
      expect(drawnOf(text, undefined).querySelector('[data-testid="file"]'), text).toBeNull();
    }
  });
});

describe('a text', () => {
  it('is drawn as Markdown, and as it is recorded when that is chosen', () => {
    const text = '# Head\n\nSome **bold** and `code`\n\n- one\n\n| a | b |\n|---|---|\n| c | d |';
    const { app, container } = drawn({ text });
    expect(container.querySelector('h1')?.textContent).toBe('Head');
    expect(container.querySelector('strong')?.textContent).toBe('bold');
    expect(container.querySelectorAll('li, th, td')).toHaveLength(5);
    act(() => app.actions.toggleRawTexts());
    expect(container.querySelector('pre')?.textContent).toBe(text);
  });

  it('shows what cannot be seen by its code, in prose, code and tables', () => {
    const text = 'a\u202eb `c\u200bd`\n\n```\ne\ufefff\n```\n\nx &#x202e; y';
    expect(shown({ text })?.match(/U\+\w{4}/g)).toEqual(['U+202E', 'U+200B', 'U+FEFF', 'U+202E']);
  });

  it('marks what is looked for', () => {
    const { app, container } = drawn({ text: 'one **two** three' });
    act(() => app.store.setState(({ session }) => ({ session: { ...session, id: 'mock' } })));
    act(() => app.store.setState(({ find }) => ({ find: { ...find, isOpen: true, text: 'two' } })));
    expect(container.querySelector('strong mark')?.textContent).toBe('two');
  });
});

describe('a tool', () => {
  it('that the provider ran is drawn as one, not as JSON', () => {
    const action = { type: 'search', query: 'weather in Oslo' };
    const text = JSON.stringify({ type: 'web_search_call', status: 'completed', action });
    const { container } = drawn({ kind: 'other', text });
    expect(container.querySelector('.tool-head')?.textContent).toBe('weather in Oslo');
    expect(container.textContent).not.toContain('{');
    expect(shown({ kind: 'other', text: '{"type":"note"}' })).toContain('"note"');
  });

  it('whose call is cut is drawn as far as it goes, without counts', () => {
    const args = { file_path: 'a.md', content: 'line\n'.repeat(50) };
    const { container } = drawn({
      kind: 'tool_call',
      name: 'Write',
      text: JSON.stringify(args).slice(0, 90),
      isCut: true,
    });
    expect(container.querySelectorAll('.diff-in').length).toBeGreaterThan(5);
    expect(container.querySelector('.diff-count-in')).toBeNull();
    expect(container.textContent).toContain('Not all of the call is shown');
  });

  it('that runs a command is a terminal, with its colours and its exit', () => {
    expect(shown({ kind: 'tool_call', name: 'Bash', text: '{"command":"ls -l"}' })).toContain('$ ls -l');
    const call = { name: 'exec_command', text: '{"cmd":"x"}' };
    const text = 'Chunk ID: 1\nProcess exited with code 3\nOutput:\n\u001b[31mred\u001b[0m';
    const { container } = drawn({ kind: 'tool_result', call, text });
    expect(container.querySelector('.ansi-red')?.textContent).toBe('red');
    expect(container.textContent).toContain('exit 3');
  });

  it('that edits a file is a diff', () => {
    const args = { file_path: 'a.md', old_string: 'x\ny', new_string: 'x\nz' };
    const { container } = drawn({ kind: 'tool_call', name: 'Edit', text: JSON.stringify(args) });
    const lines = [...container.querySelectorAll('.line')].map((line) => [line.className, line.textContent]);
    expect(lines).toEqual([
      ['line diff-same', 'x\n'],
      ['line diff-out', 'removed y\n'],
      ['line diff-in', 'added z\n'],
    ]);
  });

  it('that is not known has its arguments by name', () => {
    expect(shown({ kind: 'tool_call', name: 'mine', text: '{"a":"x\\ny","b":2}' })).toBe('ax\nyb2');
  });

  it('whose arguments cannot be read is shown as it is', () => {
    expect(shown({ kind: 'tool_call', name: 'Bash', text: '{"command":"l' })).toBe('{"command":"l');
  });
});

/** What a hostile transcript may hold; each is drawn in each kind of part. */
const HOSTILE = [
  '<script>window.hit=1</script><img src=x onerror="window.hit=1"><svg onload="window.hit=1">',
  '![a](https://evil.example/a.png) [b](https://evil.example) [c](javascript:alert(1)) <https://evil.example>',
  '[ref]: https://evil.example/x\n\n![ref] [ref]',
  '<style>*{display:none}</style><iframe src="https://evil.example"></iframe><base href="https://evil.example">',
  '```html\n<script>window.hit=1</script>\n```',
  '```"><img src=x onerror=window.hit=1>\nx\n```',
  '| <img src=https://evil.example> |\n|---|\n| <form action=https://evil.example><input></form> |',
  '<a href="https://evil.example" style="position:fixed;inset:0">x</a>',
  '\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007 \u001b[2J\u001b[1;1H\u001b[8mhidden',
  `${'>'.repeat(5000)}x`,
  `${'- '.repeat(5000)}x`,
  `${'['.repeat(5000)}x${']'.repeat(5000)}`,
  `${'*a **b '.repeat(2000)}`,
  `|${'a|'.repeat(60)}\n|${'-|'.repeat(60)}\n${`|${'b|'.repeat(60)}\n`.repeat(20)}`,
];

describe('a hostile text', () => {
  const KINDS = ['text', 'thinking', 'tool_call', 'tool_result', 'other'] as const;
  const CALLS = ['Bash', 'Read', 'Grep', 'WebFetch', 'Edit', 'mine'];
  it.each(HOSTILE.map((text) => [text.slice(0, 40), text] as const))('has nothing that acts: %s', (_head, text) => {
    for (const kind of KINDS) {
      for (const name of kind === 'tool_call' || kind === 'tool_result' ? CALLS : ['']) {
        const args = JSON.stringify({ command: text, file_path: text, pattern: text, url: text, new_string: text });
        const part = kind === 'tool_call' ? { text: args, name } : { text, call: { name, text: args } };
        const { container, unmount } = drawn({ kind, ...part });
        const acting =
          'script, img, svg[onload], iframe, object, embed, style, link, base, form, input, a, [src], [href]';
        expect([...container.querySelectorAll(acting)].map((one) => one.outerHTML)).toEqual([]);
        const styled = [...container.querySelectorAll('[style]')];
        expect(styled).toEqual([]);
        unmount();
      }
    }
    expect('hit' in window).toBe(false);
  });

  it('hides no word behind a terminal’s sequences', () => {
    const call = { name: 'Bash', text: '{"command":"x"}' };
    expect(shown({ kind: 'tool_result', call, text: HOSTILE[8] ?? '' })).toContain('hidden');
  });
});
