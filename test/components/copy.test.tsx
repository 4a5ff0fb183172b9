// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { COMMANDS } from '../../renderer/keys/commands.ts';
import { TIMELINE_ID } from '../../renderer/ui/useFocusReturn.ts';

it('Ctrl+C copies a message from the messages, and leaves the key to what else the keyboard is at', () => {
  const copy = COMMANDS.find(({ id }) => id === 'message.copy');
  document.body.innerHTML = `<div id="${TIMELINE_ID}" tabindex="0"></div><div id="list" tabindex="0"></div>`;
  const leavesAt = (id: string) => {
    document.getElementById(id)?.focus();
    return copy?.leaves?.();
  };
  expect(leavesAt(TIMELINE_ID)).toBe(false);
  expect(leavesAt('list')).toBe(true);
});
