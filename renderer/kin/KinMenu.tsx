import './kin.css';
import { Bot, Check, GitBranch, History, TriangleAlert } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { BranchLink, ChildLink, Relatives, TranscriptLink } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { branchWords, childWords, kinCount } from './kinText.ts';

/** What belongs to the open transcript: its branches, its sub-agents, the sessions before and after it. */
export function KinMenu() {
  const relatives = useAppState((state) => state.session.relatives);
  const error = useAppState((state) => state.session.relativesError);
  const isOpen = useAppState((state) => state.ui.dialog === 'kin');
  const { openDialog, loadRelatives } = useActions();
  if (error) {
    return (
      <button
        type="button"
        className="kin-button kin-failed"
        title={`Branches and sub-agents could not be read: ${error.message} Press to try again.`}
        onClick={() => void loadRelatives()}
      >
        <TriangleAlert size={12} aria-hidden /> branches
      </button>
    );
  }
  if (!relatives || kinCount(relatives) === 0) return null;
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={(open) => openDialog(open ? 'kin' : null)}>
      <DropdownMenu.Trigger className="kin-button" title={`${kinTitle(relatives)} (B)`} data-testid="kin-button">
        {relatives.branches.length > 0 && <Count icon={GitBranch} count={relatives.branches.length} />}
        {relatives.children.length > 0 && <Count icon={Bot} count={relatives.children.length} />}
        {(relatives.continues || relatives.continuedBy.length > 0) && <History size={12} aria-hidden />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu kin-menu"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          loop
          onCloseAutoFocus={focusList}
        >
          <Branches branches={relatives.branches} />
          <Children list={relatives.children} />
          {relatives.continues && <Sessions title="Goes on from" list={[relatives.continues]} />}
          {relatives.continuedBy.length > 0 && <Sessions title="Goes on in" list={relatives.continuedBy} />}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Whatever was chosen, one goes on reading. */
function focusList(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('.timeline-scroll')?.focus();
}

function Count({ icon: Icon, count }: { readonly icon: typeof Bot; readonly count: number }) {
  return (
    <span className="kin-count num">
      <Icon size={12} aria-hidden /> {count}
    </span>
  );
}

function Branches({ branches }: { readonly branches: readonly BranchLink[] }) {
  const { openBranch } = useActions();
  if (branches.length === 0) return null;
  return (
    <>
      <DropdownMenu.Label className="menu-label">Branches of this conversation</DropdownMenu.Label>
      {branches.map((branch) => (
        <DropdownMenu.Item
          key={branch.id}
          className="menu-item menu-item-two kin-item"
          onSelect={() => void openBranch(branch)}
          data-testid="branch"
          data-id={branch.id}
          data-active={branch.active}
          data-here={branch.at === null}
        >
          <b>
            <span className="ellipsis" dir="auto">
              {branch.lastText || branch.title}
            </span>
            {branch.active && <span className="chip">active</span>}
            {branch.at === null && <Check size={13} aria-label="open now" />}
          </b>
          <span className="mute num">{branchWords(branch)}</span>
        </DropdownMenu.Item>
      ))}
    </>
  );
}

function Children({ list }: { readonly list: readonly ChildLink[] }) {
  const { open } = useActions();
  if (list.length === 0) return null;
  return (
    <>
      <DropdownMenu.Label className="menu-label">Sub-agents it started</DropdownMenu.Label>
      {list.map((child) => (
        <DropdownMenu.Item
          key={child.id}
          className="menu-item menu-item-two kin-item"
          onSelect={() => void open(child.id)}
          data-testid="child"
          data-id={child.id}
        >
          <b>
            <span className="ellipsis" dir="auto">
              {child.title}
            </span>
          </b>
          <span className="mute num">{childWords(child)}</span>
        </DropdownMenu.Item>
      ))}
    </>
  );
}

function Sessions({ title, list }: { readonly title: string; readonly list: readonly TranscriptLink[] }) {
  const { open } = useActions();
  return (
    <>
      <DropdownMenu.Label className="menu-label">{title}</DropdownMenu.Label>
      {list.map((one) => (
        <DropdownMenu.Item key={one.id} className="menu-item kin-item" onSelect={() => void open(one.id)}>
          <History size={13} aria-hidden />
          <span className="ellipsis" dir="auto">
            {one.title}
          </span>
        </DropdownMenu.Item>
      ))}
    </>
  );
}

function kinTitle({ branches, children }: Relatives): string {
  const parts = [
    branches.length > 0 && plural(branches.length, 'branch', 'branches'),
    children.length > 0 && plural(children.length, 'sub-agent'),
  ];
  return parts.filter(Boolean).join(', ') || 'Sessions before and after';
}
