import './context.css';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { StageSpec } from '../../core/projection/types.ts';
import type { ParamSchema, StageReport } from '../../core/view/types.ts';
import { valueText } from './metaText.ts';
import { PendingField } from './PendingField.tsx';
import { Scopes } from './Scopes.tsx';

/** The option that holds what is being asked: it has its own field. */
export const PENDING = 'pending';

interface Props {
  readonly stage: StageSpec;
  readonly at: number;
  readonly params: readonly ParamSchema[];
  readonly report: StageReport | null;
}

/** What a context policy has besides options: pending input, the result's metadata, where its values come from. */
export function ContextExtras({ stage, at, params, report }: Props) {
  const [isOpen, setOpen] = useState(false);
  const pending = params.find(({ name }) => name === PENDING);
  const meta = report?.kind === stage.kind ? (report.meta ?? null) : null;
  return (
    <div className="context-extras">
      {pending && <PendingField stage={stage} at={at} param={pending} />}
      <button
        type="button"
        className="more-params"
        aria-expanded={isOpen}
        data-testid="context-more"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={12} aria-hidden /> Result, and where values come from
      </button>
      {isOpen && meta && (
        <dl className="context-meta num">
          {Object.entries(meta).map(([name, value]) => (
            <div key={name}>
              <dt className="mono mute">{name}</dt>
              <dd>{valueText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {isOpen && <Scopes stage={stage} />}
    </div>
  );
}
