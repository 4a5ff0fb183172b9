import './budget.css';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ProjectionInfo } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { formatChange, formatTokens } from '../ui/format.ts';
import { BudgetBar } from './BudgetBar.tsx';
import { CapNotes } from './CapNotes.tsx';
import { Caps } from './Caps.tsx';
import { CategoryTable } from './CategoryTable.tsx';
import { CountsSwitch } from './CountsSwitch.tsx';
import { describeProvenance } from './figures.ts';
import { HeadlineFigure } from './HeadlineFigure.tsx';
import { headlineState } from './headline.ts';
import { OverheadLines } from './OverheadLines.tsx';
import { Reserves } from './Reserves.tsx';
import { SavedByStage } from './SavedByStage.tsx';
import { SessionMoney } from './SessionMoney.tsx';
import { ThinkingLines } from './ThinkingLines.tsx';
import { useHeadline } from './useHeadline.ts';
import { WindowField } from './WindowField.tsx';
import { YoursLine } from './YoursLine.tsx';

/** What the request at this call point costs, by category against the window. */
export function BudgetCard() {
  const info = useAppState((state) => state.projection.info);
  // A tokenizer chosen by hand goes by its name; the transcript's own has a label that says how well it fits the model.
  const label = useAppState((state) => state.projection.tokenizer ?? state.session.info?.tokenizerLabel ?? '');
  const counted = useAppState((state) => state.session.info?.counted ?? 1);
  const headline = useHeadline();
  const { goToMessage } = useActions();
  const [isOpen, setOpen] = useState(false);
  if (!info || !headline) {
    return (
      <section className="card budget" aria-label="Budget" data-testid="budget">
        <h3>Budget</h3>
        <p className="faint">Counting…</p>
      </section>
    );
  }
  const { raw, projected, beside, window, budget } = info;
  const state = headlineState(info, headline);
  const { from } = state;
  return (
    <section className="card budget" aria-label="Budget" data-testid="budget" data-tone={state.tone}>
      <div className="budget-head">
        <h3>Budget</h3>
        <span className="grow" />
        <HeadlineFigure headline={headline} testId="budget-total" />
        <span className="faint">/</span>
        <WindowField window={window} />
      </div>
      <YoursLine />
      <BudgetBar figure={projected} beside={beside} budget={budget} />
      <p className={`budget-state tone-${state.tone}`} data-testid="budget-state">
        {state.text}
        {from !== null && (
          <>
            {' From message '}
            <button
              type="button"
              className="link num"
              data-testid="overflow-from"
              onClick={() => void goToMessage(from)}
            >
              #{from}
            </button>{' '}
            on.
          </>
        )}
      </p>
      {budget && <CapNotes budget={budget} />}
      {budget && <Reserves budget={budget} />}
      <OverheadLines beside={beside} />
      <ThinkingLines />
      <p className="budget-sum">
        <span className="num">{sumLine(info)}</span>
        <CountsSwitch words={describeProvenance(projected.provenance, label)} />
      </p>
      <SessionMoney />
      {counted < 1 && <p className="budget-sum">{Math.round(counted * 100)}% of the parts counted so far</p>}
      <button
        type="button"
        className="more-params"
        aria-expanded={isOpen}
        data-testid="budget-more"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={12} aria-hidden />
        Tiers, caps, what each stage saves
      </button>
      {isOpen && (
        <>
          <CategoryTable raw={raw} projected={projected} beside={beside} />
          {budget && <Caps budget={budget} />}
          <SavedByStage info={info} />
        </>
      )}
    </section>
  );
}

function sumLine({ raw, projected }: ProjectionInfo): string {
  const change = formatChange(raw.total, projected.total);
  const before = formatTokens(raw.total, raw.provenance);
  if (raw.total === projected.total) return `messages ${before}, unchanged`;
  return `messages ${before} → ${formatTokens(projected.total, projected.provenance)}${change === null ? '' : ` (${change})`}`;
}
