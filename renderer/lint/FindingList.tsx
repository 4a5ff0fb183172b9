import { ChevronRight, CircleAlert, Info, TriangleAlert, Wrench } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { LintFindingInfo, LintInfo } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { moveFocus } from '../ui/moveFocus.ts';
import type { FindingGroup, Severity } from './groups.ts';
import { LintLine } from './LintLine.tsx';
import { type RepairChoice, sameChoice } from './repairChoice.ts';
import { findingWords } from './repairText.ts';

const STEP = 200;

interface Props {
  readonly info: LintInfo;
  readonly groups: readonly FindingGroup[];
  readonly others: LintInfo['repairs'];
  readonly choice: RepairChoice;
  readonly onChoose: (choice: RepairChoice) => void;
}

/** Findings by the rule that mends them. Arrow keys go from line to line, Enter to the message. */
export function FindingList({ info, groups, others, choice, onChoose }: Props) {
  const line = (own: RepairChoice) => ({ isChosen: sameChoice(choice, own), onChoose: () => onChoose(own) });
  const isListed = info.findings.length < info.total;
  return (
    <div className="lint-list" role="tree" aria-label="Findings" tabIndex={-1} onKeyDown={moveByKeys}>
      {(groups.some(({ rule }) => rule !== null) || others.length > 0) && (
        <ProfileLine touches={info.repairs.reduce((sum, { count }) => sum + count, 0)} {...line({ kind: 'profile' })} />
      )}
      {groups.map((group) => (
        <Group key={group.rule ?? ''} group={group} wire={info.wire} choice={choice} onChoose={onChoose} />
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

const ICON: Readonly<Record<Severity, typeof Info>> = { error: CircleAlert, warning: TriangleAlert, info: Info };

interface FindingProps {
  readonly finding: LintFindingInfo;
  readonly words: string;
}

interface GroupProps {
  readonly group: FindingGroup;
  readonly wire: string;
  readonly choice: RepairChoice;
  readonly onChoose: (choice: RepairChoice) => void;
}

function Group({ group, wire, choice, onChoose }: GroupProps) {
  const [isOpen, setOpen] = useState(true);
  const [shown, setShown] = useState(STEP);
  const { rule, findings } = group;
  const own: RepairChoice | null = rule === null ? null : { kind: 'rule', rule };
  const isChosen = own !== null && sameChoice(choice, own);
  const toggle = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(event.key === 'ArrowRight');
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
    <div role="group" aria-label={group.title} data-testid="lint-group" data-rule={rule ?? ''}>
      <LintLine
        className="lint-rule"
        isChosen={isChosen}
        isOpen={isOpen}
        title={group.help}
        onChoose={() => own !== null && onChoose(own)}
        onGo={() => own === null && setOpen(!isOpen)}
        onKeyDown={toggle}
      >
        <button
          type="button"
          className="lint-chevron"
          tabIndex={-1}
          aria-label={isOpen ? 'Close' : 'Open'}
          data-open={isOpen}
          onClick={(event) => {
            event.stopPropagation();
            setOpen(!isOpen);
          }}
        >
          <ChevronRight size={13} aria-hidden />
        </button>
        <b className="ellipsis">{group.title}</b>
        <span className="num tab-count">{formatCount(findings.length)}</span>
      </LintLine>
      {isOpen &&
        findings.slice(0, shown).map((finding, at) => (
          <FindingLine
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
            key={at}
            finding={finding}
            words={findingWords(finding.text, wire)}
            isChosen={sameChoice(choice, { kind: 'finding', rule, at })}
            onChoose={() => onChoose({ kind: 'finding', rule, at })}
          />
        ))}
      {isOpen && findings.length > shown && (
        <button type="button" className="button lint-more" onClick={() => setShown(shown + STEP)}>
          Show {Math.min(STEP, findings.length - shown)} more
        </button>
      )}
    </div>
  );
}

function FindingLine({ finding, words, ...line }: LineProps & FindingProps) {
  const { goToMessage } = useActions();
  const { severity, index, text, code } = finding;
  const Icon = ICON[severity];
  return (
    <LintLine
      {...line}
      className="lint-finding"
      title={`${text} (${code})`}
      data-testid="lint-finding"
      data-code={code}
      data-index={index ?? ''}
      onGo={() => index !== null && void goToMessage(index)}
    >
      <Icon size={13} aria-label={severity} className={`severity-${severity}`} />
      <span className="mono num lint-index">{index === null ? 'put in' : `#${index}`}</span>
      <span className="ellipsis">{words}</span>
    </LintLine>
  );
}
