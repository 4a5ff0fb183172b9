import type { Command } from '../state/command.ts';

const step = (id: string, title: string, key: string, direction: 1 | -1): Command => ({
  id,
  title,
  group: 'Go',
  keys: [key],
  also: 'trail relied on used later source reference uses',
  isEnabled: ({ selection }) => selection?.kind === 'message',
  run: ({ app }) => void app.actions.stepTrail(direction),
});

/** Along the trail of the selected message: what it relied on, and what relied on it. */
export const trailCommands: readonly Command[] = [
  step('uses.next', 'Next use of the selected message', 'u', 1),
  step('uses.previous', 'Previous on the trail of the selected message', 'shift+u', -1),
];
