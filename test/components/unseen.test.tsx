// @vitest-environment happy-dom
// What cannot be seen is said: a text with it is not what it looks like.
import { describe, expect, it } from 'vitest';
import { Marked } from '../../renderer/ui/Marked.tsx';
import { draw } from './support.tsx';

describe('a text with characters that cannot be seen', () => {
  it.each([
    ['over\u202edirr', 'overU+202Edirr', 'U+202E right-to-left override'],
    ['zero\u200bwidth', 'zeroU+200Bwidth', 'U+200B zero-width space'],
    ['\ufeffbegin', 'U+FEFFbegin', 'U+FEFF zero-width no-break space (byte order mark)'],
    ['\u001b[31mred', 'U+001B[31mred', 'U+001B escape'],
    ['hid\u{e0041}den', 'hidU+E0041den', 'U+E0041'],
  ])('%j shows them by their codes', (text, shown, title) => {
    const { container } = draw(<Marked text={text} marks={[]} />);
    expect(container.textContent).toBe(shown);
    expect(container.querySelector('.unseen')?.getAttribute('title')).toBe(title);
  });

  it('shows them within what was found, and around it', () => {
    const { container } = draw(<Marked text={'a\u200bbc\u200bd'} marks={[{ start: 2, end: 5 }]} />);
    expect(container.textContent).toBe('aU+200BbcU+200Bd');
    expect(container.querySelector('mark')?.textContent).toBe('bcU+200B');
  });

  it.each(['👩‍👩‍👧', 'می‌خواهم', 'plain\ttext\nhere', 'é'])('%s is left as it is', (text) => {
    const { container } = draw(<Marked text={text} marks={[]} />);
    expect(container.textContent).toBe(text);
    expect(container.querySelector('.unseen')).toBeNull();
  });
});
