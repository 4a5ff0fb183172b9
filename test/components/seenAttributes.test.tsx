// @vitest-environment happy-dom
// No title, label or placeholder of the page holds a character that cannot be seen or that turns what follows, whatever is
// in files, names and errors: over hostile texts, in components of every kind, when they come and when they change.
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, withCodes } from '../../core/util/unseen.ts';
import { Facts } from '../../renderer/drawer/Facts.tsx';
import { PickList } from '../../renderer/ui/PickList.tsx';
import { keepAttributesSeen, SHOWN_ATTRIBUTES } from '../../renderer/ui/seenAttributes.ts';
import { detailOf } from '../support/detail.ts';
import { draw } from './support.tsx';

const HOSTILE = [
  'photo\u202egnp.exe',
  'a\u2066b\u2069c\u200fd\u061c',
  '\u001b]0;title\u0007\u009b31m',
  'zero\u200bwidth\ufeff',
  'tag\u{e0041}\u{e007f}',
  'nul\u0000bell\u0007del\u007f',
];
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

let end = (): void => {};
afterEach(() => end());

const settled = () => new Promise<void>((resolve) => setTimeout(resolve));

function raw(): readonly string[] {
  return [...document.querySelectorAll('*')].flatMap((element) =>
    SHOWN_ATTRIBUTES.flatMap((name) => {
      const text = element.getAttribute(name);
      return text !== null && UNSEEN.test(text) ? [`${element.tagName} ${name}: ${JSON.stringify(text)}`] : [];
    }),
  );
}

function Everywhere({ text }: { readonly text: string }) {
  const detail = detailOf({ text });
  const origins = [{ file: `/home/${text}`, line: 1, byteStart: 0, byteEnd: 9 }];
  return (
    <>
      {SHOWN_ATTRIBUTES.map((name) => (
        <span key={name} {...{ [name]: text }} />
      ))}
      <Facts detail={{ ...detail, origins, meta: { ...detail.meta, model: text, id: text } }} />
      <PickList label={text} placeholder={text} groups={[]} empty={text} onPick={() => {}}>
        <button type="button" title={text}>
          <img alt={text} />
        </button>
      </PickList>
    </>
  );
}

describe.each(HOSTILE)('%j', (text) => {
  it('is shown by its codes in every attribute, when it is drawn and when it changes', async () => {
    const { container, redraw } = draw(<Everywhere text="plain" />);
    end = keepAttributesSeen(document);
    redraw(<Everywhere text={text} />);
    expect(raw().length, 'it is hostile').toBeGreaterThan(0);
    await settled();
    expect(raw()).toEqual([]);
    for (const name of SHOWN_ATTRIBUTES)
      expect(container.querySelector(`[${name}]`)?.getAttribute(name)).toBe(withCodes(text));
    redraw(<Everywhere text={`${text}\u202e`} />);
    await settled();
    expect(raw()).toEqual([]);
    expect(container.querySelector('[title]')?.getAttribute('title')).toContain(codeOf('\u202e'));
  });

  it('also in what stood there before, and in what comes', async () => {
    draw(<Everywhere text={text} />);
    end = keepAttributesSeen(document);
    expect(raw()).toEqual([]);
    draw(<Everywhere text={text} />);
    await settled();
    expect(raw()).toEqual([]);
  });
});

it('leaves alone what can be seen: line breaks, emoji, scripts that join their letters', async () => {
  end = keepAttributesSeen(document);
  const texts = ['first\nsecond\tthird', '👩‍👩‍👧', 'می‌خواهم', 'é'];
  const { container } = draw(texts.map((text) => <span key={text} title={text} />));
  await settled();
  expect([...container.querySelectorAll('[title]')].map((element) => element.getAttribute('title'))).toEqual(texts);
});
