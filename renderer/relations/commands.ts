import type { Command } from '../state/command.ts';
import type { AppState } from '../state/types.ts';

const hasBranches = ({ session }: AppState) => (session.relatives?.branches.length ?? 0) > 1;
const hasParent = ({ session }: AppState) => session.relatives?.parent != null;
const hasRelatives = ({ session }: AppState) => {
  const { relatives } = session;
  if (!relatives) return false;
  const { branches, children, continues, continuedBy, forks } = relatives;
  return branches.length + children.length + continuedBy.length + forks.length > 0 || continues !== null;
};

/** Going between transcripts that belong together. */
export const relationsCommands: readonly Command[] = [
  {
    id: 'relations.show',
    title: 'Show branches and sub-agents',
    group: 'Go',
    keys: ['b'],
    also: 'fork rewind edit switch relatives sessions',
    isEnabled: hasRelatives,
    run: ({ app }) => app.actions.openDialog({ kind: 'relations' }),
  },
  {
    id: 'branch.next',
    title: 'Open the next branch',
    group: 'Go',
    keys: ['shift+b'],
    isEnabled: hasBranches,
    run: ({ app }) => void app.actions.stepBranch(1),
  },
  {
    id: 'agent.open',
    title: 'Open the sub-agent of the selected call',
    group: 'Go',
    keys: ['alt+down'],
    also: 'task child started',
    isEnabled: ({ selection }) => selection?.kind === 'message',
    run: ({ app }) => void app.actions.openSpawned(),
  },
  {
    id: 'agent.parent',
    title: 'Go back to the call that started this sub-agent',
    group: 'Go',
    keys: ['alt+up'],
    also: 'parent session up',
    isEnabled: hasParent,
    run: ({ app }) => void app.actions.goToParent(),
  },
];
