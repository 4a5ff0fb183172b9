// @vitest-environment happy-dom
// One combobox for all fields with a list: its keys, its pointer, what it says to screen readers, and whose Escape it is.
import { fireEvent } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { Combobox } from '../../renderer/ui/Combobox.tsx';
import { Modal } from '../../renderer/ui/Modal.tsx';
import { draw } from './support.tsx';

const FRUIT = ['apple', 'apricot', 'banana', 'cherry'];

interface Heard {
  readonly taken: string[];
  readonly entered: string[];
  closed: number;
}

function Field({ list, heard, closes }: { list: 'popover' | 'below' | 'shown'; heard: Heard; closes?: boolean }) {
  const [text, setText] = useState('');
  return (
    <Combobox
      value={text}
      onChange={setText}
      options={FRUIT.filter((one) => one.includes(text))}
      optionKey={(one) => one}
      onTake={(one) => {
        heard.taken.push(one);
        setText(closes ? one : '');
      }}
      onEnter={() => heard.entered.push(text)}
      alsoEnter=","
      {...(closes && { closesOnTake: true })}
      list={list}
      listLabel="Fruit"
      listClass="fruit"
      optionProps={() => ({ className: 'one' })}
      input={{ 'aria-label': 'Which fruit' }}
    >
      {(one) => <b>{one}</b>}
    </Combobox>
  );
}

function drawn(list: 'popover' | 'below' | 'shown', closes = false) {
  const heard: Heard = { taken: [], entered: [], closed: 0 };
  const found = draw(<Field list={list} heard={heard} closes={closes} />);
  const field = found.getByRole('combobox') as HTMLInputElement;
  return {
    ...found,
    heard,
    field,
    options: () => [...document.querySelectorAll('[role="option"]')].map((one) => one.textContent),
    pointedAt: () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null,
    type: (value: string) => fireEvent.change(field, { target: { value } }),
    /** False if the field took the key. */
    press: (key: string) => fireEvent.keyDown(field, { key }),
  };
}

describe.each(['popover', 'below'] as const)('a combobox with its list %s', (list) => {
  it('opens while typing, is walked by arrows, and Enter takes', () => {
    const box = drawn(list);
    expect(box.options()).toEqual([]);
    expect(box.field.getAttribute('aria-expanded')).toBe('false');
    box.type('ap');
    expect(box.options()).toEqual(['apple', 'apricot']);
    expect(box.field.getAttribute('aria-expanded')).toBe('true');
    expect(box.pointedAt()).toBeNull();
    expect(box.press('ArrowDown')).toBe(false);
    box.press('ArrowDown');
    expect(box.pointedAt()).toBe('apricot');
    box.press('Enter');
    expect(box.heard).toMatchObject({ taken: ['apricot'], entered: [] });
  });

  it('keeps what is typed where no option is chosen: Enter, or the key that does the same', () => {
    const box = drawn(list);
    box.type('ban');
    box.press('Enter');
    box.press(',');
    expect(box.heard).toMatchObject({ taken: [], entered: ['ban', 'ban'] });
    box.press('ArrowDown');
    box.press(',');
    expect(box.heard.taken).toEqual(['banana']);
  });

  it('forgets what was active when something else is typed', () => {
    const box = drawn(list);
    box.type('a');
    box.press('ArrowDown');
    expect(box.pointedAt()).toBe('apple');
    box.type('ap');
    expect(box.pointedAt()).toBeNull();
  });

  it('closes by Escape, which is then not of what is around, and opens again by an arrow', () => {
    const box = drawn(list);
    box.type('a');
    expect(box.field.getAttribute('data-escape')).toBe('own');
    expect(box.press('Escape')).toBe(false);
    expect(box.options()).toEqual([]);
    expect(box.field.value).toBe('a');
    expect(box.field.getAttribute('data-escape')).toBeNull();
    expect(box.press('Escape')).toBe(true);
    box.press('ArrowDown');
    expect(box.pointedAt()).toBe('apple');
  });

  it('is used by the pointer without losing the focus, and closes when left', () => {
    const box = drawn(list);
    box.type('c');
    const cherry = box.getByRole('option', { name: 'cherry', hidden: true });
    expect(fireEvent.pointerDown(cherry)).toBe(false);
    fireEvent.pointerMove(cherry);
    expect(cherry.getAttribute('aria-selected')).toBe('true');
    fireEvent.click(cherry);
    expect(box.heard.taken).toEqual(['cherry']);
    box.type('a');
    fireEvent.blur(box.field);
    expect(box.options()).toEqual([]);
  });

  it('says what it is: a list with a name, that the field controls', () => {
    const box = drawn(list);
    box.type('a');
    const shown = document.querySelector('[role="listbox"]');
    expect(shown?.getAttribute('aria-label')).toBe('Fruit');
    expect(box.field.getAttribute('aria-controls')).toBe(shown?.id);
    expect(box.field.getAttribute('aria-autocomplete')).toBe('list');
    expect(box.field.getAttribute('aria-label')).toBe('Which fruit');
    const ids = [...document.querySelectorAll('[role="option"]')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4 - 1);
  });
});

describe('a combobox of which one option is all', () => {
  it('closes when it is taken', () => {
    const box = drawn('below', true);
    box.type('app');
    box.press('ArrowDown');
    box.press('Enter');
    expect(box.field.value).toBe('apple');
    expect(box.options()).toEqual([]);
  });
});

describe('a combobox whose list is always shown', () => {
  it('has always one that Enter takes', () => {
    const box = drawn('shown');
    expect(box.options()).toEqual(FRUIT);
    expect(box.pointedAt()).toBe('apple');
    box.press('ArrowDown');
    box.press('ArrowDown');
    box.press('ArrowUp');
    box.press('Enter');
    expect(box.heard.taken).toEqual(['apricot']);
    box.type('nothing like it');
    expect(box.pointedAt()).toBeNull();
    expect(box.field.getAttribute('aria-expanded')).toBe('false');
    box.press('Enter');
    expect(box.heard.entered).toEqual(['nothing like it']);
  });

  it('is emptied by Escape; the next one closes the dialog around it', () => {
    const heard: Heard = { taken: [], entered: [], closed: 0 };
    const { getByRole } = draw(
      <Modal title="Fruit" onClose={() => heard.closed++}>
        <Field list="shown" heard={heard} />
      </Modal>,
    );
    const field = getByRole('combobox') as HTMLInputElement;
    fireEvent.change(field, { target: { value: 'ban' } });
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(field.value).toBe('');
    expect(heard.closed).toBe(0);
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(heard.closed).toBe(1);
  });
});
