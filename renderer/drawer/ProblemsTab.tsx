import './problems.css';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Problem } from '../../core/model/problem.ts';
import { useActions } from '../state/context.tsx';
import { DrawerNote } from '../ui/DrawerNote.tsx';
import { formatCount } from '../ui/format.ts';
import { describePlace } from '../ui/problemPlace.ts';
import { Seen } from '../ui/Seen.tsx';
import { ProblemRecord } from './ProblemRecord.tsx';
import { useProblems } from './useProblems.ts';

const STEP = 300;

/** What import and projection have to say. A click goes to the message concerned. */
export function ProblemsTab() {
  const { imported, projected, usage, count, error } = useProblems();
  if (error !== null) return <p className="drawer-note drawer-error">The problems could not be read: {error}</p>;
  if (count === 0)
    return <DrawerNote>No problems: everything was read, and the policy has nothing to object to.</DrawerNote>;
  return (
    <div className="problems" data-testid="problems">
      <ProblemGroup title="In this projection" problems={projected} />
      <ProblemGroup title="Recorded usage against the history" problems={usage} />
      <ProblemGroup title="Found on import" problems={imported} />
    </div>
  );
}

function ProblemGroup({ title, problems }: { readonly title: string; readonly problems: readonly Problem[] }) {
  const [shown, setShown] = useState(STEP);
  if (problems.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="group-title">
        {title} <span className="num">{formatCount(problems.length)}</span>
      </h3>
      <ul>
        {problems.slice(0, shown).map((problem, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
          <ProblemRow key={number} problem={problem} />
        ))}
      </ul>
      {problems.length > shown && (
        <button type="button" className="button" onClick={() => setShown(shown + STEP)}>
          Show {Math.min(STEP, problems.length - shown)} more of {formatCount(problems.length)}
        </button>
      )}
    </section>
  );
}

const ICON = { error: CircleAlert, warning: TriangleAlert, info: Info } as const;

function ProblemRow({ problem }: { readonly problem: Problem }) {
  const { goToMessage } = useActions();
  const Icon = ICON[problem.severity];
  const { index, byteStart } = problem.where ?? {};
  const content = (
    <>
      <Icon size={14} aria-label={problem.severity} className={`severity-${problem.severity}`} />
      <span className="mono problem-place ellipsis">{describePlace(problem.where)}</span>
      <span className="problem-text">
        <Seen text={problem.text} />
        {byteStart !== undefined && <ProblemRecord where={{ ...problem.where, byteStart }} />}
      </span>
      <span className="mono faint problem-code">{problem.code}</span>
    </>
  );
  return (
    <li>
      {index === undefined ? (
        <div className="problem-row">{content}</div>
      ) : (
        <button type="button" className="problem-row" onClick={() => void goToMessage(index)}>
          {content}
        </button>
      )}
    </li>
  );
}
