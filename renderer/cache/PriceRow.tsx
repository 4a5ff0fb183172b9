import { Plus, Trash2, X } from 'lucide-react';
import {
  type DraftRates,
  type DraftRow,
  type DraftStep,
  EMPTY_STEP,
  isFaulty,
  PRICE_FIELDS,
  parseTokens,
} from './priceDraft.ts';

interface ModelRowProps {
  readonly row: DraftRow;
  readonly at: number;
  readonly isOwn: boolean;
  readonly onChange: (part: Partial<DraftRow>) => void;
  readonly onRemove: () => void;
}

/** A model's prices. */
export function ModelRow({ row, at, isOwn, onChange, onRemove }: ModelRowProps) {
  return (
    <tr data-own={isOwn}>
      <td>
        <input
          className="field mono"
          aria-label={`Model of row ${at + 1}`}
          value={row.model}
          placeholder="model"
          spellCheck={false}
          onChange={(event) => onChange({ model: event.target.value })}
        />
      </td>
      <RateCells rates={row} of={row.model} onChange={onChange} />
      <td>
        <div className="prices-tools">
          <button
            type="button"
            className="icon-button"
            aria-label={`Add a step for long prompts to ${row.model}`}
            title="Add a step for long prompts"
            onClick={() => onChange({ above: [...row.above, EMPTY_STEP] })}
          >
            <Plus size={13} aria-hidden />
          </button>
          <button type="button" className="icon-button" aria-label={`Remove ${row.model}`} onClick={onRemove}>
            <Trash2 size={13} aria-hidden />
          </button>
        </div>
      </td>
    </tr>
  );
}

interface StepRowProps {
  readonly step: DraftStep;
  readonly model: string;
  readonly onChange: (part: Partial<DraftStep>) => void;
  readonly onRemove: () => void;
}

/** What the same model costs above so many tokens. */
export function StepRow({ step, model, onChange, onRemove }: StepRowProps) {
  const of = `${model} above ${step.tokens} tokens`;
  return (
    <tr className="prices-step">
      <td>
        <span className="prices-above">
          above
          <input
            className="field mono num"
            aria-label={`Tokens of the step, ${model}`}
            inputMode="numeric"
            value={step.tokens}
            aria-invalid={step.tokens !== '' && parseTokens(step.tokens) === null}
            onChange={(event) => onChange({ tokens: event.target.value })}
          />
          tokens
        </span>
      </td>
      <RateCells rates={step} of={of} onChange={onChange} />
      <td>
        <div className="prices-tools">
          <button type="button" className="icon-button" aria-label={`Remove the step of ${of}`} onClick={onRemove}>
            <X size={13} aria-hidden />
          </button>
        </div>
      </td>
    </tr>
  );
}

interface RateCellsProps {
  readonly rates: DraftRates;
  readonly of: string;
  readonly onChange: (part: Partial<DraftRates>) => void;
}

function RateCells({ rates, of, onChange }: RateCellsProps) {
  return PRICE_FIELDS.map(({ field, title }) => (
    <td key={field} className="prices-number">
      <input
        className="field mono num"
        aria-label={`${title}, ${of}`}
        inputMode="decimal"
        value={rates[field]}
        placeholder={field === 'cacheWrite1h' ? '–' : ''}
        aria-invalid={isFaulty(rates[field])}
        onChange={(event) => onChange({ [field]: event.target.value })}
      />
    </td>
  ));
}
