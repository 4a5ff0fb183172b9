import './cache.css';
import { CircleAlert, Plus, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { PriceTable } from '../../core/protocol/types.ts';
import { Modal } from '../ui/Modal.tsx';
import { type DraftRow, PRICE_FIELDS, parsePrice, readDraft, toDraft } from './priceDraft.ts';
import { usePrices } from './usePrices.ts';

const EMPTY: DraftRow = { model: '', input: '', cachedRead: '', cacheWrite: '' };

/** What input tokens cost, by model: looked up once, and to be edited. */
export function PricesDialog({ onClose }: { readonly onClose: () => void }) {
  const { table, error, save } = usePrices();
  const [draft, setDraft] = useState<readonly DraftRow[] | null>(null);
  const rows = draft ?? toDraft(table?.rows ?? []);
  const read = readDraft(rows);
  const change = (at: number, part: Partial<DraftRow>) =>
    setDraft(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  const submit = async () => {
    if (read.ok && (await save(read.rows))) onClose();
  };
  const reset = async () => {
    if (await save(null)) setDraft(null);
  };
  return (
    <Modal
      title="Prices"
      description="US dollars for a million input tokens. They give a cache break its cost: what must be written again, less what reading it from the cache would have cost."
      width={620}
      testId="prices-dialog"
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={() => setDraft([EMPTY, ...rows])}>
            <Plus size={13} aria-hidden /> Add a model
          </button>
          <span className="grow" />
          <button type="button" className="button" disabled={!table?.edited} onClick={() => void reset()}>
            <RotateCcw size={13} aria-hidden /> The program’s own
          </button>
          <button
            type="button"
            className="button button-primary"
            disabled={draft === null || !read.ok}
            data-testid="prices-save"
            onClick={() => void submit()}
          >
            Save
          </button>
        </>
      }
    >
      {table && <p className="mute">{sourceWords(table)}</p>}
      {table && (
        <PriceRows
          rows={rows}
          own={table.price?.model ?? null}
          onChange={change}
          onRemove={(at) => setDraft(rows.toSpliced(at, 1))}
        />
      )}
      {(error || !read.ok) && (
        <p className="finding finding-error" role="alert">
          <CircleAlert size={14} aria-hidden /> <span>{error?.message ?? (read.ok ? '' : read.fault)}</span>
        </p>
      )}
    </Modal>
  );
}

function sourceWords({ edited, date, model, price }: PriceTable): string {
  const source = edited ? 'Your own table.' : `Looked up on ${date}.`;
  if (model === null) return source;
  return price === null
    ? `${source} Nothing here names ${model}.`
    : `${source} For ${model} the row ${price.model} holds.`;
}

interface RowsProps {
  readonly rows: readonly DraftRow[];
  /** The model whose row holds for the open transcript. */
  readonly own: string | null;
  readonly onChange: (at: number, part: Partial<DraftRow>) => void;
  readonly onRemove: (at: number) => void;
}

function PriceRows({ rows, own, onChange, onRemove }: RowsProps) {
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
              <span className="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are edited in place, and have no other name
            <tr key={at} data-own={row.model !== '' && row.model === own}>
              <td>
                <input
                  className="field mono"
                  aria-label={`Model of row ${at + 1}`}
                  value={row.model}
                  placeholder="model"
                  spellCheck={false}
                  onChange={(event) => onChange(at, { model: event.target.value })}
                />
              </td>
              {PRICE_FIELDS.map(({ field, title }) => (
                <td key={field} className="prices-number">
                  <input
                    className="field mono num"
                    aria-label={`${title}, ${row.model}`}
                    inputMode="decimal"
                    value={row[field]}
                    aria-invalid={row[field] !== '' && parsePrice(row[field]) === null}
                    onChange={(event) => onChange(at, { [field]: event.target.value })}
                  />
                </td>
              ))}
              <td>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={`Remove ${row.model}`}
                  onClick={() => onRemove(at)}
                >
                  <Trash2 size={13} aria-hidden />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
