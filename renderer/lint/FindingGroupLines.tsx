import { ChevronRight, CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { LintFindingInfo } from '../../core/protocol/types.ts';
import { useActions } from '../state/context.tsx';
import { formatCount } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { type FindingGroup, isOfRequest, type Severity } from './groups.ts';
import { LintLine } from './LintLine.tsx';
import { type RepairChoice, sameChoice } from './repairChoice.ts';
import { describeFinding } from './repairText.ts';

/** So many findings of a rule are drawn at once. */
const STEP = 200;

const ICON: Readonly<Record<Severity, typeof Info>> = { error: CircleAlert, warning: TriangleAlert, info: Info };

interface GroupProps {
  readonly group: FindingGroup;
  readonly wire: string;
  readonly choice: RepairChoice;
  readonly onChoose: (choice: RepairChoice) => void;
}

/** A rule, and what it found. Left and Right close and open it. */
export function FindingGroupLines({ group, wire, choice, onChoose }: GroupProps) {
  const [isOpen, setOpen] = useState(true);
  const [shown, setShown] = useState(STEP);
  const { key: groupKey, rule, findings } = group;
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
    <div role="group" aria-label={group.title} data-testid="lint-group" data-rule={groupKey ?? ''}>
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
        <b className="ellipsis">
          <Seen text={group.title} />
        </b>
        <span className="num tab-count">{formatCount(findings.length)}</span>
      </LintLine>
      {isOpen &&
        findings.slice(0, shown).map((finding, at) => (
          <FindingLine
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
            key={at}
            finding={finding}
            words={describeFinding(finding.text, wire)}
            isChosen={sameChoice(choice, { kind: 'finding', group: groupKey, at })}
            onChoose={() => onChoose({ kind: 'finding', group: groupKey, at })}
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

interface FindingProps {
  readonly finding: LintFindingInfo;
  readonly words: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function FindingLine({ finding, words, ...line }: FindingProps) {
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
      <span className="mono num lint-index">
        {index === null ? (isOfRequest(finding) ? 'request' : 'put in') : `#${index}`}
      </span>
      <span className="ellipsis">
        <Seen text={words} />
      </span>
    </LintLine>
  );
}
