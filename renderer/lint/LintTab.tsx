import './lint.css';
import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import type { LintInfo } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { DrawerNote } from '../ui/DrawerNote.tsx';
import { plural } from '../ui/format.ts';
import { DIFF_LAYOUTS, type DiffLayout } from '../ui/layouts.ts';
import { Seen } from '../ui/Seen.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { FindingList } from './FindingList.tsx';
import { groupFindings, otherRepairs, withRequest } from './groups.ts';
import { RepairPane } from './RepairPane.tsx';
import { type RepairChoice, resolveChoice } from './repairChoice.ts';
import { TargetMenu } from './TargetMenu.tsx';
import { useLint, useRequestLint } from './useLint.ts';

/** What the provider would refuse of the request, and the repair. */
export function LintTab() {
  const isOpen = useAppState((state) => state.session.id !== null);
  const { value: lint, isLoading, error } = useLint();
  const request = useRequestLint(lint);
  const isWriting = request.isLoading;
  const value = lint && withRequest(lint, request.value);
  const isNarrow = useAppState((state) => state.ui.narrow);
  const [layout, setLayout] = useState<DiffLayout>(isNarrow ? 'inline' : 'side');
  if (!isOpen) return <DrawerNote>Open a transcript to see what a provider would refuse of it.</DrawerNote>;
  return (
    <div className="lint" data-testid="lint" aria-busy={isLoading}>
      <div className="drawer-bar lint-bar">
        <span className="mute">For</span>
        <TargetMenu how={value?.how ?? null} />
        <span className="grow mute ellipsis" title={value ? `${value.how}. Documented: ${value.source}` : undefined}>
          {value && <Seen text={`${value.wire} · ${value.how}`} />}
        </span>
        {(isLoading || isWriting) && (
          <LoaderCircle
            size={13}
            className="spin faint"
            aria-label={isLoading ? 'looking' : 'looking at the request'}
          />
        )}
        <Segmented label="Layout" value={layout} onChange={setLayout} options={DIFF_LAYOUTS} />
        {value && (
          <b className="num nowrap" data-testid="lint-total">
            {value.total === 0 ? 'no findings' : plural(value.total, 'finding')}
          </b>
        )}
      </div>
      {error && (
        <p className="drawer-note drawer-error" role="alert">
          <CircleAlert size={14} aria-hidden /> The lint could not run: {error.message}
        </p>
      )}
      {request.error && (
        <p className="drawer-note drawer-error" role="alert">
          <CircleAlert size={14} aria-hidden /> The request could not be written: {request.error.message}
        </p>
      )}
      {value && <LintBody info={value} layout={layout} isWriting={isWriting} />}
    </div>
  );
}

interface BodyProps {
  readonly info: LintInfo;
  readonly layout: DiffLayout;
  /** The rules for the whole request are still to come. */
  readonly isWriting: boolean;
}

function LintBody({ info, layout, isWriting }: BodyProps) {
  const [wanted, setWanted] = useState<RepairChoice | null>(null);
  const groups = groupFindings(info);
  const others = otherRepairs(info);
  const choice = resolveChoice(wanted, groups, others);
  if (choice === null) {
    return (
      <p className="lint-fine">
        <CircleCheck size={15} aria-hidden /> {info.wire} has nothing to object to in{' '}
        {isWriting ? 'these messages so far' : 'this request'}, and no rule has anything to fix.
      </p>
    );
  }
  return (
    <div className="lint-panes">
      <FindingList info={info} groups={groups} others={others} choice={choice} onChoose={setWanted} />
      <RepairPane info={info} groups={groups} choice={choice} layout={layout} />
    </div>
  );
}
