import { Wrench } from 'lucide-react';
import type { LintInfo } from '../../core/protocol/types.ts';
import { formatCount, plural } from '../ui/format.ts';
import { moveFocus } from '../ui/moveFocus.ts';
import { FindingGroupLines } from './FindingGroupLines.tsx';
import type { FindingGroup } from './groups.ts';
import { LintLine } from './LintLine.tsx';
import { type RepairChoice, sameChoice } from './repairChoice.ts';

interface Props {
  readonly info: LintInfo;
  readonly groups: readonly FindingGroup[];
  readonly others: LintInfo['repairs'];
  readonly choice: RepairChoice;
  readonly onChoose: (choice: RepairChoice) => void;
}

/** Findings by the rule that repairs them. Arrow keys go from line to line, Enter to the message. */
export function FindingList({ info, groups, others, choice, onChoose }: Props) {
  const line = (own: RepairChoice) => ({ isChosen: sameChoice(choice, own), onChoose: () => onChoose(own) });
  const isListed = info.findings.length < info.total;
  return (
    <div className="lint-list" role="tree" aria-label="Findings" tabIndex={-1} onKeyDown={moveByKeys}>
      {(groups.some(({ rule }) => rule !== null) || others.length > 0) && (
        <ProfileLine touches={info.repairs.reduce((sum, { count }) => sum + count, 0)} {...line({ kind: 'profile' })} />
      )}
      {groups.map((group) => (
        <FindingGroupLines key={group.key ?? ''} group={group} wire={info.wire} choice={choice} onChoose={onChoose} />
      ))}
      {isListed && (
        <p className="lint-note">
          The first {formatCount(info.findings.length)} of {formatCount(info.total)} are listed.
        </p>
      )}
      {others.length > 0 && <h3 className="group-title">Would also change</h3>}
      {others.map(({ rule, title, count }) => (
        <RuleLine key={rule} title={title} count={count} unit="message" {...line({ kind: 'rule', rule })} />
      ))}
    </div>
  );
}

const moveByKeys = moveFocus('[role="treeitem"]');

interface LineProps {
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function ProfileLine({ touches, ...line }: LineProps & { readonly touches: number }) {
  return (
    <LintLine {...line} className="lint-profile" data-testid="lint-profile">
      <Wrench size={13} aria-hidden />
      <span className="grow ellipsis">The whole profile</span>
      <span className="num faint">{plural(touches, 'repair')}</span>
    </LintLine>
  );
}

function RuleLine(props: LineProps & { readonly title: string; readonly count: number; readonly unit: string }) {
  const { title, count, unit, ...line } = props;
  return (
    <LintLine {...line}>
      <Wrench size={13} className="faint" aria-hidden />
      <span className="grow ellipsis mute">{title}</span>
      <span className="num faint">{plural(count, unit)}</span>
    </LintLine>
  );
}
