import './relations.css';
import { Bot, GitBranch, GitFork, History, TriangleAlert } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useEffect } from 'react';
import type { Relatives } from '../../core/protocol/types.ts';
import { useActions, useApp, useAppState } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { Branches, Children, Forks, Sessions } from './RelationItems.tsx';
import { relativesCount } from './relationText.ts';

/** What belongs to the open transcript: its branches, its sub-agents, the sessions before and after it. */
export function RelationsMenu() {
  const relatives = useAppState((state) => state.session.relatives);
  const error = useAppState((state) => state.session.relativesError);
  const isOpen = useAppState((state) => state.ui.dialog?.kind === 'relations');
  const { store } = useApp();
  const { openDialog, loadRelatives } = useActions();
  const hasMenu = error === null && relatives !== null && relativesCount(relatives) > 0;
  // The transcript may go while its menu is open: a menu that is not there must not hold the keys.
  useEffect(() => {
    if (!hasMenu) return;
    return () => {
      if (store.getState().ui.dialog?.kind === 'relations') openDialog(null);
    };
  }, [hasMenu, store, openDialog]);
  if (error) {
    return (
      <button
        type="button"
        className="relations-button relations-failed"
        title={`Branches and sub-agents could not be read: ${error.message} Press to try again.`}
        onClick={() => void loadRelatives()}
      >
        <TriangleAlert size={12} aria-hidden /> branches
      </button>
    );
  }
  if (!hasMenu) return null;
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={(open) => openDialog(open ? { kind: 'relations' } : null)}>
      <DropdownMenu.Trigger
        className="relations-button"
        title={`${relationsTitle(relatives)} (B)`}
        data-testid="relations-button"
      >
        {relatives.branches.length > 0 && <Count icon={GitBranch} count={relatives.branches.length} />}
        {relatives.forks.length > 0 && <Count icon={GitFork} count={relatives.forks.length} />}
        {relatives.children.length > 0 && <Count icon={Bot} count={relatives.children.length} />}
        {(relatives.continues || relatives.continuedBy.length > 0) && <History size={12} aria-hidden />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu relations-menu"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          loop
          onCloseAutoFocus={focusList}
        >
          <Branches branches={relatives.branches} />
          <Forks list={relatives.forks} />
          <Children title="Sub-agents it started" list={relatives.children.filter(({ archived }) => !archived)} />
          <Children title="Archived by compactions" list={relatives.children.filter(({ archived }) => archived)} />
          {relatives.continues && <Sessions title="Continues from" list={[relatives.continues]} />}
          {relatives.continuedBy.length > 0 && <Sessions title="Continues in" list={relatives.continuedBy} />}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Whatever was chosen, one keeps reading. */
function focusList(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('.timeline-scroll')?.focus();
}

function Count({ icon: Icon, count }: { readonly icon: typeof Bot; readonly count: number }) {
  return (
    <span className="relations-count num">
      <Icon size={12} aria-hidden /> {count}
    </span>
  );
}

function relationsTitle({ branches, children, forks }: Relatives): string {
  const parts = [
    branches.length > 0 && plural(branches.length, 'branch', 'branches'),
    forks.length > 0 && plural(forks.length, 'what-if'),
    children.length > 0 && plural(children.length, 'sub-agent'),
  ];
  return parts.filter(Boolean).join(', ') || 'Sessions before and after';
}
