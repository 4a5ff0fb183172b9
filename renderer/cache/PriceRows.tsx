import { Fragment } from 'react';
import { ModelRow, StepRow } from './PriceRow.tsx';
import { type DraftRow, PRICE_FIELDS } from './priceDraft.ts';

interface Props {
  readonly rows: readonly DraftRow[];
  /** The models whose rows hold for the open transcript. */
  readonly own: readonly string[];
  readonly onChange: (at: number, part: Partial<DraftRow>) => void;
  readonly onRemove: (at: number) => void;
}

/** The price table: a row a model, below it a row for each step of long prompts. */
export function PriceRows({ rows, own, onChange, onRemove }: Props) {
  return (
    <div className="prices-scroll">
      <table className="prices">
        <thead>
          <tr>
            <th scope="col">Model</th>
            {PRICE_FIELDS.map(({ field, title }) => (
              <th key={field} scope="col" className="prices-number">
                {title}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are edited in place, and have no other name
            <Fragment key={at}>
              <ModelRow
                row={row}
                at={at}
                isOwn={own.includes(row.model)}
                onChange={(part) => onChange(at, part)}
                onRemove={() => onRemove(at)}
              />
              {row.above.map((step, which) => (
                <StepRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  key={which}
                  step={step}
                  model={row.model}
                  onChange={(part) => onChange(at, { above: row.above.with(which, { ...step, ...part }) })}
                  onRemove={() => onChange(at, { above: row.above.toSpliced(which, 1) })}
                />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}
