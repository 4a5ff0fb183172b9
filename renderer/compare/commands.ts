import { presetNamed } from '../../core/projection/presets.ts';
import type { Command } from '../state/command.ts';
import type { AppState, CompareOrder } from '../state/types.ts';

const isOpen = ({ session }: AppState) => session.id !== null;
const isComparing = ({ session, ui, compare }: AppState) =>
  session.id !== null && ui.mode === 'compare' && compare.b !== null;

const order = (id: string, title: string, what: CompareOrder): Command => ({
  id,
  title,
  group: 'Go',
  also: 'compare a b',
  isEnabled: isComparing,
  run: ({ app }) => app.actions.orderCompare(what),
});

export const compareCommands: readonly Command[] = [
  {
    id: 'compare.recorded',
    title: 'Compare this policy with the recorded history',
    group: 'Policy',
    also: 'a b difference as recorded what happened',
    isEnabled: isOpen,
    run({ app }) {
      const preset = presetNamed('as_recorded');
      if (preset !== null) app.actions.compareWith(preset);
    },
  },
  {
    id: 'compare.last',
    title: 'Compare with the policy before the last change',
    group: 'Policy',
    also: 'a b difference undo',
    isEnabled: ({ session, projection }) => session.id !== null && projection.past.length > 0,
    run: ({ app }) => app.actions.compareWithLast(),
  },
  order('compare.next', 'Compare: next difference', 'next'),
  order('compare.previous', 'Compare: previous difference', 'previous'),
  order('compare.nextCall', 'Compare: next request that differs', 'nextCall'),
  order('compare.previousCall', 'Compare: previous request that differs', 'previousCall'),
];
