import { Check, History } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import type { BranchLink, ChildLink, Relatives, TranscriptLink } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { Time } from '../ui/Time.tsx';
import { isTime, shortTime } from '../ui/time.ts';
import { describeBranch, describeChild } from './relationText.ts';

/** The branches of the conversation: the active one is marked, and the one that is open. */
export function Branches({ branches }: { readonly branches: readonly BranchLink[] }) {
  const { openBranch } = useActions();
  if (branches.length === 0) return null;
  return (
    <>
      <DropdownMenu.Label className="menu-label">Branches of this conversation</DropdownMenu.Label>
      {branches.map((branch) => (
        <DropdownMenu.Item
          key={branch.id}
          className="menu-item menu-item-two relations-item"
          onSelect={() => void openBranch(branch)}
          data-testid="branch"
          data-id={branch.id}
          data-active={branch.active}
          data-here={branch.at === null}
        >
          <b>
            <span className="ellipsis" dir="auto">
              <Seen text={branch.lastText || branch.title} />
            </span>
            {branch.active && <span className="chip">active</span>}
            {branch.at === null && <Check size={13} aria-label="open now" />}
          </b>
          <span className="mute num">
            {describeBranch(branch)}
            {isTime(branch.endedAt) && (
              <>
                {' · '}
                <Time iso={branch.endedAt} text={shortTime(branch.endedAt, Date.now())} />
              </>
            )}
          </span>
        </DropdownMenu.Item>
      ))}
    </>
  );
}

interface TranscriptItemProps {
  readonly testId: string;
  readonly id: string;
  readonly title: string;
  /** What it is to the transcript. */
  readonly children: ReactNode;
}

/** A transcript to open. */
function TranscriptItem({ testId, id, title, children }: TranscriptItemProps) {
  const { open } = useActions();
  return (
    <DropdownMenu.Item
      className="menu-item menu-item-two relations-item"
      onSelect={() => void open(id)}
      data-testid={testId}
      data-id={id}
    >
      <b>
        <span className="ellipsis" dir="auto">
          <Seen text={title} />
        </span>
      </b>
      <span className="mute num">{children}</span>
    </DropdownMenu.Item>
  );
}

/** What-ifs that were forked from the transcript. */
export function Forks({ list }: { readonly list: Relatives['forks'] }) {
  if (list.length === 0) return null;
  return (
    <>
      <DropdownMenu.Label className="menu-label">What-ifs made here</DropdownMenu.Label>
      {list.map((fork) => (
        <TranscriptItem key={fork.id} testId="what-if" id={fork.id} title={fork.title}>
          forks at #{fork.at} · {plural(fork.messages - fork.at, 'message')} typed
        </TranscriptItem>
      ))}
    </>
  );
}

/** Transcripts that belong to it: the sub-agents it started, or what compactions archived of it. */
export function Children({ title, list }: { readonly title: string; readonly list: readonly ChildLink[] }) {
  if (list.length === 0) return null;
  return (
    <>
      <DropdownMenu.Label className="menu-label">{title}</DropdownMenu.Label>
      {list.map((child) => (
        <TranscriptItem key={child.id} testId="child" id={child.id} title={child.title}>
          {describeChild(child)}
        </TranscriptItem>
      ))}
    </>
  );
}

/** Sessions that went before, or come after. */
export function Sessions({ title, list }: { readonly title: string; readonly list: readonly TranscriptLink[] }) {
  const { open } = useActions();
  return (
    <>
      <DropdownMenu.Label className="menu-label">{title}</DropdownMenu.Label>
      {list.map((one) => (
        <DropdownMenu.Item key={one.id} className="menu-item relations-item" onSelect={() => void open(one.id)}>
          <History size={13} aria-hidden />
          <span className="ellipsis" dir="auto">
            <Seen text={one.title} />
          </span>
        </DropdownMenu.Item>
      ))}
    </>
  );
}
